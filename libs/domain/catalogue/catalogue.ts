import { Money } from '../money';
import { providerName } from './providers';
import builtIn from './built-in.json' with { type: 'json' };

export interface Provider {
  readonly name: string;
  readonly displayName: string;
}

export interface Region {
  readonly name: string;
  readonly displayName: string;
  /** Two letters, lower case. */
  readonly countryCode: string;
}

export interface InstanceType {
  readonly name: string;
  readonly displayName: string;
  readonly cpu: number;
  readonly memoryGb: number;
  readonly hourlyCost: Money;
}

/** Where servers can be had and what they cost. Every list is in the catalogue's order. */
export abstract class Catalogue {
  abstract providers(): readonly Provider[];
  /** null: no such provider. */
  abstract regions(provider: string): readonly Region[] | null;
  /** The types with a price in that region; null: no such provider or region. */
  abstract instanceTypes(provider: string, region: string): readonly InstanceType[] | null;
}

/** As the file has it: prices per hour in USD, for the server alone, by region and type. */
interface CatalogueFile {
  readonly providers: Readonly<Record<string, ProviderFile>>;
}
interface ProviderFile {
  readonly regions: readonly { name: string; display_name: string; country_code: string }[];
  readonly instance_types: readonly { name: string; display_name: string; cpu: number; memory: number }[];
  readonly hourly_cost: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The catalogue that needs no cloud: the sandbox's own, and what live clouds fall back to. `only`: the providers offered. */
export function builtInCatalogue({ only }: { only?: readonly string[] } = {}): Catalogue {
  return catalogueOf(builtIn, only);
}

function catalogueOf(file: CatalogueFile, only: readonly string[] | undefined): Catalogue {
  const offered = Object.entries(file.providers).filter(([name]) => only === undefined || only.includes(name));
  const byName = new Map(offered);
  return {
    providers: () => offered.map(([name]) => ({ name, displayName: providerName(name) })),
    regions: (provider) =>
      byName.get(provider)?.regions.map((region) => ({
        name: region.name,
        displayName: region.display_name,
        countryCode: region.country_code,
      })) ?? null,
    instanceTypes(provider, region) {
      const found = byName.get(provider);
      if (found === undefined || !found.regions.some(({ name }) => name === region)) return null;
      const prices = new Map(Object.entries(found.hourly_cost[region] ?? {}));
      return found.instance_types.flatMap((type) => {
        const cost = prices.get(type.name);
        if (cost === undefined) return [];
        return [
          {
            name: type.name,
            displayName: type.display_name,
            cpu: type.cpu,
            memoryGb: type.memory,
            hourlyCost: roundHalfUp(cost),
          },
        ];
      });
    },
  };
}

/** The type as it is offered in that region, or null. */
export function findInstanceType(
  catalogue: Catalogue,
  place: { provider: string; region: string; instanceType: string },
): InstanceType | null {
  return catalogue.instanceTypes(place.provider, place.region)?.find(({ name }) => name === place.instanceType) ?? null;
}

/** A provider's price in currency units to whole micro-units, half up: on its decimal digits, never on the binary fraction. */
export function roundHalfUp(units: number): Money {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(decimalText(units));
  if (match === null) throw new RangeError(`not an amount: ${units}`);
  const [, whole = '', fraction = ''] = match;
  const digits = fraction.padEnd(7, '0');
  const micros = BigInt(whole + digits.slice(0, 6));
  return Money.micros(Number(digits[6]) >= 5 ? micros + 1n : micros);
}

function decimalText(units: number): string {
  const text = String(units);
  // below 1e-6 JavaScript writes an exponent; twenty decimals show what rounds up
  return text.includes('e-') ? units.toFixed(20) : text;
}
