import { CONSTANTS } from '../constants';
import type { Instant } from '../time';
import { actionsOf, type DeploymentStatus } from './status';

/** Actions after which the router requests certificates again. */
export type Repair = 'restart' | 'retry_dns';

/** Returns the repair that a status allows, or null if it allows none. */
export function repairOf(status: DeploymentStatus): Repair | null {
  const actions = actionsOf(status);
  if (actions.includes('retry_dns')) return 'retry_dns';
  return actions.includes('restart') ? 'restart' : null;
}

interface RepairInstants {
  readonly restarted_at: Instant | null;
  readonly dns_retried_at: Instant | null;
}

/** Returns the time of the last restart or retry, or null if there was none. */
export function lastRepairAt({ restarted_at, dns_retried_at }: RepairInstants): Instant | null {
  if (restarted_at === null || dns_retried_at === null) return restarted_at ?? dns_retried_at;
  return Math.max(restarted_at, dns_retried_at);
}

/**
 * Returns the time from which another restart or retry is accepted, or null if there was none. Both share a limit,
 * because certificate authorities count failed attempts.
 */
export function nextRepairAt(instants: RepairInstants): Instant | null {
  const last = lastRepairAt(instants);
  return last === null ? null : last + CONSTANTS.repairIntervalMs;
}
