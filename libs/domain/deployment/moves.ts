import { type BackupMode, BACKED_UP } from '../backups/backups';
import { refusalOfDisk } from '../backups/refusals';
import { MOVE_MESSAGES } from '../messages/moves';
import type { Message } from '../messages/message';
import { DAY_MS } from '../time';
import { ACTIVE_DEPLOYMENT, type DeploymentStatus } from './status';

/**
 * A `move` replaces its source, which is removed at the end. A `clone` keeps it. Both create a new deployment, the
 * target, with the data of the source.
 */
export const MOVE_KINDS = ['move', 'clone'] as const;
export type MoveKind = (typeof MOVE_KINDS)[number];

/**
 * `running` until the target is ready with the data. A move is then `waiting` until its source is removed. `cancelled`
 * means that the owner removed the target, and `failed` that it ended for another reason. The source stays in both
 * cases.
 */
export const MOVE_STATES = ['running', 'waiting', 'done', 'failed', 'cancelled'] as const;
export type MoveState = (typeof MOVE_STATES)[number];

/** States in which a move has not ended. A deployment has at most one such move. */
export const OPEN_MOVES: readonly MoveState[] = ['running', 'waiting'];

/** Time for which the old server keeps running after the new one is ready, unless its owner removes it earlier. */
export const MOVE_WAIT_MS = DAY_MS;

/**
 * Time for which the data of a move is stored if the support level has no backups: while the old server waits, and a
 * day longer.
 */
export const MOVE_COPY_MS = MOVE_WAIT_MS + DAY_MS;

/** Statuses of a target that runs with the data of its source. */
const ARRIVED: readonly DeploymentStatus[] = ['ACTIVE', 'READY'];

/** Ends of a target that are not failures. */
const BY_OWNER: readonly MovedDeployment['destroy_reason'][] = ['deleted', 'account', 'handed_over'];

/** Facts about the source or the target that decide how a move continues. */
export interface MovedDeployment {
  readonly status: DeploymentStatus;
  readonly desired: 'running' | 'destroyed';
  readonly destroy_reason: 'deleted' | 'depleted' | 'account' | 'failed' | 'handed_over' | null;
}

export interface OpenMove {
  readonly kind: MoveKind;
  readonly state: MoveState;
}

/** Returns whether a deployment runs or will run. */
const isAlive = ({ status, desired }: MovedDeployment): boolean =>
  desired === 'running' && ACTIVE_DEPLOYMENT.includes(status);

/**
 * Returns the next state of a move, or null if it stays as it is.
 *
 * A move does not end because its source no longer exists. If its data was copied before, the target becomes ready
 * without it.
 * Otherwise the target fails.
 */
export function nextStateOfMove(
  { kind, state }: OpenMove,
  { source, target }: { readonly source: MovedDeployment; readonly target: MovedDeployment },
): Exclude<MoveState, 'running'> | null {
  if (!OPEN_MOVES.includes(state)) return null;
  if (!isAlive(target)) {
    if (state === 'waiting' && !isAlive(source)) return 'done';
    const isRemoved = BY_OWNER.includes(target.destroy_reason);
    return isRemoved ? 'cancelled' : 'failed';
  }
  if (state === 'waiting') return isAlive(source) ? null : 'done';
  if (!ARRIVED.includes(target.status)) return null;
  return kind === 'move' && isAlive(source) ? 'waiting' : 'done';
}

/**
 * Returns why the source of a move cannot be removed now, or null if it can. It is never removed unless the target is
 * ready at this moment.
 */
export function refusalToRemoveSource(
  move: OpenMove | null,
  { source, target }: { readonly source: MovedDeployment; readonly target: MovedDeployment },
): Message | null {
  if (move?.kind !== 'move' || !OPEN_MOVES.includes(move.state)) return MOVE_MESSAGES.none;
  const hasArrived = isAlive(target) && ARRIVED.includes(target.status);
  if (move.state !== 'waiting' || !hasArrived) return MOVE_MESSAGES.not_ready;
  return isAlive(source) && BACKED_UP.includes(source.status) ? null : MOVE_MESSAGES.source_removed;
}

/** Returns why a move or clone cannot be cancelled now, or null if it can. Without a running source it cannot. */
export function refusalToCancelMove(
  move: OpenMove | null,
  { source }: { readonly source: MovedDeployment },
): Message | null {
  if (move === null || !OPEN_MOVES.includes(move.state)) return MOVE_MESSAGES.none;
  return isAlive(source) ? null : MOVE_MESSAGES.source_removed;
}

/** Returns why the data of a deployment cannot be transferred to a place, or null if it can. */
export function refusalOfTransfer({
  from,
  to,
}: {
  readonly from: BackupMode;
  readonly to: BackupMode;
}): Message | null {
  if (from === 'off' || to === 'off') return MOVE_MESSAGES.no_storage;
  if (from === to) return null;
  return from === 'simulated' ? MOVE_MESSAGES.simulated : MOVE_MESSAGES.real;
}

/**
 * Returns why the data does not fit the disk of a size, by the size of the newest backup. Null means that it fits, or
 * that one of the two is unknown.
 */
export function refusalOfMoveDisk(facts: {
  readonly bytes: number | null;
  readonly diskGb: number | null;
}): Message | null {
  const { needed } = refusalOfDisk(facts)?.facts ?? {};
  return needed === undefined ? null : MOVE_MESSAGES.disk({ needed });
}

/** Returns why a clone cannot have a domain, or null if it can. */
export function refusalOfCloneDomain({
  of,
  domain,
}: {
  readonly of: string | null;
  readonly domain: string | null;
}): Message | null {
  return of !== null && (domain === null || domain === of) ? MOVE_MESSAGES.clone_domain : null;
}
