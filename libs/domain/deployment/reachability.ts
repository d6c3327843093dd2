import { type Instant, MINUTE_MS, SECOND_MS } from '../time';
import type { IncidentChange } from '../watch/incidents';
import type { DeploymentStatus } from './status';

/**
 * Result of basic monitoring (decision 41), which checks whether a running deployment responds at its address.
 * `unknown` means that it has not been checked since it started.
 */
export const REACHABILITY_STATES = ['unknown', 'reachable', 'unreachable'] as const;
export type ReachabilityState = (typeof REACHABILITY_STATES)[number];

/** Statuses that are checked. No response is expected in RESTARTING. */
export const MONITORED: readonly DeploymentStatus[] = ['ACTIVE', 'READY'];

export interface Reachability {
  readonly state: ReachabilityState;
  /** Start of the state, or null if the state is unknown. */
  readonly since: Instant | null;
}

/** Time after a request until the next one is due. The schedule looks for due requests every minute. */
export const CHECK_AGAIN_MS = 50 * SECOND_MS;
/** Delay of the first check after a start or restart. */
export const CHECK_FIRST_MS = 2 * MINUTE_MS;
/** Time after a check of the server until the next one is due, and until it is repeated after a change. */
export const HOST_CHECK_EVERY_MS = 5 * MINUTE_MS - 10 * SECOND_MS;
export const HOST_CHECK_AGAIN_MS = CHECK_AGAIN_MS;
/** The same for certificates and DNS records. */
export const NAMES_CHECK_EVERY_MS = 60 * MINUTE_MS;
export const NAMES_CHECK_AGAIN_MS = 5 * MINUTE_MS;
/** Number of simultaneous checks from which a complete failure points to the platform's own network. */
const SUSPICIOUS_MIN = 10;

/** Rounds of checks, a minute apart, without any response, after which an operator must check the network path. */
export const SILENT_ROUNDS = 3;

/** Returns the state after a request, with the resulting changes of incidents. */
export function afterResponse(
  before: Reachability,
  { responds, at }: { readonly responds: boolean; readonly at: Instant },
  changes: readonly IncidentChange[],
): Reachability {
  for (const one of changes) {
    if (one.change === 'began' && one.finding.kind === 'down') return { state: 'unreachable', since: one.began_at };
    if (one.change === 'returned' && one.incident.kind === 'down') return { state: 'unreachable', since: at };
    if (one.change === 'ended' && one.incident.kind === 'down') return { state: 'reachable', since: one.ended_at };
  }
  return responds && before.state === 'unknown' ? { state: 'reachable', since: at } : before;
}

/**
 * Returns whether at least `SUSPICIOUS_MIN` simultaneous checks all failed. Such results are not evidence about the
 * deployments.
 */
export function isOwnOutage(answers: readonly boolean[]): boolean {
  return answers.length >= SUSPICIOUS_MIN && !answers.includes(true);
}
