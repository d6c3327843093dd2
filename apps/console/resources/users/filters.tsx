import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useListContext } from 'react-admin';
import { useText } from '../../texts/console-i18n';
import { PresetTabs } from '../../ui/list/preset-tabs';
import { SearchInput } from '../../ui/list/search-input';

/** Search, kind of account, and whether deactivated accounts are shown. */
export function Filters() {
  const t = useText();
  return (
    <>
      <SearchInput label={t('users.search')} />
      <span className="grow hide-s" />
      <div className="row wrap right">
        <PresetTabs label={t('users.kinds.label')} presets={KINDS} labelOf={(kind) => t(`users.kinds.${kind}`)} />
        <ShowDeactivated />
      </div>
    </>
  );
}

/** Kinds of accounts, with the filter that selects them. */
const KINDS = {
  administrators: { is_admin: 'true' },
  unverified: { is_verified: 'false' },
  low: { low_balance: 'true' },
} as const;
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
