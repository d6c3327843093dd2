import type { DeploymentAnswer } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { useCatalogueNames } from '../../data/catalogue';
import { StatusLabel } from '../../parts/status-label';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { bothForms } from '../../ui/both-forms';
import { exactInstant } from '../../ui/dates';
import { hourlyPrice, money } from '../../ui/money';
import { Facts } from '../../ui/record-screen';

const mono = (text: string | null) => (text === null ? null : <span className="mono">{text}</span>);

/** Facts of a deployment for administrators. */
export function DeploymentFacts({ deployment }: { deployment: DeploymentAnswer }) {
  const t = useText();
  const { cloud_provider: cloud, region } = deployment;
  const names = useCatalogueNames(cloud === null ? [] : [cloud]);
  return (
    <Facts
      rows={[
        [t('users.id'), deployment.id],
        [
          t('users.deployments.status'),
          <StatusLabel
            key="status"
            status={deployment.status}
            deletedAt={deployment.deleted_at}
            ended={deployment.ended}
            failure={deployment.failure}
          />,
        ],
        deployment.failure === null ? null : [t('users.deployments.reason'), messageText(deployment.failure)],
        [
          t('users.deployments.owner'),
          <Link key="owner" to={`/users/${deployment.user_id}/show`}>
            {deployment.user?.username ?? `#${deployment.user_id}`}
          </Link>,
        ],
        [t('users.deployments.package'), names.packageName(deployment.package)],
        [t('users.deployments.provider'), cloud === null ? t('users.deployments.byovps') : names.providerName(cloud)],
        [t('users.deployments.region'), cloud === null || region === null ? region : names.regionName(cloud, region)],
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
          `${money(deployment.daily_cost, { rounding: 'price' })} (${hourlyPrice(deployment.hourly_cost)} / h)`,
        ],
        [t('users.deployments.created'), exactInstant(deployment.created_at)],
        deployment.deleted_at === null ? null : [t('users.deployments.deleted'), exactInstant(deployment.deleted_at)],
      ]}
    />
  );
}
