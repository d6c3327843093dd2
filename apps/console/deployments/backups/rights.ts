import type { Deployment } from '../../data/deployments';
import { useSession, useView } from '../../data/session';

export interface Rights {
  /** Backing up now, and a new deployment from a copy. */
  readonly isOwner: boolean;
  /** Restoring in place and undoing it, which staff may do with a reason. */
  readonly mayRestore: boolean;
}

/** Returns what the user may do on this page. `deployment` is undefined once its entry is deleted. */
export function useRights(deployment: Pick<Deployment, 'user_id'> | undefined): Rights {
  const user = useSession()?.user;
  const isViewing = useView() !== null;
  const isAdmin = user?.is_admin === true;
  // who is no administrator gets nobody else's backups
  const isOwner = !isViewing && (deployment === undefined ? !isAdmin : deployment.user_id === user?.id);
  return { isOwner, mayRestore: !isViewing && deployment !== undefined && (isOwner || isAdmin) };
}
