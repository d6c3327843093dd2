/**
 * Reasons to distrust a provider's response. A token of another project, a reduced role or an incident can return an
 * empty list with status OK. Acting on it would fail every customer at once.
 */
export const BREAKER_REASONS = ['credentials_refused', 'other_project', 'none_listed', 'many_missing'] as const;
export type BreakerReason = (typeof BREAKER_REASONS)[number];

/** A comparison of the servers that should run at a provider with those it reports. */
export interface FleetComparison {
  /** Servers that run there according to the stored rows. */
  readonly running: number;
  /** Servers of `running` in the provider's list. */
  readonly listed: number;
  /** Servers of `running` found neither in the list nor by ID. */
  readonly missing: number;
}

/** Number of missing servers tolerated in a fleet of any size. */
export const MISSING_MAX = 2;
/** Divisor of the tolerated share in a large fleet, which is 1 in 20 (5 %). */
export const MISSING_ONE_OF = 20;

/** Returns why a comparison must not change anything, or null if it is plausible. */
export function breakerReason({ running, listed, missing }: FleetComparison): BreakerReason | null {
  if (running > 0 && listed === 0) return 'none_listed';
  return missing > MISSING_MAX && missing * MISSING_ONE_OF > running ? 'many_missing' : null;
}
