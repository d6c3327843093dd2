import { BACKED_UP } from '../backups/backups';
import { HOUR_MS } from '../time';
import type { DeploymentStatus } from './status';

/**
 * Returns how long the server of a deployment is kept after its owner has deleted it in this status, in milliseconds.
 * During that time the delete can be undone. 0 means that the server is removed at once, as on a customer's own server.
 * `hours` is the setting DELETE_UNDO_HOURS.
 */
export function deleteUndoMs({
  hours,
  serverType,
  status,
}: {
  readonly hours: number;
  readonly serverType: 'new' | 'vps';
  readonly status: DeploymentStatus;
}): number {
  return serverType === 'new' && BACKED_UP.includes(status) ? hours * HOUR_MS : 0;
}
