import { HOUR_MS, type Instant } from '../time';

/**
 * Time for which a rejected create stops sales of its size, region or account. By then an operator may have granted the
 * permission.
 */
export const CREATE_REFUSED_MS = HOUR_MS;
/** Number of rejected sizes from which a whole region is not sold. */
export const REFUSED_SIZES = 2;
/** Number of regions from which the whole account counts as rejected. */
export const REFUSED_REGIONS = 3;
/**
 * Number of customers with rejected orders from which the account counts as rejected, so that no single customer can
 * stop the sales of a provider.
 */
export const REFUSED_CUSTOMERS = 2;

/** A create that the provider did not permit. Organisations may forbid regions, sizes or whole accounts. */
export interface RefusedPlace {
  readonly region: string;
  readonly instance_type: string;
  readonly user_id: number;
  readonly refused_at: Instant;
  /** A server ordered later runs, so the account itself may create servers. */
  readonly disproven: boolean;
}

const inForce = (refusals: readonly RefusedPlace[], at: Instant): RefusedPlace[] =>
  refusals.filter(({ refused_at }) => refused_at > at - CREATE_REFUSED_MS);

const countOf = <T>(values: readonly T[]): number => new Set(values).size;

/** Returns whether orders of this size in this region are currently refused. */
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

/** Returns whether the rejections show that the account may not create servers in any region. */
export function isAccountRefused(refusals: readonly RefusedPlace[], at: Instant): boolean {
  const counted = inForce(refusals, at).filter(({ disproven }) => !disproven);
  return (
    countOf(counted.map(({ region }) => region)) >= REFUSED_REGIONS &&
    countOf(counted.map(({ user_id }) => user_id)) >= REFUSED_CUSTOMERS
  );
}
