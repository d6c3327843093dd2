import { OWN_SERVER } from '@moorage/domain';
import { useProviders } from '../../data/catalogue';
import { useText } from '../../texts/console-i18n';
import { PresetTabs } from '../../ui/list/preset-tabs';
import { SearchInput } from '../../ui/list/search-input';
import { SelectFilter } from '../../ui/list/select-filter';

/** Search, state and provider. */
export function Filters() {
  const t = useText();
  const { data: providers = [] } = useProviders(null, { enabled: true });
  return (
    <>
      <SearchInput label={t('users.deployments.search')} short={t('users.deployments.search_short')} />
      <PresetTabs
        label={t('users.deployments.status')}
        presets={STATES}
        labelOf={(state) => t(`users.deployments.states.${state}`)}
      />
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
