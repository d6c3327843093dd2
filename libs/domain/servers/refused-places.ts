import { HOUR_MS, type Instant } from '../time';

/** How long a refused create keeps its place or its account out of sale. By then an operator may have widened the rights. */
export const CREATE_REFUSED_MS = HOUR_MS;
/** A region is refused as a whole once this many of its sizes are. */
export const REFUSED_SIZES = 2;
/** The account is refused as a whole once this many regions refused it, */
export const REFUSED_REGIONS = 3;
/** in orders of this many customers: one customer alone takes no provider out of sale. */
export const REFUSED_CUSTOMERS = 2;

/** A create that the provider did not permit. Organisations forbid regions and sizes as well as whole accounts. */
export interface RefusedPlace {
  readonly region: string;
  readonly instance_type: string;
  readonly user_id: number;
  readonly refused_at: Instant;
  /** A server that was ordered later runs, so the account itself may create servers. */
  readonly disproven: boolean;
}

const inForce = (refusals: readonly RefusedPlace[], at: Instant): RefusedPlace[] =>
  refusals.filter(({ refused_at }) => refused_at > at - CREATE_REFUSED_MS);

const countOf = <T>(values: readonly T[]): number => new Set(values).size;

/** Returns whether orders of this size in this region are refused for now. */
export function isPlaceRefused(
  refusals: readonly RefusedPlace[],
  place: Pick<RefusedPlace, 'region' | 'instance_type'>,
  at: Instant,
): boolean {
  const sizes = inForce(refusals, at)
    .filter(({ region }) => region === place.region)
    .map(({ instance_type }) => instance_type);
  return sizes.includes(place.instance_type) || countOf(sizes) >= REFUSED_SIZES;
}

/** Returns whether the refusals show that the account is permitted no server anywhere. */
export function isAccountRefused(refusals: readonly RefusedPlace[], at: Instant): boolean {
  const counted = inForce(refusals, at).filter(({ disproven }) => !disproven);
  return (
    countOf(counted.map(({ region }) => region)) >= REFUSED_REGIONS &&
    countOf(counted.map(({ user_id }) => user_id)) >= REFUSED_CUSTOMERS
  );
}
