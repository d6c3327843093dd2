import {
  deployment,
  type DeploymentAnswer,
  type DeploymentEnding,
  type DeploymentMoveAnswer,
  type DeploymentStatusAnswer,
} from '@moorage/contracts';
import {
  type Deployment,
  type DeploymentRow,
  failureOf,
  type Run,
  type User,
  type Viewer,
  visibleTo,
} from '@moorage/database';
import {
  accessLink,
  actionsOf,
  dailyPrice,
  type DeploymentAction,
  displayName,
  DomainError,
  IN_FLIGHT,
  INCIDENT_RULES,
  type IncidentKind,
  isActionOf,
  type Instant,
  iso,
  isoOrNull,
  lockedReason,
  Money,
  openLink,
  ORDER_MESSAGES,
  progressInBrief,
  statusLabel,
  WHILE_MOVING,
  worstKind,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { WAITS_FOR_OWNER } from './action-required.sql';

export type { Viewer };

/** Columns from which a response is built. None of them is a secret. */
export interface ViewRow extends DeploymentRow, Pick<User, 'username' | 'email'> {
  readonly hourly_micros: string;
  readonly grace_period_ends_at: Instant | null;
  readonly unpaid_due_micros: string | null;
  readonly unpaid_available_micros: string | null;
  readonly unpaid_ended_at: Instant | null;
  readonly server_unseen_since: Instant | null;
  readonly open_incidents: readonly IncidentKind[];
  readonly password_set: boolean;
  readonly run: BriefRun | null;
  readonly move: BriefMove | null;
}

/** The current run. */
interface BriefRun extends Pick<Run, 'plan' | 'steps' | 'position'> {
  /** True if the run is waiting for the deployment's owner. */
  readonly action_required: boolean;
}

/** The move or clone from or to it. Instants in milliseconds. */
type BriefMove = Omit<DeploymentMoveAnswer, 'remove_at'> & { readonly remove_at: Instant | null };

/** Name under which the database password is sealed, next to the sealed env values (decisions 25). */
export const POSTGRES_PASSWORD = 'POSTGRES_PASSWORD';

export const VIEW_COLUMNS = `d.*, host(d.vps_ip_address) as vps_ip_address, host(d.instance_ip) as instance_ip,
  host(d.komodo_host_ip) as komodo_host_ip, u.username, u.email,
  coalesce(m.hourly_micros, 0)::text as hourly_micros, m.grace_period_ends_at, e.due_micros::text as unpaid_due_micros,
  e.available_micros::text as unpaid_available_micros, e.ended_at as unpaid_ended_at,
  (select v.missed_at from servers v join provider_breakers b on b.provider = v.provider
   where v.deployment_id = d.id and v.state = 'exists' and b.opened_at is not null) as server_unseen_since,
  array(select i.kind from incidents i where i.deployment_id = d.id and i.ended_at is null and i.settled_at is null) as open_incidents,
  (select json_build_object('plan', r.plan, 'steps', r.steps, 'position', r.position,
     'action_required', ${WAITS_FOR_OWNER})
   from runs r where r.deployment_id = d.id and r.state = 'running') as run,
  (select json_build_object('kind', v.kind, 'state', v.state, 'source_id', v.source_id, 'target_id', v.target_id,
     'remove_at', (extract(epoch from v.remove_at) * 1000)::float8)
   from moves v where (v.source_id = d.id or v.target_id = d.id) and (v.state in ('running', 'waiting')
     or v.state = 'done' and v.kind = 'move' and v.source_id = d.id)
   order by v.id desc limit 1) as move,
  exists (select 1 from secrets s where s.owner = 'deployment:' || d.id and s.name = '${POSTGRES_PASSWORD}') as password_set`;

/** Joins to rows of `d`, which are deployments. */
export const VIEW_JOINS = `join users u on u.id = d.user_id left join meters m on m.deployment_id = d.id
  left join unpaid_endings e on e.deployment_id = d.id`;
export const VIEW_TABLES = `deployments d ${VIEW_JOINS}`;

/** The same NOT_FOUND for a deployment that does not exist, was deleted, or belongs to another user. */
export function notFound(): DomainError {
  return new DomainError('NOT_FOUND', ORDER_MESSAGES.deployment_unknown);
}

/**
 * Returns the deployment's row of `select`, a query over `deployments d` without its `where`. Throws NOT_FOUND if the
 * viewer may not see the deployment.
 */
export async function oneDeployment<R extends object>(
  tx: Tx,
  select: string,
  { id, viewer }: { id: number; viewer: Viewer },
): Promise<R> {
  const visible = visibleTo(viewer, { column: 'd.user_id', firstParameter: 2 });
  const [row] = await tx.query<R>(`${select} where d.id = $1 and d.status <> 'DELETED' and ${visible.sql}`, [
    id,
    ...visible.params,
  ]);
  if (row === undefined) throw await missing(tx, id, viewer);
  return row;
}

/** Returns the error for a deployment that cannot be viewed. Those who could view it before learn that it was deleted. */
async function missing(tx: Tx, id: number, viewer: Viewer): Promise<DomainError> {
  const visible = visibleTo(viewer, { column: 'd.user_id', firstParameter: 2 });
  const [deleted] = await tx.query<Pick<Deployment, 'client_name'>>(
    `select d.client_name from deployments d where d.id = $1 and d.status = 'DELETED' and ${visible.sql}`,
    [id, ...visible.params],
  );
  return deleted === undefined
    ? notFound()
    : new DomainError('NOT_FOUND', ORDER_MESSAGES.deployment_deleted({ name: deleted.client_name }));
}

export function viewDeployment(tx: Tx, id: number, viewer: Viewer): Promise<ViewRow> {
  return oneDeployment(tx, `select ${VIEW_COLUMNS} from ${VIEW_TABLES}`, { id, viewer });
}

/** Returns the account that pays for a deployment that the viewer may act on. */
export async function ownerOf(tx: Tx, id: number, viewer: Viewer): Promise<number> {
  const row = await oneDeployment<Pick<Deployment, 'user_id'>>(tx, 'select d.user_id from deployments d', {
    id,
    viewer,
  });
  return row.user_id;
}

/** Columns that responses contain unchanged. `deploymentAnswer` converts those with another type in the contract. */
type Unchanged = {
  [Name in keyof DeploymentAnswer & keyof DeploymentRow]-?: DeploymentRow[Name] extends DeploymentAnswer[Name]
    ? Name
    : never;
}[keyof DeploymentAnswer & keyof DeploymentRow];

function unchanged(row: ViewRow): Pick<ViewRow, Unchanged> {
  const names = Object.keys(deployment.shape).filter((name) => Object.hasOwn(row, name));
  return Object.fromEntries(names.map((name) => [name, row[name as keyof ViewRow]])) as Pick<ViewRow, Unchanged>;
}

/** Converts a deployment for responses. The contract is the only list of fields that responses contain. */
export function deploymentAnswer(
  row: ViewRow,
  { viewer, sandbox, publicUrl }: { viewer: Viewer; sandbox: boolean; publicUrl: string },
): DeploymentAnswer {
  const hourly = Money.fromMicrosText(row.hourly_micros);
  const cancelling = row.desired === 'destroyed' && IN_FLIGHT.includes(row.status) && row.status !== 'DESTROYING';
  const isMoving = row.move?.source_id === row.id && row.move.state !== 'done';
  return {
    ...unchanged(row),
    client_name: displayName(row),
    status_label: statusLabel(row.status, row.deleted_at, row.destroy_reason === 'handed_over'),
    failure: failureOf(row),
    access_link: accessLink(row),
    open_link: sandbox ? openLink(accessLink(row), publicUrl) : null,
    actions: cancelling
      ? []
      : actionsOf(row.status)
          .filter((action) => isActionNow(row, action))
          .filter((action) => !isMoving || WHILE_MOVING.includes(action)),
    locked_reason: lockedReason(row.status)?.detail ?? null,
    hourly_cost: hourly.toWire(),
    daily_cost: dailyPrice(hourly).toWire(),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    deleted_at: row.deleted_at === null ? null : iso(row.deleted_at),
    grace_period_ends_at: row.grace_period_ends_at === null ? null : iso(row.grace_period_ends_at),
    cancelling,
    move: row.move === null ? null : { ...row.move, remove_at: isoOrNull(row.move.remove_at) },
    ended: endingOf(row),
    undo_until: row.undo_until === null ? null : iso(row.undo_until),
    worst_incident: worstIncident(row),
    server_unseen_since: row.server_unseen_since === null ? null : iso(row.server_unseen_since),
    sandbox,
    progress: briefProgress(row.run),
    ...(viewer.isAdmin ? { user: { username: row.username, email: row.email } } : {}),
    postgres_password: { set: row.password_set },
  };
}

function worstIncident({ open_incidents: open }: ViewRow): DeploymentAnswer['worst_incident'] {
  const kind = worstKind(open);
  return kind === null ? null : { kind, severity: INCIDENT_RULES[kind].severity };
}

/** Returns whether an action of the status applies to this deployment. */
function isActionNow({ server_type, undo_until, open_incidents }: ViewRow, action: DeploymentAction): boolean {
  if (action === 'start_server' && !open_incidents.includes('server_off')) return false;
  return isActionOf(server_type, action) && (action !== 'restore_deleted' || undo_until !== null);
}

/** Returns why and since when the deployment has cost nothing, or null if it still costs or will cost. */
function endingOf(row: ViewRow): DeploymentAnswer['ended'] {
  if (row.desired === 'running' && row.status !== 'FAILED') return null;
  const at = iso(row.unpaid_ended_at ?? row.billable_to ?? row.deleted_at ?? row.updated_at);
  const { unpaid_due_micros: due, unpaid_available_micros: available } = row;
  const money = {
    due: due === null ? null : Money.fromMicrosText(due).toWire(),
    available: available === null ? null : Money.fromMicrosText(available).toWire(),
  };
  return { reason: reasonOf(row), at, ...money };
}

function reasonOf({ destroy_reason, lost_from }: ViewRow): DeploymentEnding['reason'] {
  if (lost_from !== null) return 'lost';
  return destroy_reason === null ? 'failed' : destroy_reason === 'depleted' ? 'unpaid' : destroy_reason;
}

/** Returns the number of the current step, the number of steps, and whether the run is waiting for the owner. */
function briefProgress(run: BriefRun | null): DeploymentAnswer['progress'] {
  const brief = run === null ? null : progressInBrief(run);
  return run === null || brief === null ? null : { ...brief, action_required: run.action_required };
}

export function statusAnswer(row: ViewRow): DeploymentStatusAnswer {
  return {
    id: row.id,
    status: row.status,
    failure_reason: row.failure_reason,
    failure: failureOf(row),
    deleted_at: row.deleted_at === null ? null : iso(row.deleted_at),
    instance_ip: row.instance_ip,
    vps_ip_address: row.vps_ip_address,
    version: row.version,
  };
}
