import type { Deployment } from '../../data/deployments';
import { isCancelling } from '../../parts/deployment/deployment-messages';
import { UnpaidChip } from '../../parts/money/grace-left';
import { StatusLabel } from '../../parts/status-label';
import { useText } from '../../texts/console-i18n';
import { shortInstant } from '../../ui/dates';

const COUNTED = ['CREATING', 'PROVISIONING', 'RESTARTING'];

/** Status of a deployment with its current step, and what will happen or has happened to it. */
export function DeploymentState({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const { status, deleted_at, progress, user_id, grace_period_ends_at: waits, ended } = deployment;
  const isCounted = progress !== null && COUNTED.includes(status) && deleted_at === null;
  return (
    <span className="row wrap state">
      <StatusLabel
        status={status}
        deletedAt={deleted_at}
        ended={ended}
        progress={isCounted ? t('deployments.step_of', { number: progress.number, of: progress.of }) : undefined}
        yourTurn={progress?.action_required === true}
        incident={deployment.worst_incident}
        failure={deployment.failure}
        ownerId={user_id}
      />
      {waits === null ? null : <UnpaidChip until={waits} />}
      {isCancelling(deployment) ? <span className="small muted">{t('deployments.cancelling.row')}</span> : null}
      {ended?.reason === 'unpaid' ? (
        <span className="small muted">{t('deployments.ended.row', { date: shortInstant(ended.at) })}</span>
      ) : null}
    </span>
  );
}
