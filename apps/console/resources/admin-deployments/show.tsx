import type { DeploymentAnswer } from '@moorage/contracts';
import { ShowBase, useShowContext } from 'react-admin';
import { Link, useParams } from 'react-router-dom';
import { useCatalogueNames } from '../../data/catalogue';
import { useRecent } from '../../data/recent';
import { useText } from '../../texts/console-i18n';
import { exactInstant } from '../../ui/dates';
import { hourlyPrice, money } from '../../ui/money';
import { StatusLabel } from '../../parts/status-label';
import { useTitle } from '../../ui/use-title';
import { AdminOnly } from '../../parts/admin-only';
import { Facts, RecordScreen } from '../../ui/record-screen';
import { messageText } from '../../texts/locale';
import { bothForms } from '../../ui/both-forms';
import { ButtonLink } from '../../ui/button-link';

const quiet = (): void => undefined;

/** Facts of a deployment for administrators. Its actions are on the dashboard. */
export default function DeploymentShow() {
  return (
    <AdminOnly>
      <ShowBase resource="admin-deployments" disableAuthentication queryOptions={{ onError: quiet }}>
        <DeploymentDetails />
      </ShowBase>
    </AdminOnly>
  );
}

function DeploymentDetails() {
  const t = useText();
  const { record: deployment, ...show } = useShowContext<DeploymentAnswer>();
  useRecent('deployment', Number(useParams().id), {
    name: deployment?.client_name,
    error: show.error,
  });
  const title = deployment === undefined ? undefined : deployment.client_name || `deployment-${deployment.id}`;
  useTitle(title ?? t('users.deployments.title'));
  const { cloud_provider: cloud = null, region = null } = deployment ?? {};
  const names = useCatalogueNames(cloud === null ? [] : [cloud]);
  const mono = (text: string | null) => (text === null ? null : <span className="mono">{text}</span>);
  return (
    <RecordScreen
      title={title}
      back={{ to: '/admin-deployments', label: t('users.deployments.back') }}
      failed={t('users.deployments.failed')}
      missing={t('users.deployments.not_found')}
      actions={
        <>
          <ButtonLink to={`/deployments/${deployment?.id ?? ''}/backups`}>{t('backups.title')}</ButtonLink>
          <ButtonLink to={`/dashboard?deployment=${deployment?.id ?? ''}`}>{t('users.deployments.open')}</ButtonLink>
        </>
      }
    >
      {deployment === undefined ? null : (
        <section className="card pad">
          <Facts
            rows={[
              [t('users.id'), deployment.id],
              [
                t('users.deployments.status'),
                <StatusLabel key="status" status={deployment.status} deletedAt={deployment.deleted_at} />,
              ],
              deployment.failure === null ? null : [t('users.deployments.reason'), messageText(deployment.failure)],
              [
                t('users.deployments.owner'),
                <Link key="owner" to={`/users/${deployment.user_id}/show`}>
                  {deployment.user?.username ?? `#${deployment.user_id}`}
                </Link>,
              ],
              [t('users.deployments.package'), names.packageName(deployment.package)],
              [
                t('users.deployments.provider'),
                cloud === null ? t('users.deployments.byovps') : names.providerName(cloud),
              ],
              [
                t('users.deployments.region'),
                cloud === null || region === null ? region : names.regionName(cloud, region),
              ],
              [t('users.deployments.instance'), deployment.instance_type],
              [t('users.deployments.address'), mono(deployment.vps_ip_address ?? deployment.instance_ip)],
              [t('users.deployments.domain'), mono(deployment.domain === null ? null : bothForms(deployment.domain))],
              [
                t('users.deployments.link'),
                deployment.access_link === null ? null : (
                  <a key="link" href={deployment.open_link ?? deployment.access_link} target="_blank" rel="noreferrer">
                    {deployment.access_link}
                  </a>
                ),
              ],
              [t('users.deployments.level'), t(`wizard.support.level${deployment.support_level}`)],
              [
                t('users.deployments.cost'),
                `${money(deployment.daily_cost, { rounding: 'half_up' })} (${hourlyPrice(deployment.hourly_cost)} / h)`,
              ],
              [t('users.deployments.created'), exactInstant(deployment.created_at)],
              deployment.deleted_at === null
                ? null
                : [t('users.deployments.deleted'), exactInstant(deployment.deleted_at)],
            ]}
          />
        </section>
      )}
    </RecordScreen>
  );
}
