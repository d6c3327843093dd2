import { ORDER_MESSAGES } from '../messages/order';
import { type Message, named } from '../messages/message';
import type { Instant } from '../time';

/** Deployment lifecycle (decision 22), with labels, transitions, and who may perform them. */
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

/** Origin of a transition. Users act through the API, the provisioner reports facts, and billing acts on time. */
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
  // The API on the owner's retry or a new domain, the provisioner when its own check finds the records correct (at most
  // once per 15 minutes).
  edge('DNS_FAILED', 'DNS_VALIDATION', 'api', 'provisioner'),
  // The server has a new address, so the records must be updated.
  edge('READY', 'DNS_VALIDATION', 'provisioner'),
  // The API on the owner's delete or account preparation, billing on depletion.
  edge('DNS_FAILED', 'DESTROYING', 'api', 'billing'),
  edge('ACTIVE', 'RESTARTING', 'api'),
  edge('READY', 'RESTARTING', 'api'),
  edge('ACTIVE', 'DESTROYING', 'api', 'billing'),
  edge('READY', 'DESTROYING', 'api', 'billing'),
  // Return to the previous status, which the caller has stored.
  edge('RESTARTING', 'ACTIVE', 'provisioner'),
  edge('RESTARTING', 'READY', 'provisioner'),
  edge('RESTARTING', 'DNS_FAILED', 'provisioner'),
  // At the next step boundary after a cancel, depletion or account preparation.
  edge('CREATING', 'DESTROYING', 'provisioner'),
  edge('PROVISIONING', 'DESTROYING', 'provisioner'),
  edge('DNS_VALIDATION', 'DESTROYING', 'provisioner'),
  edge('RESTARTING', 'DESTROYING', 'provisioner'),
  // Server lost
  edge('ACTIVE', 'FAILED', 'provisioner'),
  edge('READY', 'FAILED', 'provisioner'),
  edge('DNS_VALIDATION', 'FAILED', 'provisioner'),
  edge('DNS_FAILED', 'FAILED', 'provisioner'),
  // An administrator, after a lost server was found again. Only to the previous status (`mayReturn`).
  edge('FAILED', 'ACTIVE', 'api'),
  edge('FAILED', 'READY', 'api'),
  edge('FAILED', 'DNS_VALIDATION', 'api'),
  edge('FAILED', 'DNS_FAILED', 'api'),
  edge('FAILED', 'DESTROYING', 'api'),
  edge('FAILED', 'DELETED', 'api'),
  edge('DESTROYING', 'DESTROYED', 'provisioner'),
  // The owner undoes the delete while the server is kept (`mayReturn`).
  edge('DESTROYING', 'RESTARTING', 'api'),
  edge('DESTROYED', 'DELETED', 'api', 'provisioner'),
];

/** Returns whether a transition exists and this actor may perform it. */
export function mayMove(from: DeploymentStatus | null, to: DeploymentStatus, actor: Actor): boolean {
  return EDGES.some((e) => e.from === from && e.to === to && e.by.includes(actor));
}

/** State that decides whether a deployment may return. */
interface Returnable {
  readonly status: DeploymentStatus;
  readonly lost_from: DeploymentStatus | null;
  readonly undo_until: Instant | null;
  readonly desired: 'running' | 'destroyed';
}

/**
 * Returns whether a deployment may return to a billable status. A failed deployment must have lost its server in that
 * status, and its owner must still want it. A deleted deployment must still have its server, and restarts.
 */
export function mayReturn({ status, lost_from, undo_until, desired }: Returnable, to: DeploymentStatus): boolean {
  if (status === 'DESTROYING') return to === 'RESTARTING' && undo_until !== null;
  return status === 'FAILED' && lost_from === to && desired === 'running';
}

/** Statuses during which the console polls and no actions are allowed. */
export const IN_FLIGHT: readonly DeploymentStatus[] = [
  'CREATING',
  'PROVISIONING',
  'DNS_VALIDATION',
  'RESTARTING',
  'DESTROYING',
];

/** Statuses during which the poll of a single deployment continues (specification section 4). */
export const POLLED: readonly DeploymentStatus[] = ['CREATING', 'PROVISIONING', 'DNS_VALIDATION'];

/** Statuses in which the package responds at its address. A restart takes only a moment. */
export const RUNNING: readonly DeploymentStatus[] = ['ACTIVE', 'READY', 'RESTARTING'];

/** Statuses with an open billable interval. Billing itself uses the interval, never the status (decision 4). */
export const BILLABLE: readonly DeploymentStatus[] = ['ACTIVE', 'DNS_VALIDATION', 'READY', 'DNS_FAILED', 'RESTARTING'];

/** Statuses that open the billable interval. */
export const OPENS_INTERVAL: readonly DeploymentStatus[] = ['ACTIVE', 'DNS_VALIDATION'];

/**
 * Statuses that count as "runs or creates" for the minimum balance, and as active for deactivation (decisions 8 and
 * 19).
 */
export const ACTIVE_DEPLOYMENT: readonly DeploymentStatus[] = ['CREATING', 'PROVISIONING', ...BILLABLE];

export const LEVEL_CHANGEABLE: readonly DeploymentStatus[] = ['ACTIVE', 'READY', 'DNS_FAILED'];

/** Tabs of the list, which are all deployments, those that need action, those in progress, and those that run. */
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

/** Returns the group of a status besides `all`, or null if the deployment is over. */
export function groupOf(status: DeploymentStatus): Exclude<DeploymentGroup, 'all'> | null {
  return GROUPS[status];
}

/** Returns the statuses of a group, or null for all listed deployments. */
export function statusesOf(group: DeploymentGroup): readonly DeploymentStatus[] | null {
  return group === 'all' ? null : DEPLOYMENT_STATUSES.filter((status) => GROUPS[status] === group);
}

/**
 * Returns the label of a status. With `deleted_at` set, the label is Disabled for every status. A deployment that is
 * handed over to its owner keeps running, so its label is not that of a removal.
 */
export function statusLabel(status: DeploymentStatus, deletedAt: unknown, isHandedOver = false): string {
  if (deletedAt !== null && deletedAt !== undefined) return 'Disabled';
  return (isHandedOver ? HANDED_OVER_LABELS[status] : undefined) ?? LABELS[status];
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

const HANDED_OVER_LABELS: Readonly<Partial<Record<DeploymentStatus, string>>> = {
  DESTROYING: 'Handing over...',
  DESTROYED: 'Handed over',
};

/**
 * Actions on a deployment. From `cancel` on they are not in the specification's menu (decisions 51), so the details
 * have their own buttons for them.
 */
export type DeploymentAction =
  | 'delete'
  | 'deactivate'
  | 'restart'
  | 'retry_dns'
  | 'change_level'
  | 'cancel'
  | 'change_domain'
  | 'configure'
  | 'hand_over'
  | 'resize'
  | 'update'
  | 'reboot'
  | 'manage_keys'
  | 'restart_container'
  | 'manage_domains'
  | 'restore_deleted'
  | 'move'
  | 'clone'
  | 'start_server';

const ACTIONS: Readonly<Record<DeploymentStatus, readonly DeploymentAction[]>> = {
  CREATING: ['cancel'],
  PROVISIONING: ['cancel'],
  ACTIVE: [
    'restart',
    'deactivate',
    'change_level',
    'configure',
    'hand_over',
    'resize',
    'update',
    'reboot',
    'manage_keys',
    'restart_container',
    'move',
    'clone',
    'start_server',
  ],
  DNS_VALIDATION: ['cancel', 'change_domain', 'manage_keys'],
  READY: [
    'restart',
    'deactivate',
    'change_level',
    'change_domain',
    'configure',
    'hand_over',
    'resize',
    'update',
    'reboot',
    'manage_keys',
    'manage_domains',
    'restart_container',
    'move',
    'clone',
    'start_server',
  ],
  DNS_FAILED: [
    'retry_dns',
    'deactivate',
    'change_level',
    'change_domain',
    'hand_over',
    'manage_keys',
    'restart_container',
    'move',
    'clone',
  ],
  RESTARTING: [],
  // Only while the server is kept.
  DESTROYING: ['restore_deleted'],
  FAILED: ['delete'],
  DESTROYED: ['delete'],
  DELETED: [],
};

/** Returns the actions that a status allows. */
export function actionsOf(status: DeploymentStatus): readonly DeploymentAction[] {
  return ACTIONS[status];
}

/** Actions that exist for deployments on one kind of server only. */
const SERVER_OF: Readonly<Partial<Record<DeploymentAction, 'new' | 'vps'>>> = {
  hand_over: 'vps',
  resize: 'new',
  reboot: 'new',
  start_server: 'new',
};

/** Returns whether the action exists for deployments on this kind of server. */
export function isActionOf(serverType: 'new' | 'vps', action: DeploymentAction): boolean {
  return (SERVER_OF[action] ?? serverType) === serverType;
}

/** Actions on the source of a move or clone that has not ended. Nothing else may change it meanwhile. */
export const WHILE_MOVING: readonly DeploymentAction[] = ['delete', 'deactivate', 'cancel'];

/** Returns why every action is disabled, in the specification's wording, or null if an action is allowed. */
export function lockedReason(status: DeploymentStatus): Message | null {
  if (status === 'DESTROYING') return ORDER_MESSAGES.locked_deactivation;
  return IN_FLIGHT.includes(status) ? ORDER_MESSAGES.locked_provisioning : null;
}
