import { ORDER_MESSAGES } from '../messages/order';
import { type Message, named } from '../messages/message';

/** The life of a deployment as tables (decisions 22): labels, edges, and who may take each. */
export const DEPLOYMENT_STATUSES = [
  'CREATING',
  'PROVISIONING',
  'ACTIVE',
  'DNS_VALIDATION',
  'READY',
  'DNS_FAILED',
  'RESTARTING',
  'DESTROYING',
  'FAILED',
  'DESTROYED',
  'DELETED',
] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

/** Who takes an edge: a person through the api, the provisioner's facts, or the clock in billing. */
export type Actor = 'api' | 'provisioner' | 'billing';

export interface Edge {
  readonly from: DeploymentStatus | null;
  readonly to: DeploymentStatus;
  readonly by: readonly Actor[];
}

const edge = (from: DeploymentStatus | null, to: DeploymentStatus, ...by: Actor[]): Edge => ({ from, to, by });

export const EDGES: readonly Edge[] = [
  edge(null, 'CREATING', 'api'),
  edge('CREATING', 'PROVISIONING', 'provisioner'),
  edge('CREATING', 'FAILED', 'provisioner'),
  edge('PROVISIONING', 'ACTIVE', 'provisioner'),
  edge('PROVISIONING', 'DNS_VALIDATION', 'provisioner'),
  edge('PROVISIONING', 'FAILED', 'provisioner'),
  edge('DNS_VALIDATION', 'READY', 'provisioner'),
  edge('DNS_VALIDATION', 'DNS_FAILED', 'provisioner'),
  // api: the owner's retry or another domain; provisioner: its own look found the records right (at most one per 15 minutes)
  edge('DNS_FAILED', 'DNS_VALIDATION', 'api', 'provisioner'),
  // its server has another address: the records have to follow
  edge('READY', 'DNS_VALIDATION', 'provisioner'),
  // api: the owner's delete or account preparation; billing: depletion
  edge('DNS_FAILED', 'DESTROYING', 'api', 'billing'),
  edge('ACTIVE', 'RESTARTING', 'api'),
  edge('READY', 'RESTARTING', 'api'),
  edge('ACTIVE', 'DESTROYING', 'api', 'billing'),
  edge('READY', 'DESTROYING', 'api', 'billing'),
  // "the state it came from": the caller passes the one stored when it left
  edge('RESTARTING', 'ACTIVE', 'provisioner'),
  edge('RESTARTING', 'READY', 'provisioner'),
  edge('RESTARTING', 'DNS_FAILED', 'provisioner'),
  // at the next step boundary, after a cancel, depletion or account preparation marked it
  edge('CREATING', 'DESTROYING', 'provisioner'),
  edge('PROVISIONING', 'DESTROYING', 'provisioner'),
  edge('DNS_VALIDATION', 'DESTROYING', 'provisioner'),
  edge('RESTARTING', 'DESTROYING', 'provisioner'),
  // "server lost"
  edge('ACTIVE', 'FAILED', 'provisioner'),
  edge('READY', 'FAILED', 'provisioner'),
  edge('DNS_VALIDATION', 'FAILED', 'provisioner'),
  edge('DNS_FAILED', 'FAILED', 'provisioner'),
  // an administrator, after a lost server was found again: only to where it was (`mayReturn`)
  edge('FAILED', 'ACTIVE', 'api'),
  edge('FAILED', 'READY', 'api'),
  edge('FAILED', 'DNS_VALIDATION', 'api'),
  edge('FAILED', 'DNS_FAILED', 'api'),
  edge('FAILED', 'DESTROYING', 'api'),
  edge('FAILED', 'DELETED', 'api'),
  edge('DESTROYING', 'DESTROYED', 'provisioner'),
  edge('DESTROYED', 'DELETED', 'api', 'provisioner'),
];

/** Is there an edge, and may this actor take it? */
export function mayMove(from: DeploymentStatus | null, to: DeploymentStatus, actor: Actor): boolean {
  return EDGES.some((e) => e.from === from && e.to === to && e.by.includes(actor));
}

/** A failed deployment leads back only when its server was lost, to where it was then, and while its owner wants it. */
export function mayReturn(
  row: { status: DeploymentStatus; lost_from: DeploymentStatus | null; desired: 'running' | 'destroyed' },
  to: DeploymentStatus,
): boolean {
  return row.status === 'FAILED' && row.lost_from === to && row.desired === 'running';
}

/** The console polls and nobody may act while one of these is on. */
export const IN_FLIGHT: readonly DeploymentStatus[] = [
  'CREATING',
  'PROVISIONING',
  'DNS_VALIDATION',
  'RESTARTING',
  'DESTROYING',
];

/** Statuses after which the single-deployment poll goes on (specification section 4). */
export const POLLED: readonly DeploymentStatus[] = ['CREATING', 'PROVISIONING', 'DNS_VALIDATION'];

/** The package answers at its address; a restart is over in a moment. */
export const RUNNING: readonly DeploymentStatus[] = ['ACTIVE', 'READY', 'RESTARTING'];

/** A billable interval is open in these; money itself reads the instants, never the status (decisions 4). */
export const BILLABLE: readonly DeploymentStatus[] = ['ACTIVE', 'DNS_VALIDATION', 'READY', 'DNS_FAILED', 'RESTARTING'];

/** The move into one of these opens the billable interval. */
export const OPENS_INTERVAL: readonly DeploymentStatus[] = ['ACTIVE', 'DNS_VALIDATION'];

/** Counts as "runs or creates" for the minimum to deploy and as active for deactivation (decisions 8, 19). */
export const ACTIVE_DEPLOYMENT: readonly DeploymentStatus[] = ['CREATING', 'PROVISIONING', ...BILLABLE];

export const LEVEL_CHANGEABLE: readonly DeploymentStatus[] = ['ACTIVE', 'READY', 'DNS_FAILED'];

/** The tabs of the list: everything, what a person must act on, what is being worked on, and what just runs. */
export const DEPLOYMENT_GROUPS = ['all', 'needs_you', 'in_progress', 'ready'] as const;
export type DeploymentGroup = (typeof DEPLOYMENT_GROUPS)[number];

const GROUPS: Readonly<Record<DeploymentStatus, Exclude<DeploymentGroup, 'all'> | null>> = {
  CREATING: 'in_progress',
  PROVISIONING: 'in_progress',
  ACTIVE: 'ready',
  DNS_VALIDATION: 'in_progress',
  READY: 'ready',
  DNS_FAILED: 'needs_you',
  RESTARTING: 'in_progress',
  DESTROYING: 'in_progress',
  FAILED: 'needs_you',
  DESTROYED: null,
  DELETED: null,
};

/** The group a status belongs to besides `all`; null: it is over. */
export function groupOf(status: DeploymentStatus): Exclude<DeploymentGroup, 'all'> | null {
  return GROUPS[status];
}

/** The statuses a list of this group shows; null: every one that is listed. */
export function statusesOf(group: DeploymentGroup): readonly DeploymentStatus[] | null {
  return group === 'all' ? null : DEPLOYMENT_STATUSES.filter((status) => GROUPS[status] === group);
}

/** Label of a status; a set `deleted_at` shows as Disabled whatever the status says. */
export function statusLabel(status: DeploymentStatus, deletedAt: unknown): string {
  return deletedAt === null || deletedAt === undefined ? LABELS[status] : 'Disabled';
}

export function statusMessage(status: DeploymentStatus, deletedAt: unknown): Message {
  const isDisabled = deletedAt !== null && deletedAt !== undefined;
  return named(`status.${isDisabled ? 'disabled' : status}`, statusLabel(status, deletedAt));
}

const LABELS: Readonly<Record<DeploymentStatus, string>> = {
  CREATING: 'Creating...',
  PROVISIONING: 'Provisioning...',
  ACTIVE: 'Ready',
  DNS_VALIDATION: 'Validating DNS...',
  READY: 'Ready',
  DNS_FAILED: 'DNS Setup Required',
  RESTARTING: 'Restarting...',
  DESTROYING: 'Deactivating...',
  FAILED: 'Failed',
  DESTROYED: 'Destroyed',
  DELETED: 'Deleted',
};

/** The last two are not in the specification's menu (decisions 51): the details offer them by buttons of their own. */
export type DeploymentAction =
  'delete' | 'deactivate' | 'restart' | 'retry_dns' | 'change_level' | 'cancel' | 'change_domain';

const ACTIONS: Readonly<Record<DeploymentStatus, readonly DeploymentAction[]>> = {
  CREATING: ['cancel'],
  PROVISIONING: ['cancel'],
  ACTIVE: ['restart', 'deactivate', 'change_level'],
  DNS_VALIDATION: ['cancel', 'change_domain'],
  READY: ['restart', 'deactivate', 'change_level'],
  DNS_FAILED: ['retry_dns', 'deactivate', 'change_level', 'change_domain'],
  RESTARTING: [],
  DESTROYING: [],
  FAILED: ['delete'],
  DESTROYED: ['delete'],
  DELETED: [],
};

export function actionsOf(status: DeploymentStatus): readonly DeploymentAction[] {
  return ACTIONS[status];
}

/** Why every action is off, in the specification's words; null when something may be done. */
export function lockedReason(status: DeploymentStatus): Message | null {
  if (status === 'DESTROYING') return ORDER_MESSAGES.locked_deactivation;
  return IN_FLIGHT.includes(status) ? ORDER_MESSAGES.locked_provisioning : null;
}
