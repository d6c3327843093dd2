import type { DeploymentAnswer } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { useListContext } from 'react-admin';
import { useBalanceEnds } from '../../data/platform';
import { useText } from '../../texts/console-i18n';
import { dayWithYear, exactInstant } from '../../ui/dates';
import { DataTable } from '../../ui/data-table';
import { List } from '../../ui/list/list';
import { money } from '../../ui/money';
import { StatusLabel } from '../../parts/status-label';
import { AdminOnly } from '../../parts/admin-only';
import { DeploymentCard } from './deployment-card';
import { DeploymentLink } from './deployment-link';
import { EndDate } from './end-date';
import { Filters } from './filters';
import { OwnerLink } from './owner-link';
import { StaleBackupsCard } from './stale-backups-card';
import { useNames } from './use-names';
import './list.css';

const Column = DataTable.Col<DeploymentAnswer>;

/** All deployments for administrators: whose they are, their state, what they cost and when they end. */
export default function DeploymentList() {
  return (
    <AdminOnly>
      <Deployments />
    </AdminOnly>
  );
}

function Deployments() {
  const t = useText();
  return (
    <List
      resource="admin-deployments"
      sort={{ field: 'created_at', order: 'DESC' }}
      title={t('users.deployments.title')}
      failed={t('users.deployments.failed')}
      empty={t('users.deployments.empty_all')}
      notFound={(search) => t('users.deployments.empty', { search })}
      notFoundHint={t('users.deployments.search')}
      above={<StaleBackupsCard />}
      filters={<Filters />}
      pageSizes={CONSTANTS.dashboardPageSizes}
    >
      <Table />
    </List>
  );
}

function Table() {
  const t = useText();
  const { data = [] } = useListContext<DeploymentAnswer>();
  const ends = useBalanceEnds(data.map(({ user_id: id }) => id)).data;
  return (
    <DataTable<DeploymentAnswer>
      className="admin-deployments linked-rows"
      card={(deployment) => <DeploymentCard deployment={deployment} ends={ends} />}
      isDimmed={({ status }) => status === 'DESTROYED'}
    >
      <Column
        source="client_name"
        label={t('users.deployments.name')}
        render={(deployment) => (
          <span className="who">
            <DeploymentLink deployment={deployment} /> <span className="small muted">#{deployment.id}</span>
          </span>
        )}
      />
      <Column label={t('users.deployments.owner')} render={(deployment) => <OwnerLink deployment={deployment} />} />
      <Column
        source="status"
        label={t('users.deployments.status')}
        render={({ status, deleted_at: deletedAt, ended, failure, worst_incident: incident, user_id: ownerId }) => (
          <span className="row wrap">
            <StatusLabel {...{ status, deletedAt, ended, failure, incident, ownerId }} />
          </span>
        )}
      />
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
        label={t('users.deployments.cost')}
        align="right"
        render={({ daily_cost: cost, ended }) =>
          ended === null ? money(cost, { rounding: 'price' }) : <span className="muted">{t('layout.none')}</span>
        }
      />
      <Column
        className="c-ends"
        label={t('users.deployments.ends')}
        render={(deployment) => <EndDate deployment={deployment} ends={ends} />}
      />
      <Column
        source="created_at"
        label={t('users.deployments.created')}
        render={({ created_at: at }) => <span title={exactInstant(at)}>{dayWithYear(at)}</span>}
      />
    </DataTable>
  );
}

const Package = ({ deployment }: { deployment: DeploymentAnswer }) => useNames(deployment).packageName;

const Place = ({ deployment }: { deployment: DeploymentAnswer }) => useNames(deployment).place;
