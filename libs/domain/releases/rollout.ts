/** Groups of deployments that get a release one after the other. */
export const RINGS = ['none', 'own', 'few', 'quarter', 'all'] as const;
export type Ring = (typeof RINGS)[number];

/** `stopped` was stopped by failures, and `withdrawn` by an administrator for good. Neither is offered to anyone. */
export const ROLLOUT_STATES = ['rolling', 'stopped', 'withdrawn'] as const;
export type RolloutState = (typeof ROLLOUT_STATES)[number];

export interface Rollout {
  readonly ring: Ring;
  readonly state: RolloutState;
}

/** Updates to a release that may fail before its rollout stops. */
export const FAILURES_UNTIL_STOP = 2;

/** Percentage of customers' deployments in each ring. */
const PERCENT: Readonly<Record<Ring, number>> = { none: 0, own: 0, few: 5, quarter: 25, all: 100 };

/**
 * Returns the rollout of a release about which no administrator has decided yet. The first one of a package has always
 * been installed.
 */
export const initialRollout = (isFirst: boolean): Rollout => ({ ring: isFirst ? 'all' : 'none', state: 'rolling' });

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const BUCKETS = 100;

/**
 * Returns a number from 0 to 99 that is always the same for an ASCII text and evenly distributed (FNV-1a,
 * https://datatracker.ietf.org/doc/html/draft-eastlake-fnv). Include the version, so that it is not always the same
 * deployments that go first.
 */
export function bucketOf(text: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME) >>> 0;
  return hash % BUCKETS;
}

/**
 * Returns whether a release is offered to a deployment.
 *
 * @param to `bucket` is `bucketOf` the deployment and the version, or null for a new deployment, which only gets what
 *   everybody gets
 */
export function isRolledOut(
  { ring, state }: Rollout,
  to: { readonly isAdministrators: boolean; readonly bucket: number | null },
): boolean {
  if (state !== 'rolling' || ring === 'none') return false;
  if (to.isAdministrators) return true;
  return to.bucket === null ? ring === 'all' : to.bucket < PERCENT[ring];
}

/** Returns whether the rollout of a release may change to a state. A withdrawn release stays withdrawn. */
export const canDecide = (from: RolloutState, to: RolloutState): boolean => from !== 'withdrawn' || to === 'withdrawn';

/** Returns the ring after this one, or null if everybody has it already. */
export const nextRing = (ring: Ring): Ring | null => RINGS[RINGS.indexOf(ring) + 1] ?? null;
