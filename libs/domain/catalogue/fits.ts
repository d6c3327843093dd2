import type { Money } from '../money';
import { dailyPrice } from '../billing/pricing';
import type { Catalogue } from './catalogue';
import { type InstanceType, isOftenSoldOut } from './offer';
import { ORDER_MESSAGES } from '../messages/order';
import type { Message } from '../messages/message';

/** Minimum resources of a package (`requires` of its manifest). */
export interface PackageNeeds {
  readonly cpu: number;
  readonly memory_gb: number;
}

/** CPU and memory of a size. */
export interface Size {
  readonly cpu: number;
  readonly memoryGb: number;
}

/** Returns why a size is too small for a package, or null if it fits. `name` is the package's display name. */
export function unfitReason(
  { cpu, memoryGb }: Size,
  { needs, name }: { needs: PackageNeeds; name: string },
): Message | null {
  const wants = { package: name, cpu: needs.cpu, memory: needs.memory_gb };
  const one = needs.cpu === 1;
  if (cpu >= needs.cpu) return memoryGb >= needs.memory_gb ? null : ORDER_MESSAGES.size_memory(wants);
  if (memoryGb >= needs.memory_gb) return (one ? ORDER_MESSAGES.size_cpu_one : ORDER_MESSAGES.size_cpu)(wants);
  return (one ? ORDER_MESSAGES.size_cpu_one_memory : ORDER_MESSAGES.size_cpu_memory)(wants);
}

/** Returns whether a size meets the requirements of a package. */
export const fits = (size: Size, needs: PackageNeeds): boolean =>
  size.cpu >= needs.cpu && size.memoryGb >= needs.memory_gb;

/** A size with its price. */
export interface OfferedSize extends Size {
  /** Currency units per hour. */
  readonly hourly: number;
}

/** Sorts sizes by price, cheapest first. At the same price the larger size comes first. */
export const sortSizes = <S extends OfferedSize>(sizes: readonly S[]): readonly S[] =>
  sizes.toSorted((a, b) => a.hourly - b.hourly || b.memoryGb - a.memoryGb || b.cpu - a.cpu);

/**
 * Returns the cheapest size that meets the package's recommendation, otherwise the cheapest that meets its minimum, or
 * null if no size does.
 */
export function recommendedSize<S extends OfferedSize>(
  sizes: readonly S[],
  { requires, recommended = requires }: { requires: PackageNeeds; recommended?: PackageNeeds | undefined },
): S | null {
  const fitting = sortSizes(sizes).filter((size) => fits(size, requires));
  return fitting.find((size) => fits(size, recommended)) ?? fitting[0] ?? null;
}

/**
 * Returns the daily price of the cheapest available size that fits, or null if none does. A size that is often sold out
 * counts only if nothing else fits.
 */
export function fromDaily(types: readonly InstanceType[], needs: PackageNeeds): Money | null {
  const fitting = types.filter((type) => type.available && fits(type, needs));
  let least: Money | null = null;
  for (const { hourlyCost } of reliableIn(fitting, ({ displayName }) => displayName)) {
    if (least === null || hourlyCost.isLessThan(least)) least = hourlyCost;
  }
  return least === null ? null : dailyPrice(least);
}

/** Returns the sizes that are not often sold out, or all of them if every one is. */
export function reliableIn<S>(sizes: readonly S[], nameOf: (size: S) => string): readonly S[] {
  const reliable = sizes.filter((size) => !isOftenSoldOut({ displayName: nameOf(size) }));
  return reliable.length === 0 ? sizes : reliable;
}

/** Returns every size of a provider, in all its regions or in the given region. */
export function sizesOf(catalogue: Catalogue, provider: string, region?: string): readonly InstanceType[] {
  const regions = (catalogue.regions(provider) ?? []).filter(({ name }) => region === undefined || name === region);
  return regions.flatMap(({ name }) => catalogue.instanceTypes(provider, name) ?? []);
}
