/**
 * When a provider's answers are too strange to act on. A token of another project, a scoped-down role or an incident
 * answers "OK and empty": believed, it would fail every customer at once.
 */
export const BREAKER_REASONS = ['credentials_refused', 'other_project', 'none_listed', 'many_missing'] as const;
export type BreakerReason = (typeof BREAKER_REASONS)[number];

/** One comparison of what runs at a provider with what it shows. */
export interface FleetComparison {
  /** Servers of ours that run there by our own rows. */
  readonly running: number;
  /** Of these, how many its list shows. */
  readonly listed: number;
  /** Of these, how many it shows neither in its list nor by id. */
  readonly missing: number;
}

/** So many may be missing at once in however small a fleet. */
export const MISSING_MAX = 2;
/** In a large fleet one of so many: 5 %. */
export const MISSING_ONE_OF = 20;

/** Why this comparison must change nothing; null: it may be believed. */
export function breakerReason({ running, listed, missing }: FleetComparison): BreakerReason | null {
  if (running > 0 && listed === 0) return 'none_listed';
  return missing > MISSING_MAX && missing * MISSING_ONE_OF > running ? 'many_missing' : null;
}
