import type { DeploymentAnswer } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { Link } from 'react-router-dom';
import { useCatalogueNames } from '../../data/catalogue';
import { useText } from '../../texts/console-i18n';
import { dayWithYear, exactInstant } from '../../ui/dates';
import { ListScreen } from '../../ui/list/list-screen';
import { money } from '../../ui/money';
import { StatusLabel } from '../../parts/status-label';
import { TwoFactorRequiredError } from '../../ui/two-factor-required';
import { AdminOnly } from '../../parts/admin-only';
import { StaleBackupsCard } from './stale-backups-card';

/** Plain, sortable list of all deployments for administrators. Daily work happens on the dashboard. */
export default function DeploymentList() {
  const t = useText();
  return (
    <AdminOnly>
      <ListScreen<DeploymentAnswer>
        resource="deployments"
        sort={{ field: 'created_at', order: 'DESC' }}
        above={<StaleBackupsCard />}
        texts={{
          title: t('users.deployments.title'),
          search: t('users.deployments.search'),
          searchShort: t('users.deployments.search_short'),
          failed: (error) => <TwoFactorRequiredError error={error} failed={t('users.deployments.failed')} />,
          empty: t('users.deployments.empty_all'),
          notFound: (search) => t('users.deployments.empty', { search }),
          notFoundHint: t('users.deployments.search'),
        }}
        columns={[
          { label: t('users.id'), align: 'right', className: 'mono-id', render: ({ id }) => id },
          {
            label: t('users.deployments.name'),
            sortBy: 'client_name',
            render: (deployment) => <Name deployment={deployment} />,
          },
          {
            label: t('users.deployments.owner'),
            render: ({ user, user_id: id }) => (
              <Link className="name plain" to={`/users/${id}/show`}>
                {user?.username ?? `#${id}`}
              </Link>
            ),
          },
          {
            label: t('users.deployments.package'),
            sortBy: 'package',
            render: (deployment) => <Package deployment={deployment} />,
          },
          {
            label: t('users.deployments.provider'),
            sortBy: 'cloud_provider',
            render: (deployment) => <Place deployment={deployment} />,
          },
          {
            label: t('users.deployments.status'),
            sortBy: 'status',
            render: ({ status, deleted_at: deletedAt }) => <StatusLabel status={status} deletedAt={deletedAt} />,
          },
          {
            label: t('users.deployments.cost'),
            align: 'right',
            render: ({ daily_cost: cost }) => money(cost, { rounding: 'half_up' }),
          },
          {
            label: t('users.deployments.created'),
            sortBy: 'created_at',
            render: ({ created_at: at }) => <span title={exactInstant(at)}>{dayWithYear(at)}</span>,
          },
        ]}
        card={(deployment) => <DeploymentCard deployment={deployment} />}
        pageSizes={CONSTANTS.dashboardPageSizes}
      />
    </AdminOnly>
  );
}

/** Returns the display names of package and provider. All rows share the request. */
function useNames({ package: name, cloud_provider: cloud }: DeploymentAnswer): { packageName: string; place: string } {
  const t = useText();
  const names = useCatalogueNames(cloud === null ? [] : [cloud]);
  return {
    packageName: names.packageName(name),
    place: cloud === null ? t('users.deployments.byovps') : names.providerName(cloud),
  };
}

const Package = ({ deployment }: { deployment: DeploymentAnswer }) => useNames(deployment).packageName;

const Place = ({ deployment }: { deployment: DeploymentAnswer }) => useNames(deployment).place;

function Name({ deployment: { id, client_name: name } }: { deployment: DeploymentAnswer }) {
  return (
    <Link className="name" to={`/deployments/${id}/show`}>
      {name === '' ? `deployment-${id}` : name}
    </Link>
  );
}

function DeploymentCard({ deployment }: { deployment: DeploymentAnswer }) {
  const { packageName, place } = useNames(deployment);
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
        {packageName}, {place}
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
