import type { RouteAnswer } from '@moorage/contracts';
import { DEPLOYMENT_GROUPS, type DeploymentGroup } from '@moorage/domain';
import { User } from 'lucide-react';
import { memo } from 'react';
import { useText } from '../../texts/console-i18n';
import { FilterTabs } from '../../ui/list/filter-tabs';
import { SearchField } from '../../ui/list/search-field';

/** Search, the administrators' owner filter, and tabs with their counts. */
export const ListTools = memo(function ListTools({
  search,
  onSearch,
  owner,
  onOwner,
  group,
  onGroup,
  counts,
}: {
  search: string;
  onSearch: (text: string) => void;
  /** Null for users who are not administrators. */
  owner: string | null;
  onOwner: (text: string) => void;
  group: DeploymentGroup;
  onGroup: (group: DeploymentGroup) => void;
  counts: RouteAnswer<'GET /deployments/counts'> | undefined;
}) {
  const t = useText();
  return (
    <div className="tools">
      <SearchField
        label={t('deployments.search')}
        placeholder={t('deployments.search_hint')}
        value={search}
        onChange={onSearch}
      />
      {owner === null ? null : (
        <SearchField
          label={t('deployments.owner_filter')}
          placeholder={t('deployments.owner_filter_hint')}
          icon={<User size={16} aria-hidden="true" />}
          value={owner}
          onChange={onOwner}
        />
      )}
      <FilterTabs
        label={t('deployments.groups.label')}
        tabs={DEPLOYMENT_GROUPS.map((each) => ({
          value: each,
          label: t(`deployments.groups.${each}`),
          count: counts?.[each],
          isMarked: each === 'needs_you' && (counts?.needs_you ?? 0) > 0,
        }))}
        chosen={group}
        onChoose={onGroup}
      />
      <span className="grow hide-s" />
      <span className="small muted hide-s newest nowrap">{t('deployments.newest_first')}</span>
    </div>
  );
});
