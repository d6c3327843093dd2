import { OWN_SERVER } from '@moorage/domain';
import { useListContext } from 'react-admin';
import { useProviders } from '../../data/catalogue';
import { useText } from '../../texts/console-i18n';
import { FilterTabs } from '../../ui/list/filter-tabs';
import { SearchInput } from '../../ui/list/search-input';
import { SelectFilter } from '../../ui/list/select-filter';

/** Search, state and provider. */
export function Filters() {
  const t = useText();
  const { data: providers = [] } = useProviders(null, { enabled: true });
  return (
    <>
      <SearchInput label={t('users.deployments.search')} short={t('users.deployments.search_short')} />
      <StateTabs />
      <span className="grow hide-s" />
      <SelectFilter
        source="cloud_provider"
        label={t('users.deployments.provider')}
        choices={[
          ['', t('users.deployments.all_providers')],
          ...providers.map(({ name, display_name: label }) => [name, label] as const),
          [OWN_SERVER, t('users.deployments.byovps')],
        ]}
      />
    </>
  );
}

/** States of which one is shown at a time, with the filter that selects them. */
const STATES = {
  needs_action: { group: 'needs_you' },
  failed: { status: 'FAILED' },
  in_progress: { group: 'in_progress' },
  ready: { group: 'ready' },
} as const;
type State = keyof typeof STATES;
const STATE_NAMES = Object.keys(STATES) as State[];

function StateTabs() {
  const t = useText();
  const { setFilters, ...list } = useListContext();
  const { group, status, ...others } = list.filterValues as Record<string, unknown>;
  const shown: Readonly<Record<string, unknown>> = { group, status };
  const chosen = STATE_NAMES.find((state) =>
    Object.entries(STATES[state]).every(([name, value]) => shown[name] === value),
  );
  return (
    <FilterTabs<State | 'all'>
      label={t('users.deployments.status')}
      tabs={(['all', ...STATE_NAMES] as const).map((value) => ({
        value,
        label: t(`users.deployments.states.${value}`),
      }))}
      chosen={chosen ?? 'all'}
      onChoose={(state) => setFilters(state === 'all' ? others : { ...others, ...STATES[state] })}
    />
  );
}
