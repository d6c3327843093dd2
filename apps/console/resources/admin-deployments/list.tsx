import type { DeploymentAnswer } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { useText } from '../../texts/console-i18n';
import { dayWithYear, exactInstant } from '../../ui/dates';
import { DataTable } from '../../ui/data-table';
import { List } from '../../ui/list/list';
import { SearchInput } from '../../ui/list/search-input';
import { money } from '../../ui/money';
import { StatusLabel } from '../../parts/status-label';
import { AdminOnly } from '../../parts/admin-only';
import { DeploymentCard } from './deployment-card';
import { DeploymentLink } from './deployment-link';
import { OwnerLink } from './owner-link';
import { StaleBackupsCard } from './stale-backups-card';
import { useNames } from './use-names';

const Column = DataTable.Col<DeploymentAnswer>;

/** Plain, sortable list of all deployments for administrators. Daily work happens on the dashboard. */
export default function DeploymentList() {
  const t = useText();
  return (
    <AdminOnly>
      <List
        resource="admin-deployments"
        sort={{ field: 'created_at', order: 'DESC' }}
        title={t('users.deployments.title')}
        failed={t('users.deployments.failed')}
        empty={t('users.deployments.empty_all')}
        notFound={(search) => t('users.deployments.empty', { search })}
        notFoundHint={t('users.deployments.search')}
        above={<StaleBackupsCard />}
        filters={<SearchInput label={t('users.deployments.search')} short={t('users.deployments.search_short')} />}
        pageSizes={CONSTANTS.dashboardPageSizes}
      >
        <DataTable<DeploymentAnswer> card={(deployment) => <DeploymentCard deployment={deployment} />}>
          <Column label={t('users.id')} align="right" className="mono-id" render={({ id }) => id} />
          <Column
            source="client_name"
            label={t('users.deployments.name')}
            render={(deployment) => <DeploymentLink deployment={deployment} />}
          />
          <Column label={t('users.deployments.owner')} render={(deployment) => <OwnerLink deployment={deployment} />} />
          <Column
            source="package"
            label={t('users.deployments.package')}
            render={(deployment) => <Package deployment={deployment} />}
          />
          <Column
            source="cloud_provider"
            label={t('users.deployments.provider')}
            render={(deployment) => <Place deployment={deployment} />}
          />
          <Column
            source="status"
            label={t('users.deployments.status')}
            render={({ status, deleted_at: deletedAt, ended }) => (
              <StatusLabel status={status} deletedAt={deletedAt} ended={ended} />
            )}
          />
          <Column
            label={t('users.deployments.cost')}
            align="right"
            render={({ daily_cost: cost }) => money(cost, { rounding: 'price' })}
          />
          <Column
            source="created_at"
            label={t('users.deployments.created')}
            render={({ created_at: at }) => <span title={exactInstant(at)}>{dayWithYear(at)}</span>}
          />
        </DataTable>
      </List>
    </AdminOnly>
  );
}

const Package = ({ deployment }: { deployment: DeploymentAnswer }) => useNames(deployment).packageName;

const Place = ({ deployment }: { deployment: DeploymentAnswer }) => useNames(deployment).place;
