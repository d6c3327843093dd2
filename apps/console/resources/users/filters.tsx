import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useListContext } from 'react-admin';
import { useText } from '../../texts/console-i18n';
import { FilterTabs } from '../../ui/list/filter-tabs';
import { SearchInput } from '../../ui/list/search-input';

/** Search, kind of account, and whether deactivated accounts are shown. */
export function Filters() {
  const t = useText();
  return (
    <>
      <SearchInput label={t('users.search')} />
      <span className="grow hide-s" />
      <div className="row wrap right">
        <KindTabs />
        <ShowDeactivated />
      </div>
    </>
  );
}

/** Filters of the list, of which one is active at a time. */
const KINDS = {
  administrators: { is_admin: 'true' },
  unverified: { is_verified: 'false' },
  low: { low_balance: 'true' },
} as const;
type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];

function KindTabs() {
  const t = useText();
  const { setFilters, ...list } = useListContext();
  const { is_admin, is_verified, low_balance, ...others } = list.filterValues as Record<string, unknown>;
  const shown: Readonly<Record<string, unknown>> = { is_admin, is_verified, low_balance };
  const chosen = KIND_NAMES.find((kind) => Object.entries(KINDS[kind]).every(([name, value]) => shown[name] === value));
  return (
    <FilterTabs<Kind | 'all'>
      label={t('users.kinds.label')}
      tabs={(['all', ...KIND_NAMES] as const).map((value) => ({ value, label: t(`users.kinds.${value}`) }))}
      chosen={chosen ?? 'all'}
      onChoose={(kind) => setFilters(kind === 'all' ? others : { ...others, ...KINDS[kind] })}
    />
  );
}

function ShowDeactivated() {
  const t = useText();
  const { setFilters, ...list } = useListContext();
  const { show_deactivated: shown, ...others } = list.filterValues as Record<string, unknown>;
  return (
    <FormControlLabel
      className="switch"
      control={
        <Switch
          size="small"
          checked={shown === 'true'}
          onChange={(_event, on) => setFilters(on ? { ...others, show_deactivated: 'true' } : others)}
        />
      }
      label={t('users.show_deactivated')}
    />
  );
}
