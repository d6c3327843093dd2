import { Money } from '../money';
import { CLOUD_NAMES, type CloudName, providerName } from './providers';
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

/** A region with the types that have a price in it. */
export interface RegionOffer extends Region {
  readonly instanceTypes: readonly InstanceType[];
}

/** What one provider offers: the one shape of the built-in catalogue, of a provider's own answer and of the stored rows. */
export interface ProviderOffer {
  readonly provider: CloudName;
  readonly regions: readonly RegionOffer[];
}

/** Where servers can be had and what they cost. Every list is in the catalogue's order. */
export interface Catalogue {
  readonly providers: () => readonly Provider[];
  /** null: no such provider. */
  readonly regions: (provider: string) => readonly Region[] | null;
  /** The types with a price in that region; null: no such provider or region. */
  readonly instanceTypes: (provider: string, region: string) => readonly InstanceType[] | null;
}

/** As the file has it: prices per hour in USD, for the server alone, by region and type. */
interface CatalogueFile {
  readonly providers: Readonly<Record<CloudName, ProviderFile>>;
}
interface ProviderFile {
  readonly regions: readonly { name: string; display_name: string; country_code: string }[];
  readonly instance_types: readonly { name: string; display_name: string; cpu: number; memory: number }[];
  readonly hourly_cost: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const FILE: CatalogueFile = builtIn;

/** What the product knows of a provider without asking it: the sandbox's own, and what a live provider falls back to. */
export function builtInOffer(provider: CloudName): ProviderOffer {
  const { regions, instance_types, hourly_cost }: ProviderFile = FILE.providers[provider];
  return {
    provider,
    regions: regions.map((region) => {
      const prices = new Map(Object.entries(hourly_cost[region.name] ?? {}));
      return {
        name: region.name,
        displayName: region.display_name,
        countryCode: region.country_code,
        instanceTypes: instance_types.flatMap((type) => {
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
        }),
      };
    }),
  };
}

/** The built-in catalogue of all providers. */
export const builtInCatalogue = (): Catalogue => catalogueOf(CLOUD_NAMES.map(builtInOffer));

export function catalogueOf(offers: readonly ProviderOffer[]): Catalogue {
  const byName = new Map<string, ProviderOffer>(offers.map((offer) => [offer.provider, offer]));
  return {
    providers: () => offers.map(({ provider }) => ({ name: provider, displayName: providerName(provider) })),
    regions: (provider) => byName.get(provider)?.regions ?? null,
    instanceTypes: (provider, region) =>
      byName.get(provider)?.regions.find(({ name }) => name === region)?.instanceTypes ?? null,
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
