import type { Message } from '../messages/message';
import { CLOUD_NAMES, type CloudName, providerName } from './providers';
import type { InstanceType, ProviderOffer, Region } from './offer';
import { billedApartHourly, type CostOffer, type Margin, NO_MARGIN, soldAt } from './selling-price';
import builtIn from './built-in.json' with { type: 'json' };

export interface Provider {
  readonly name: string;
  readonly displayName: string;
}

/** Regions and sizes of the providers with their prices. Every list is in catalogue order. */
export interface Catalogue {
  readonly providers: () => readonly Provider[];
  /** Regions of a provider, or null for an unknown provider. */
  readonly regions: (provider: string) => readonly Region[] | null;
  /** Sizes with a price in a region, or null for an unknown provider or region. */
  readonly instanceTypes: (provider: string, region: string) => readonly InstanceType[] | null;
  /** Returns a specific reason why a provider is not offered, or null. */
  readonly refusalOf?: (provider: string) => Message | null;
}

/** Format of the catalogue file. Prices are USD per hour for the server alone, by region and type. */
interface CatalogueFile {
  readonly providers: Readonly<Record<CloudName, ProviderFile>>;
}
interface ProviderFile {
  readonly regions: readonly { name: string; display_name: string; country_code: string }[];
  readonly instance_types: readonly { name: string; display_name: string; cpu: number; memory: number; disk: number }[];
  readonly hourly_cost: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const FILE: CatalogueFile = builtIn;

/** Returns the server costs of a provider from the catalogue file. */
export function builtInCosts(provider: CloudName): CostOffer {
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
          const { name, display_name: displayName, cpu, memory: memoryGb, disk: diskGb } = type;
          return [{ name, displayName, cpu, memoryGb, diskGb, hourlyUsd: cost, available: true }];
        }),
      };
    }),
  };
}

/** Returns a provider's offer from the catalogue file without a margin, used by the sandbox. */
export const builtInOffer = (provider: CloudName): ProviderOffer => soldAt(builtInCosts(provider), NO_MARGIN);

/**
 * Returns the offer of a live provider that currently returns no prices. It uses the catalogue file plus everything
 * that the provider bills separately.
 */
export function standInOffer(provider: CloudName, margin: Margin): ProviderOffer {
  const apart = billedApartHourly(provider);
  const costs = builtInCosts(provider);
  const regions = costs.regions.map((region) => ({
    ...region,
    instanceTypes: region.instanceTypes.map((type) => ({ ...type, hourlyUsd: type.hourlyUsd + apart })),
  }));
  return soldAt({ provider, regions }, margin);
}

/** Returns the built-in catalogue of all providers. */
export const builtInCatalogue = (): Catalogue => catalogueOf(CLOUD_NAMES.map(builtInOffer));

/** Creates a catalogue from the offers of providers. */
export function catalogueOf(offers: readonly ProviderOffer[]): Catalogue {
  const byName = new Map<string, ProviderOffer>(offers.map((offer) => [offer.provider, offer]));
  return {
    providers: () => offers.map(({ provider }) => ({ name: provider, displayName: providerName(provider) })),
    regions: (provider) => byName.get(provider)?.regions ?? null,
    instanceTypes: (provider, region) =>
      byName.get(provider)?.regions.find(({ name }) => name === region)?.instanceTypes ?? null,
  };
}

/** Returns the size as offered in a region, or null. */
export function findInstanceType(
  catalogue: Catalogue,
  place: { provider: string; region: string; instanceType: string },
): InstanceType | null {
  return catalogue.instanceTypes(place.provider, place.region)?.find(({ name }) => name === place.instanceType) ?? null;
}
