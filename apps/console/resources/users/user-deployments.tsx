import type { AdminUserAnswer, DeploymentAnswer } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { SectionCard, Loaded } from '../../ui/card';
import { DataTable } from '../../ui/data-table';
import { useCatalogueNames } from '../../data/catalogue';
import { useUserDeployments } from './user-records';
import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';
import { StatusLabel } from '../../parts/status-label';

const Column = DataTable.Col<DeploymentAnswer>;

/** Most recent deployments of an account. */
export function UserDeployments({ user: { id, username } }: { user: AdminUserAnswer }) {
  const t = useText();
  const { packageName } = useCatalogueNames([]);
  return (
    <SectionCard
      id="deployments"
      title={t('person.deployments.title')}
      aside={
        <Link
          to={`/dashboard?user=${encodeURIComponent(username)}`}
          aria-label={t('person.deployments.all_of', { name: username })}
        >
          {t('person.deployments.all')}
        </Link>
      }
    >
      <Loaded query={useUserDeployments(id)} failed={t('person.deployments.failed')}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="pad muted">{t('person.deployments.none')}</p>
          ) : (
            <DataTable label={t('person.deployments.title')} rows={rows}>
              <Column
                label={t('users.deployments.name')}
                render={({ id: deployment, client_name: name }) => (
                  <Link className="name" to={`/admin-deployments/${deployment}/show`}>
                    {name}
                  </Link>
                )}
              />
              <Column label={t('users.deployments.package')} render={(deployment) => packageName(deployment.package)} />
              <Column
                label={t('users.deployments.status')}
                render={({ status, deleted_at: deletedAt, ended, failure }) => (
                  <StatusLabel status={status} deletedAt={deletedAt} ended={ended} failure={failure} />
                )}
              />
              <Column
                label={t('users.deployments.cost')}
                render={({ daily_cost: cost, ended }) =>
                  ended === null ? (
                    money(cost, { rounding: 'price' })
                  ) : (
                    <span className="muted">{t('layout.none')}</span>
                  )
                }
              />
            </DataTable>
          )
        }
      </Loaded>
    </SectionCard>
  );
}
