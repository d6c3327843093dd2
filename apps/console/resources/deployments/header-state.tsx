import type { Deployment } from '../../data/deployments';
import { UnpaidChip } from '../../parts/money/grace-left';
import { StatusLabel } from '../../parts/status-label';
import { LockMark } from './lock-mark';

/** Status of a deployment in a header, with its unpaid time and its lock. */
export function HeaderState({ deployment }: { deployment: Deployment }) {
  const { status, deleted_at: deletedAt, progress, user_id: ownerId, grace_period_ends_at: waits } = deployment;
  return (
    <>
      <StatusLabel
        status={status}
        deletedAt={deletedAt}
        ended={deployment.ended}
        yourTurn={progress?.action_required === true}
        incident={deployment.worst_incident}
        failure={deployment.failure}
        ownerId={ownerId}
      />
      {waits === null ? null : <UnpaidChip until={waits} />}
      {deployment.deletion_locked ? <LockMark /> : null}
    </>
  );
}
