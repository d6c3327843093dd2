import type {
  CloudProviderAnswer,
  InstanceTypeAnswer,
  PackageAnswer,
  PackageConfigAnswer,
  PackageFacts,
  Price,
  PriceQuestionBody,
  RegionAnswer,
  SuggestedPlaceAnswer,
} from '@moorage/contracts';
import {
  type Catalogue,
  checkPriceable,
  DomainError,
  findInstanceType,
  fromDaily,
  type InstanceType,
  isoOrNull,
  Money,
  nearestAvailable,
  ORDER_MESSAGES,
  type PriceQuote,
  type Provider,
  providerMode,
  quotePrice,
  type Region,
  sizesOf,
  suggestedPlace,
  unfitReason,
} from '@moorage/domain';
import { Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { FieldsInvalid } from '../http/field-problems';
import { ApiSettings } from '../settings';
import { type OfferedCatalogue, Catalogues } from './catalogues.service';
import { PackageManifests } from './packages';

type ManifestEnvEntry = PackageFacts['details'][number]['required_env'][number];

/** What can be ordered: packages from their folders, regions and sizes from the catalogue. */
@Injectable()
export class CatalogueService {
  constructor(
    private readonly packagesOffered: PackageManifests,
    private readonly db: Db,
    private readonly catalogues: Catalogues,
    private readonly settings: ApiSettings,
  ) {}

  async packages(): Promise<PackageAnswer[]> {
    const catalogue = await this.catalogue();
    const everywhere = catalogue.providers().flatMap((provider) => sizesOf(catalogue, provider.name));
    return this.packagesOffered.listed().map(({ name, display_name, package_description, mark, requires }) => ({
      name,
      display_name,
      description: package_description.en,
      description_texts: package_description,
      mark,
      min_cpu: requires.cpu,
      min_memory_gb: requires.memory_gb,
      from_daily: fromDaily(everywhere, requires)?.toWire() ?? null,
    }));
  }

  /** Throws NOT_FOUND for a name that is not listed. */
  packageConfig(name: string): PackageConfigAnswer {
    const { package_description, details, ...facts } = this.known(name);
    return {
      name,
      display_name: facts.display_name,
      package_description: package_description.en,
      package_description_texts: package_description,
      mark: facts.mark,
      base: facts.base,
      admin_name: facts.admin_name,
      default_admin_subdomain: facts.default_admin_subdomain,
      requires: facts.requires,
      recommended: facts.recommended,
      defaults: facts.defaults,
      changeable: facts.changeable,
      dns: facts.dns.map(({ host, required, when }) => ({ host, required, when })),
      details: details.map(({ description, required_env, optional_env, ...detail }) => ({
        name: detail.name,
        description: description.en,
        description_texts: description,
        required_env: required_env.map(withTexts),
        optional_env: optional_env.map(withTexts),
      })),
      postgres_host: facts.postgres_host,
    };
  }

  /**
   * Returns the providers. With a package, includes the daily price of the cheapest size it runs on at each provider.
   * Throws NOT_FOUND for an unknown package.
   */
  async providers(packageName?: string): Promise<CloudProviderAnswer[]> {
    const catalogue = await this.catalogue();
    return catalogue.providers().map((provider) => ({
      ...this.providerAnswer(provider, catalogue),
      ...this.priced(catalogue, packageName, provider.name),
    }));
  }

  async regions(provider: string, packageName?: string): Promise<RegionAnswer[]> {
    const catalogue = await this.catalogue(provider);
    const regions = catalogue.regions(provider);
    if (regions === null) throw new DomainError('NOT_FOUND', ORDER_MESSAGES.provider_not_offered);
    return regions.map((region) => ({
      ...regionAnswer(region),
      ...this.priced(catalogue, packageName, provider, region.name),
    }));
  }

  /** Returns the sizes of a region. With a package, includes whether it runs on each size. */
  async instanceTypes(
    { provider, region }: { provider: string; region: string },
    packageName?: string,
  ): Promise<InstanceTypeAnswer[]> {
    const types = (await this.catalogue(provider)).instanceTypes(provider, region);
    if (types === null) throw new DomainError('NOT_FOUND', ORDER_MESSAGES.region_not_offered);
    const facts = packageName === undefined ? null : this.known(packageName);
    return types.map((type) => {
      const reason = facts === null ? null : unfitReason(type, { needs: facts.requires, name: facts.display_name });
      return {
        ...sizeAnswer(type, nearestAvailable(types, type, facts?.requires)),
        ...(facts === null ? {} : { fits: reason === null, unfit_reason: reason }),
      };
    });
  }

  /** Returns a place near a time zone that can be ordered as it is. Throws NOT_FOUND for an unknown package. */
  async suggestedPlace(packageName: string, timeZone: string): Promise<{ place: SuggestedPlaceAnswer | null }> {
    const needs = this.known(packageName);
    const catalogue = await this.catalogue();
    const live = catalogue.providers().filter(({ name }) => providerMode(this.settings.clouds, name) !== 'simulated');
    // A simulated server would be a surprise where real ones can be ordered.
    const offered = live.length === 0 ? catalogue : { ...catalogue, providers: () => live };
    const place = suggestedPlace(offered, needs, timeZone);
    if (place === null) return { place };
    const { provider, region, type, near } = place;
    return { place: { cloud_provider: provider, region: region.name, instance_type: type.name, near } };
  }

  /** Throws FIELDS_INVALID for a region or size that is not offered. */
  async calculate(question: PriceQuestionBody): Promise<Price> {
    const catalogue = await this.catalogue(question.cloud_provider ?? '');
    const problems = checkPriceable(question, catalogue);
    if (problems.length > 0) throw new FieldsInvalid(problems);
    const quote = quotePrice({
      serverType: question.server_type,
      supportLevel: question.support_level,
      instanceHourly: instanceHourlyOf(question, catalogue),
    });
    return { ...priceAnswer(quote), server: this.pricedServer(question, catalogue) };
  }

  /** Returns the catalogue's entries of a checked placement, or null for a customer's own server. */
  private pricedServer(question: PriceQuestionBody, catalogue: OfferedCatalogue): Price['server'] {
    const { cloud_provider, region: regionName, instance_type } = question;
    if (question.server_type !== 'new' || cloud_provider === null || regionName === null) return null;
    const provider = catalogue.providers().find(({ name }) => name === cloud_provider);
    const region = catalogue.regions(cloud_provider)?.find(({ name }) => name === regionName);
    const sizes = catalogue.instanceTypes(cloud_provider, regionName) ?? [];
    const size = sizes.find(({ name }) => name === instance_type);
    if (provider === undefined || region === undefined || size === undefined) return null;
    return {
      provider: this.providerAnswer(provider, catalogue),
      region: regionAnswer(region),
      size: sizeAnswer(size, nearestAvailable(sizes, size)),
    };
  }

  private providerAnswer(
    { name, displayName }: Provider,
    catalogue: OfferedCatalogue,
  ): Omit<CloudProviderAnswer, 'from_daily'> {
    return {
      name,
      display_name: displayName,
      simulated: providerMode(this.settings.clouds, name) === 'simulated',
      prices: catalogue.sourceOf(name),
      priced_at: isoOrNull(catalogue.pricedAt(name)),
    };
  }

  private catalogue(provider?: string): Promise<OfferedCatalogue> {
    return this.db.read('catalogue.read', (reads) => this.catalogues.load(reads, provider));
  }

  private known(name: string): PackageFacts {
    const found = this.packagesOffered.find(name);
    if (found === null || found.hidden) throw new DomainError('NOT_FOUND', ORDER_MESSAGES.package_unknown);
    return found;
  }

  /** Returns `from_daily` of a response, or nothing if the request names no package. */
  private priced(
    catalogue: Catalogue,
    packageName: string | undefined,
    provider: string,
    region?: string,
  ): { from_daily?: number | null } {
    if (packageName === undefined) return {};
    const least = fromDaily(sizesOf(catalogue, provider, region), this.known(packageName).requires);
    return { from_daily: least === null ? null : least.toWire() };
  }
}

/** Adds the texts in other languages. The string fields of the specification are in English. */
function withTexts(entry: ManifestEnvEntry): PackageConfigAnswer['details'][number]['required_env'][number] {
  return typeof entry === 'string' ? entry : { name: entry.name, hint: entry.hint.en, hint_texts: entry.hint };
}

/** Returns the provider's price of a checked placement. A customer's own server has none. */
export function instanceHourlyOf(
  place: {
    server_type: 'new' | 'vps' | null;
    cloud_provider: string | null;
    region: string | null;
    instance_type: string | null;
  },
  catalogue: Catalogue,
): Money {
  if (place.server_type !== 'new') return Money.ZERO;
  const found = findInstanceType(catalogue, {
    provider: place.cloud_provider ?? '',
    region: place.region ?? '',
    instanceType: place.instance_type ?? '',
  });
  if (found === null) throw new Error('expected a size of the catalogue, found none');
  return found.hourlyCost;
}

const regionAnswer = ({ name, displayName, countryCode }: Region): RegionAnswer => ({
  name,
  display_name: displayName,
  country_code: countryCode,
});

const sizeAnswer = (size: InstanceType, nearest: InstanceType | null): InstanceTypeAnswer => ({
  name: size.name,
  display_name: size.displayName,
  cpu: size.cpu,
  memory: size.memoryGb,
  hourly_cost: size.hourlyCost.toWire(),
  available: size.available,
  nearest: size.available ? null : (nearest?.name ?? null),
});

function priceAnswer({ hourly, daily, monthly, breakdown }: PriceQuote): Omit<Price, 'server'> {
  return {
    hourly_cost: hourly.toWire(),
    daily_cost: daily.toWire(),
    monthly_cost: monthly.toWire(),
    breakdown: {
      instance_cost: breakdown.instanceCost.toWire(),
      support_cost: breakdown.supportCost.toWire(),
      byovps_management_fee: breakdown.byovpsManagementFee.toWire(),
    },
  };
}
