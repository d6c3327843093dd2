import type { DeploymentAnswer } from '@moorage/contracts';
import { ShowBase, useShowContext } from 'react-admin';
import { useParams } from 'react-router-dom';
import { useRecent } from '../../data/recent';
import { useText } from '../../texts/console-i18n';
import { useTitle } from '../../ui/use-title';
import { AdminOnly } from '../../parts/admin-only';
import { RecordScreen } from '../../ui/record-screen';
import { ButtonLink } from '../../ui/button-link';
import { DeploymentFacts } from './deployment-facts';

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
          <DeploymentFacts deployment={deployment} />
        </section>
      )}
    </RecordScreen>
  );
}
