import { MONTH_HOURS } from '../catalogue/selling-price';
import { DAY_MS, HOUR_MS, type Instant } from '../time';
import type { DeploymentStatus } from '../deployment/status';

/** Kinds of resources at a provider. An image is a snapshot or an image of a server or disk. */
export const HOLDING_KINDS = ['server', 'disk', 'address', 'network_card', 'firewall', 'key', 'image', 'tag'] as const;
export type HoldingKind = (typeof HOLDING_KINDS)[number];

/**
 * `suspected` was seen, but not for long enough. `confirmed` allows an administrator to act on it. With `removing` and
 * `adopting` the provisioner is carrying out a decision. `kept` is intended to exist. The remaining states are final.
 * `gone` means that the provider no longer has the resource, or that it has an owner by now.
 */
export const LEAK_STATES = [
  'suspected',
  'confirmed',
  'removing',
  'adopting',
  'kept',
  'removed',
  'adopted',
  'gone',
] as const;
export type LeakState = (typeof LEAK_STATES)[number];

/** Views of the list of leaks, which are undecided, kept and ended. */
export const LEAK_FILTERS = ['open', 'kept', 'ended'] as const;
export type LeakFilter = (typeof LEAK_FILTERS)[number];

/**
 * Reason why a decision was not carried out. `owned` belongs to a deployment by now. `in_use` is used by another
 * resource at the provider. `not_ours` no longer carries the label of this installation. `still_there` was accepted for
 * removal by the provider but not removed. `refused` was rejected by the provider. `not_adoptable` means that the
 * server or its deployment has changed.
 */
export const LEAK_FAILURES = ['owned', 'in_use', 'not_ours', 'still_there', 'refused', 'not_adoptable'] as const;
export type LeakFailure = (typeof LEAK_FAILURES)[number];

/** States in which a leak costs money until a decision is carried out. */
export const OPEN_LEAKS: readonly LeakState[] = ['suspected', 'confirmed', 'removing', 'adopting'];

/** Time between the first sighting or absence and the check that confirms it. */
export const LEAK_CONFIRMED_AFTER_MS = HOUR_MS;

/** A resource at a provider, with the facts that the rule uses. */
export interface HeldThing {
  readonly kind: HoldingKind;
  readonly region: string;
  readonly id: string;
  /** Deployment named by its labels. */
  readonly ref: string | null;
  /** Server or other resource that uses it. */
  readonly used_by: string | null;
}

/** The deployment named by the labels of a resource. */
export interface HoldingOwner {
  readonly status: DeploymentStatus;
  /** A run is in progress, so resources it creates or removes are not stored yet, or no longer stored. */
  readonly is_busy: boolean;
  /** The server was lost and has not been given up. */
  readonly was_lost: boolean;
  readonly server: { readonly region: string; readonly id: string | null; readonly exists: boolean } | null;
}

const OVER: readonly DeploymentStatus[] = ['DESTROYED', 'DELETED'];

/** Returns whether no deployment needs a resource. `owner` is null if the deployment is unknown. */
export function isLeak(thing: HeldThing, owner: HoldingOwner | null): boolean {
  if (thing.used_by !== null || owner?.is_busy === true) return false;
  // A tag contains only the ref, and an unknown ref belongs to another installation.
  if (thing.kind === 'tag') return owner !== null && OVER.includes(owner.status);
  if (thing.kind !== 'server') return true;
  if (owner === null || OVER.includes(owner.status)) return true;
  const { server } = owner;
  // A lost server that has reappeared is restored by the comparison of servers.
  const isCounted = server !== null && (server.exists || owner.was_lost);
  return !isCounted || server.id !== thing.id || server.region !== thing.region;
}

/**
 * Returns whether a server can replace the lost server of its deployment. The deployment must have failed because its
 * server disappeared, and must not have another server.
 */
export function isAdoptable(thing: Pick<HeldThing, 'kind'>, owner: HoldingOwner | null): boolean {
  if (thing.kind !== 'server' || owner === null || owner.is_busy) return false;
  return owner.status === 'FAILED' && owner.was_lost && owner.server !== null && !owner.server.exists;
}

export interface LeakSighting {
  readonly state: LeakState;
  readonly first_seen_at: Instant;
  /** First check that did not show the leak, or null if the last check showed it. */
  readonly missed_at: Instant | null;
}

/** Returns the state after a check that shows the leak. A leak that had ended starts again. */
export function stateWhenSeen(known: LeakSighting | null, now: Instant): LeakState {
  if (known === null || isEnded(known.state)) return 'suspected';
  if (known.state !== 'suspected') return known.state;
  return now >= confirmedFrom(known) ? 'confirmed' : 'suspected';
}

/** Returns the state after a check that does not show the leak. */
export function stateWhenMissed({ state, missed_at }: LeakSighting, now: Instant): LeakState {
  if (missed_at === null || now < missed_at + LEAK_CONFIRMED_AFTER_MS) return state;
  return state === 'removing' ? 'removed' : 'gone';
}

/** Returns the time from which a further sighting confirms the leak. */
export const confirmedFrom = ({ first_seen_at }: Pick<LeakSighting, 'first_seen_at'>): Instant =>
  first_seen_at + LEAK_CONFIRMED_AFTER_MS;

const ENDED: readonly LeakState[] = ['removed', 'adopted', 'gone'];

/** Returns the states of a view. */
export const statesOf = (view: LeakFilter): readonly LeakState[] =>
  ({ open: OPEN_LEAKS, kept: ['kept'] as const, ended: ENDED })[view];

export const isEnded = (state: LeakState): boolean => ENDED.includes(state);

/** Converts prices in US dollars to whole micro-dollars per day. */
export const dailyMicros = ({ hourlyUsd, monthlyUsd }: { hourlyUsd?: number; monthlyUsd?: number }): number =>
  Math.round(((hourlyUsd ?? 0) + (monthlyUsd ?? 0) / MONTH_HOURS) * (DAY_MS / HOUR_MS) * 1_000_000);
