import { event } from '@moorage/contracts';
import {
  type Actor,
  BILLABLE,
  DEPLOYMENT_STATUSES,
  type DeploymentStatus,
  DomainError,
  type Instant,
  iso,
  mayMove,
  mayReturn,
  type Message,
  OPENS_INTERVAL,
  ORDER_MESSAGES,
} from '@moorage/domain';
import type { Outbox } from '@moorage/messaging';
import type { Tx } from '@moorage/server';
import type { Deployment } from './entities';
import { failureOf, messageColumns } from './stored-messages';

/** A row of `deployments` as SQL returns it (instants in milliseconds, amounts as text). */
export type DeploymentRow = Readonly<Deployment>;

/** Columns that may be written together with a move. All other columns have their own writers. */
export interface MoveChanges {
  failure?: Message | null;
  desired?: 'running' | 'destroyed';
  destroy_reason?: DeploymentRow['destroy_reason'];
  restart_from?: DeploymentStatus | null;
  lost_from?: DeploymentStatus | null;
  deleted_from?: DeploymentStatus | null;
  undo_until?: Instant | null;
  server_exists?: boolean;
  instance_ip?: string | null;
  deleted_at?: Instant | null;
  dns_retried_at?: Instant;
  restarted_at?: Instant;
  /**
   * End of the billable interval if it is earlier than the move (a grace period, a confirmed loss). It requires an open
   * interval and is never later than `at`. A move to a status that is not billable always closes an open interval.
   */
  billable_to?: Instant;
}

export interface Move {
  readonly to: DeploymentStatus;
  readonly by: Actor;
  /** Time of the move, which also opens the billable interval if the new status is billable. */
  readonly at: Instant;
  readonly changes?: MoveChanges;
}

const MOVE_COLUMNS: readonly Exclude<keyof MoveChanges, 'failure'>[] = [
  'desired',
  'destroy_reason',
  'restart_from',
  'lost_from',
  'deleted_from',
  'undo_until',
  'server_exists',
  'instance_ip',
  'deleted_at',
  'dns_retried_at',
  'restarted_at',
];
const INSTANT_COLUMNS: readonly (keyof MoveChanges)[] = ['undo_until', 'deleted_at', 'dns_retried_at', 'restarted_at'];

/**
 * Returns the end of an open interval. It is not after the transaction that ends it and not before the start of the
 * interval.
 */
function endOfInterval(row: DeploymentRow, { at, billable_to = at }: { at: Instant; billable_to?: Instant }): string {
  return iso(Math.max(Math.min(billable_to, at), row.billable_from ?? at));
}

/** Records each change of an interval with its actor and reason, because intervals determine the charges. */
async function recordInterval(
  tx: Tx,
  before: DeploymentRow,
  after: DeploymentRow,
  { at, actor, reason }: { at: Instant; actor: Actor; reason: string },
): Promise<void> {
  const { id, user_id, billable_from, billable_to } = after;
  if (billable_from === null) return;
  if (billable_from === before.billable_from && billable_to === before.billable_to) return;
  await tx.execute(
    `insert into interval_changes (deployment_id, user_id, billable_from, billable_to, actor, reason, written_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, user_id, iso(billable_from), billable_to === null ? null : iso(billable_to), actor, reason, iso(at)],
  );
}

/** Values by column. */
type Columns = Record<string, string | boolean | null>;

const isOpen = (row: DeploymentRow): boolean => row.billable_from !== null && row.billable_to === null;

/** Changes statuses and billable intervals. No other code may write them. */
export class Deployments {
  private readonly outbox: Outbox;

  constructor({ outbox }: { outbox: Outbox }) {
    this.outbox = outbox;
  }

  /** Locks a row and returns it, or null. The lock order is always the wallet first, then the deployment. */
  async lock(tx: Tx, id: number): Promise<DeploymentRow | null> {
    const [row] = await tx.query<DeploymentRow>(
      'select *, host(vps_ip_address) as vps_ip_address, host(instance_ip) as instance_ip from deployments where id = $1 for update',
      [id],
    );
    return row ?? null;
  }

  /**
   * Moves a deployment to another status.
   *
   * The update compares and sets the version of `row`. The transition and its actor are checked, the interval is opened
   * or closed as the new status requires (`BILLABLE`), and `deployment.status_changed` is appended.
   *
   * @throws DomainError `DEPLOYMENT_STATE` (409) on a version conflict or a forbidden transition
   */
  async move(tx: Tx, row: DeploymentRow, move: Move): Promise<DeploymentRow> {
    const { to, by, at, changes = {} } = move;
    const returns = (row.status === 'FAILED' || row.status === 'DESTROYING') && BILLABLE.includes(to);
    if (!DEPLOYMENT_STATUSES.includes(to) || !mayMove(row.status, to, by) || (returns && !mayReturn(row, to))) {
      throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.deployment_edge({ from: row.status, to }));
    }
    const columns = columnsOf(row, move, { returns });
    const back = row.status === 'FAILED' ? 'server found again' : 'delete undone';
    const reason = returns ? back : (changes.destroy_reason ?? row.destroy_reason ?? to);
    const after = await this.update(tx, row, columns, { at, actor: by, reason });
    await this.outbox.append(
      tx,
      event('deployment.status_changed', row.id, {
        deployment_id: row.id,
        user_id: row.user_id,
        client_name: row.client_name,
        package: row.package,
        from: row.status,
        to,
        version: after.version,
        failure_reason: after.failure_reason,
        failure: failureOf(after),
        billable_from: after.billable_from === null ? null : iso(after.billable_from),
        billable_to: after.billable_to === null ? null : iso(after.billable_to),
      }),
    );
    return after;
  }

  /**
   * Marks a deployment in flight, which the provisioner unwinds at the next step boundary. Its interval is closed at
   * `billable_to`, otherwise at `at`.
   */
  async markDestroyed(
    tx: Tx,
    row: DeploymentRow,
    mark: { at: Instant; by: Actor; reason: 'depleted' | 'account' | 'deleted' | 'handed_over'; billable_to?: Instant },
  ): Promise<DeploymentRow> {
    const { at, by, reason, billable_to } = mark;
    if (row.desired === 'destroyed') return row;
    const columns: Columns = {
      desired: 'destroyed',
      destroy_reason: reason,
      updated_at: iso(at),
    };
    if (isOpen(row))
      columns.billable_to = endOfInterval(row, { at, ...(billable_to === undefined ? {} : { billable_to }) });
    return this.update(tx, row, columns, { at, actor: by, reason });
  }

  /**
   * Moves the end of a closed interval to an earlier time because its last hours were never paid. Nothing is owed for
   * them. The interval is never extended.
   */
  async shortenInterval(
    tx: Tx,
    row: DeploymentRow,
    { at, by, billable_to }: { at: Instant; by: Actor; billable_to: Instant },
  ): Promise<DeploymentRow> {
    if (row.billable_to === null || row.billable_to <= billable_to) return row;
    const columns = { billable_to: iso(billable_to), updated_at: iso(at) };
    return this.update(tx, row, columns, { at, actor: by, reason: 'not covered' });
  }

  private async update(
    tx: Tx,
    row: DeploymentRow,
    columns: Columns,
    change: { at: Instant; actor: Actor; reason: string },
  ): Promise<DeploymentRow> {
    const names = Object.keys(columns);
    const sets = names.map((name, index) => `${name} = $${index + 3}`).join(', ');
    const [after] = await tx.query<DeploymentRow>(
      `update deployments set version = version + 1, ${sets} where id = $1 and version = $2 returning *, host(vps_ip_address) as vps_ip_address, host(instance_ip) as instance_ip`,
      [row.id, row.version, ...Object.values(columns)],
    );
    if (after === undefined) throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.deployment_changed);
    await recordInterval(tx, row, after, change);
    return after;
  }
}

/** Returns the columns that a move writes. `returns` is true for a deployment that comes back after it had ended. */
function columnsOf(row: DeploymentRow, { to, at, changes = {} }: Move, { returns }: { returns: boolean }): Columns {
  const columns: Columns = { status: to, updated_at: iso(at) };
  const { billable_to, ...others } = changes;
  const wanted = (others.desired ?? row.desired) === 'running';
  if (row.billable_from === null && OPENS_INTERVAL.includes(to) && wanted) columns.billable_from = iso(at);
  if (isOpen(row) && (billable_to !== undefined || !BILLABLE.includes(to)))
    columns.billable_to = endOfInterval(row, { at, ...(billable_to === undefined ? {} : { billable_to }) });
  // The gap is part of the prices (`ratesAcrossGap`), which the ledger has written before the return.
  if (returns && row.billable_from !== null) columns.billable_to = null;
  if (changes.failure !== undefined)
    [columns.failure_reason, columns.failure_code, columns.failure_facts] = messageColumns(changes.failure);
  for (const name of MOVE_COLUMNS) {
    const value = changes[name];
    if (value === undefined) continue;
    columns[name] =
      INSTANT_COLUMNS.includes(name) && typeof value === 'number' ? iso(value) : (value as string | boolean | null);
  }
  return columns;
}

/** Ends the time in which a delete can be undone, so that the removal begins. Requires the deployment's lock. */
export async function endUndo(tx: Tx, id: number, at: Instant): Promise<void> {
  await tx.execute(
    'update deployments set undo_until = null, updated_at = $2, version = version + 1 where id = $1 and undo_until is not null',
    [id, iso(at)],
  );
}
