import type { DeploymentAnswer } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { DataTable, useListContext } from 'react-admin';
import { Link } from 'react-router-dom';
import { useTitle } from '../ui/use-title';
import { useCatalogueNames } from '../data/catalogue';
import { useText } from '../texts/console-i18n';
import { dayWithYear, exactInstant } from '../ui/dates';
import { money } from '../ui/money';
import { StatusLabel } from '../ui/status-label';
import { AdminList } from './admin-list';
import { ListScreen } from './list-screen';

const Column = DataTable.Col<DeploymentAnswer>;

/** Everything that anybody has deployed, for administrators: sortable, plain. The daily work is on the dashboard. */
export default function DeploymentList() {
  return (
    <AdminList resource="deployments" sort={{ field: 'created_at', order: 'DESC' }}>
      <Deployments />
    </AdminList>
  );
}

function Deployments() {
  const t = useText();
  useTitle(t('users.deployments.title'));
  return (
    <ListScreen<DeploymentAnswer>
      title={t('users.deployments.title')}
      searchLabel={t('users.deployments.search')}
      searchShort={t('users.deployments.search_short')}
      failed={t('users.deployments.failed')}
      emptyText={(search) =>
        search === '' ? t('users.deployments.empty_all') : t('users.deployments.empty', { search })
      }
      emptyHint={t('users.deployments.search')}
      table={<DeploymentsTable />}
      card={(deployment) => <DeploymentCard deployment={deployment} />}
      pageSizes={CONSTANTS.dashboardPageSizes}
    />
  );
}

function DeploymentsTable() {
  const t = useText();
  const names = useNames();
  return (
    <DataTable<DeploymentAnswer> bulkActionButtons={false} rowClick={false}>
      <Column source="id" label={t('users.id')} disableSort align="right" className="mono-id" />
      <Column
        source="client_name"
        label={t('users.deployments.name')}
        render={(deployment) => <Name deployment={deployment} />}
      />
      <Column
        label={t('users.deployments.owner')}
        render={({ user, user_id: id }) => (
          <Link className="name plain" to={`/users/${id}/show`}>
            {user?.username ?? `#${id}`}
          </Link>
        )}
      />
      <Column
        source="package"
        label={t('users.deployments.package')}
        render={(deployment) => names.packageName(deployment.package)}
      />
      <Column
        source="cloud_provider"
        label={t('users.deployments.provider')}
        render={(deployment) => names.place(deployment)}
      />
      <Column
        source="status"
        label={t('users.deployments.status')}
        render={({ status, deleted_at: deletedAt }) => <StatusLabel status={status} deletedAt={deletedAt} />}
      />
      <Column
        label={t('users.deployments.cost')}
        align="right"
        render={({ daily_cost: cost }) => money(cost, { rounding: 'half_up' })}
      />
      <Column
        source="created_at"
        label={t('users.deployments.created')}
        render={({ created_at: at }) => <span title={exactInstant(at)}>{dayWithYear(at)}</span>}
      />
    </DataTable>
  );
}

/** As the catalogue calls packages and clouds; the cards and the table ask it once between them. */
function useNames() {
  const t = useText();
  const { data } = useListContext<DeploymentAnswer>();
  const clouds = [...new Set((data ?? []).flatMap(({ cloud_provider: cloud }) => cloud ?? []))];
  const { packageName, providerName } = useCatalogueNames(clouds);
  return {
    packageName,
    place: ({ cloud_provider: cloud }: DeploymentAnswer): string =>
      cloud === null ? t('users.deployments.byovps') : providerName(cloud),
  };
}

function Name({ deployment: { id, client_name: name } }: { deployment: DeploymentAnswer }) {
  return (
    <Link className="name" to={`/deployments/${id}/show`}>
      {name === '' ? `deployment-${id}` : name}
    </Link>
  );
}

function DeploymentCard({ deployment }: { deployment: DeploymentAnswer }) {
  const names = useNames();
  return (
    <>
      <div className="row">
        <span className="grow">
          <Name deployment={deployment} />
        </span>
        <span className="muted small">#{deployment.id}</span>
      </div>
      <p>
        <StatusLabel status={deployment.status} deletedAt={deployment.deleted_at} />
      </p>
      <p className="soft">
        {names.packageName(deployment.package)}, {names.place(deployment)}
      </p>
      <div className="row">
        <Link className="name plain grow" to={`/users/${deployment.user_id}/show`}>
          {deployment.user?.username ?? `#${deployment.user_id}`}
        </Link>
        <b>{money(deployment.daily_cost, { rounding: 'half_up' })}</b>
      </div>
    </>
  );
}
