import type { DeploymentRow } from '@moorage/database';
import {
  actionsOf,
  CHANGE_MESSAGES,
  type DeploymentAction,
  DomainError,
  lockedReason,
  LOG_MESSAGES,
  MOVE_MESSAGES,
  ORDER_MESSAGES,
  RESIZE_MESSAGES,
  statusMessage,
  UPDATE_MESSAGES,
  WATCH_MESSAGES,
  WHILE_MOVING,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { notFound } from './deployment-view';
import { refuseMoving } from './moving';

const REFUSED = {
  restart: ORDER_MESSAGES.not_restarted,
  retry_dns: ORDER_MESSAGES.not_validated,
  change_level: ORDER_MESSAGES.not_moved,
  delete: ORDER_MESSAGES.not_deleted,
  deactivate: ORDER_MESSAGES.not_deactivated,
  cancel: ORDER_MESSAGES.not_cancelled,
  change_domain: ORDER_MESSAGES.domain_not_changed,
  restore_deleted: ORDER_MESSAGES.not_restored,
  configure: CHANGE_MESSAGES.not_configured,
  hand_over: ORDER_MESSAGES.not_handed_over,
  resize: RESIZE_MESSAGES.not_resized,
  update: UPDATE_MESSAGES.not_updated,
  reboot: UPDATE_MESSAGES.not_rebooted,
  manage_keys: ORDER_MESSAGES.keys_not_changed,
  restart_container: LOG_MESSAGES.not_restarted,
  manage_domains: ORDER_MESSAGES.domains_not_managed,
  move: MOVE_MESSAGES.not_moved,
  clone: MOVE_MESSAGES.not_cloned,
  start_server: WATCH_MESSAGES.not_started,
} as const satisfies Readonly<Record<DeploymentAction, unknown>>;

/**
 * Throws DEPLOYMENT_STATE unless the status allows the action. The same table decides which buttons the console shows.
 */
export function refuseState(row: Pick<DeploymentRow, 'status' | 'deleted_at'>, action: DeploymentAction): void {
  if (row.status === 'DELETED') throw notFound();
  if (actionsOf(row.status).includes(action)) return;
  const status = statusMessage(row.status, row.deleted_at);
  throw new DomainError('DEPLOYMENT_STATE', lockedReason(row.status) ?? REFUSED[action]({ status }));
}

/**
 * Throws DEPLOYMENT_STATE unless the status allows the action and no move or clone of the deployment prevents it. Call
 * it with the deployment's lock.
 */
export async function refuseAction(
  tx: Tx,
  row: Pick<DeploymentRow, 'id' | 'status' | 'deleted_at'>,
  action: DeploymentAction,
): Promise<void> {
  refuseState(row, action);
  if (!WHILE_MOVING.includes(action)) await refuseMoving(tx, row.id);
}

/** Returns whether `refuseAction` permits the action. */
export async function allowsAction(
  tx: Tx,
  row: Pick<DeploymentRow, 'id' | 'status' | 'deleted_at'>,
  action: DeploymentAction,
): Promise<boolean> {
  try {
    await refuseAction(tx, row, action);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
