import type { Money } from '../money';
import { dailyPrice } from '../billing/pricing';
import type { Catalogue } from './catalogue';
import type { InstanceType } from './offer';
import { ORDER_MESSAGES } from '../messages/order';
import type { Message } from '../messages/message';

/** What a package needs of a machine (`requires` of its manifest). */
export interface PackageNeeds {
  readonly cpu: number;
  readonly memory_gb: number;
}

/** A size as a catalogue or an answer has it. */
export interface Size {
  readonly cpu: number;
  readonly memoryGb: number;
}

/** Why a size does not do for a package, null when it does. `name`: the package's name for people. */
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

export const fits = (size: Size, needs: PackageNeeds): boolean =>
  size.cpu >= needs.cpu && size.memoryGb >= needs.memory_gb;

/** A size as somebody chooses it. */
export interface OfferedSize extends Size {
  /** Currency units an hour. */
  readonly hourly: number;
}

/** Cheapest first; of one price the larger one. */
export const sortSizes = <S extends OfferedSize>(sizes: readonly S[]): readonly S[] =>
  sizes.toSorted((a, b) => a.hourly - b.hourly || b.memoryGb - a.memoryGb || b.cpu - a.cpu);

/** The cheapest that the package runs well on, else the cheapest that does at all; null when none does. */
export function recommendedSize<S extends OfferedSize>(
  sizes: readonly S[],
  { requires, recommended = requires }: { requires: PackageNeeds; recommended?: PackageNeeds | undefined },
): S | null {
  const fitting = sortSizes(sizes).filter((size) => fits(size, requires));
  return fitting.find((size) => fits(size, recommended)) ?? fitting[0] ?? null;
}

/** Per day, of the cheapest available size that does, in these places; null when none does. */
export function fromDaily(types: readonly InstanceType[], needs: PackageNeeds): Money | null {
  let least: Money | null = null;
  for (const type of types) {
    if (type.available && fits(type, needs) && (least === null || type.hourlyCost.isLessThan(least)))
      least = type.hourlyCost;
  }
  return least === null ? null : dailyPrice(least);
}

/** Every size a provider offers, in all its regions or in one. */
export function sizesOf(catalogue: Catalogue, provider: string, region?: string): readonly InstanceType[] {
  const regions = (catalogue.regions(provider) ?? []).filter(({ name }) => region === undefined || name === region);
  return regions.flatMap(({ name }) => catalogue.instanceTypes(provider, name) ?? []);
}
