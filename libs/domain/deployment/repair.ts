import { CONSTANTS } from '../constants';
import type { Instant } from '../time';
import { actionsOf, type DeploymentStatus } from './status';

/** What makes the router ask for certificates again. */
export type Repair = 'restart' | 'retry_dns';

/** The repair that a status allows; null: none now. */
export function repairOf(status: DeploymentStatus): Repair | null {
  const actions = actionsOf(status);
  if (actions.includes('retry_dns')) return 'retry_dns';
  return actions.includes('restart') ? 'restart' : null;
}

interface RepairInstants {
  readonly restarted_at: Instant | null;
  readonly dns_retried_at: Instant | null;
}

/** The last restart or retry; null: there was none. */
export function lastRepairAt({ restarted_at, dns_retried_at }: RepairInstants): Instant | null {
  if (restarted_at === null || dns_retried_at === null) return restarted_at ?? dns_retried_at;
  return Math.max(restarted_at, dns_retried_at);
}

/**
 * From when on another restart or retry is accepted: they share one limit, because certificate authorities count failed
 * attempts. null: there was none.
 */
export function nextRepairAt(instants: RepairInstants): Instant | null {
  const last = lastRepairAt(instants);
  return last === null ? null : last + CONSTANTS.repairIntervalMs;
}
