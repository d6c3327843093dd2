import type { Deployment } from '../../../data/deployments';
import { useSession, useImpersonation } from '../../../data/session';

export interface Rights {
  /** May request a backup and create a deployment from a copy. */
  readonly isOwner: boolean;
  /** May restore in place and undo it. Staff may too, with a reason. */
  readonly mayRestore: boolean;
}

/** Returns what the user may do on this page. `deployment` is undefined once its entry is deleted. */
export function useRights(deployment: Pick<Deployment, 'user_id'> | undefined): Rights {
  const user = useSession()?.user;
  const isImpersonating = useImpersonation() !== null;
  const isAdmin = user?.is_admin === true;
  // A user who is not an administrator can load only their own backups.
  const isOwner = !isImpersonating && (deployment === undefined ? !isAdmin : deployment.user_id === user?.id);
  return { isOwner, mayRestore: !isImpersonating && deployment !== undefined && (isOwner || isAdmin) };
}
