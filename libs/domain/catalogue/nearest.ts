import { type Catalogue, findInstanceType } from './catalogue';
import { fits, type OfferedSize, type PackageNeeds, type Size, sizesOf, sortSizes } from './fits';
import type { InstanceType, Region } from './offer';

/** A size that may be sold out. */
export interface StockedSize extends OfferedSize {
  readonly available: boolean;
}

const isAsLarge = (size: Size, wanted: Size): boolean => fits(size, { cpu: wanted.cpu, memory_gb: wanted.memoryGb });

/**
 * Returns the available sizes by similarity to the wanted size. Sizes at least as large come first, cheapest first,
 * followed by smaller sizes, largest first.
 */
export function nearestSizes<S extends StockedSize>(sizes: readonly S[], wanted: Size): readonly S[] {
  const available = sortSizes(sizes.filter((size) => size.available));
  const smaller = available
    .filter((size) => !isAsLarge(size, wanted))
    .toSorted((a, b) => b.memoryGb - a.memoryGb || b.cpu - a.cpu);
  return [...available.filter((size) => isAsLarge(size, wanted)), ...smaller];
}

/** Returns the available types by similarity. Without `needs`, every size fits. */
function nearestTypes(types: readonly InstanceType[], wanted: Size, needs?: PackageNeeds): readonly InstanceType[] {
  const fitting = types.filter((type) => needs === undefined || fits(type, needs));
  const sizes = fitting.map((type) => ({ ...type, type, hourly: type.hourlyCost.toWire() }));
  return nearestSizes(sizes, wanted).map(({ type }) => type);
}

/** Returns the best substitute for a size that is sold out, or null if no suitable size is available. */
export const nearestAvailable = (
  types: readonly InstanceType[],
  wanted: Size,
  needs?: PackageNeeds,
): InstanceType | null => nearestTypes(types, wanted, needs)[0] ?? null;

/** A region and size offered as a substitute. */
export interface AlternativePlace {
  readonly region: Region;
  readonly type: InstanceType;
}

export const ALTERNATIVES_MAX = 6;
const NEAR_MAX = 3;

/**
 * Returns up to six alternatives to a size that is sold out. The nearest sizes of the same region come first, followed
 * by the same size in the provider's other regions, cheapest first. Only available sizes that fit the package are
 * included.
 */
export function alternativePlaces(
  catalogue: Catalogue,
  place: { provider: string; region: string; instanceType: string },
  needs: PackageNeeds,
): readonly AlternativePlace[] {
  const { provider, region: failedIn, instanceType } = place;
  const regions = catalogue.regions(provider) ?? [];
  const elsewhere = regions
    .filter(({ name }) => name !== failedIn)
    .flatMap((region) => {
      const type = findInstanceType(catalogue, { provider, region: region.name, instanceType });
      return type !== null && type.available && fits(type, needs) ? [{ region, type }] : [];
    })
    .toSorted((a, b) => Number(a.type.hourlyCost.micros - b.type.hourlyCost.micros));
  const wanted = sizesOf(catalogue, provider).find(({ name }) => name === instanceType);
  const others = sizesOf(catalogue, provider, failedIn).filter(({ name }) => name !== instanceType);
  const near = regions
    .filter(({ name }) => name === failedIn)
    .flatMap((region) =>
      nearestTypes(others, wanted ?? { cpu: needs.cpu, memoryGb: needs.memory_gb }, needs).map((type) => ({
        region,
        type,
      })),
    )
    .slice(0, Math.max(NEAR_MAX, ALTERNATIVES_MAX - elsewhere.length));
  return [...near, ...elsewhere].slice(0, ALTERNATIVES_MAX);
}
