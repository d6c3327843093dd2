import type {
  CloudProviderAnswer,
  InstanceTypeAnswer,
  PackageAnswer,
  PackageConfigAnswer,
  PackageFacts,
  Price,
  PriceQuestionBody,
  Prices,
  RegionAnswer,
} from '@moorage/contracts';
import {
  type Catalogue,
  checkPriceable,
  DomainError,
  findInstanceType,
  fromDaily,
  Money,
  ORDER_WORDS,
  type PriceQuote,
  publicPrices,
  quotePrice,
  sizesOf,
  unfitReason,
} from '@moorage/domain';
import { FieldsInvalid } from '../http/field-problems';
import type { Packages } from './packages';

export interface CatalogueService {
  packages(): PackageAnswer[];
  /** NOT_FOUND for a name that is not listed. */
  packageConfig(name: string): PackageConfigAnswer;
  /** With a package: what the cheapest size that does for it costs there. NOT_FOUND for an unknown one. */
  providers(packageName?: string): CloudProviderAnswer[];
  regions(provider: string, packageName?: string): RegionAnswer[];
  /** With a package: whether each does for it. */
  instanceTypes(place: { provider: string; region: string }, packageName?: string): InstanceTypeAnswer[];
  prices(): Prices;
  /** FIELDS_INVALID for a place or size that is not offered. */
  calculate(question: PriceQuestionBody): Price;
}

export function createCatalogueService({
  packages,
  catalogue,
}: {
  packages: Packages;
  catalogue: Catalogue;
}): CatalogueService {
  function known(name: string): PackageFacts {
    const found = packages.find(name);
    if (found === null || found.hidden) throw new DomainError('NOT_FOUND', ORDER_WORDS.package_unknown);
    return found;
  }

  /** `from_daily` of an answer, or nothing where no package is asked for. */
  function priced(packageName: string | undefined, provider: string, region?: string): { from_daily?: number | null } {
    if (packageName === undefined) return {};
    const least = fromDaily(sizesOf(catalogue, provider, region), known(packageName).requires);
    return { from_daily: least === null ? null : least.toWire() };
  }

  return {
    packages: () =>
      packages.listed().map(({ name, display_name, package_description, requires }) => {
        const everywhere = catalogue.providers().flatMap((provider) => sizesOf(catalogue, provider.name));
        return {
          name,
          display_name,
          description: package_description,
          min_cpu: requires.cpu,
          min_memory_gb: requires.memory_gb,
          from_daily: fromDaily(everywhere, requires)?.toWire() ?? null,
        };
      }),

    packageConfig(name) {
      const { display_name, package_description, base, default_admin_subdomain, requires, details, postgres_host } =
        known(name);
      return {
        name,
        display_name,
        package_description,
        base,
        default_admin_subdomain,
        requires,
        details,
        postgres_host,
      };
    },

    providers: (packageName) =>
      catalogue
        .providers()
        .map(({ name, displayName }) => ({ name, display_name: displayName, ...priced(packageName, name) })),

    regions(provider, packageName) {
      const regions = catalogue.regions(provider);
      if (regions === null) throw new DomainError('NOT_FOUND', ORDER_WORDS.provider_not_offered);
      return regions.map(({ name, displayName, countryCode }) => ({
        name,
        display_name: displayName,
        country_code: countryCode,
        ...priced(packageName, provider, name),
      }));
    },

    instanceTypes({ provider, region }, packageName) {
      const types = catalogue.instanceTypes(provider, region);
      if (types === null) throw new DomainError('NOT_FOUND', ORDER_WORDS.region_not_offered);
      const facts = packageName === undefined ? null : known(packageName);
      return types.map((type) => {
        const reason = facts === null ? null : unfitReason(type, { needs: facts.requires, name: facts.display_name });
        return {
          name: type.name,
          display_name: type.displayName,
          cpu: type.cpu,
          memory: type.memoryGb,
          hourly_cost: type.hourlyCost.toWire(),
          ...(facts === null ? {} : { fits: reason === null, unfit_reason: reason }),
        };
      });
    },

    prices() {
      const { minBalanceToDeploy, minBalanceFirstDeployment, byovpsDailyFee, supportLevel2Daily, supportLevel3Daily } =
        publicPrices();
      return {
        minBalanceToDeploy: minBalanceToDeploy.toWire(),
        minBalanceFirstDeployment: minBalanceFirstDeployment.toWire(),
        byovpsDailyFee: byovpsDailyFee.toWire(),
        supportLevel2Daily: supportLevel2Daily.toWire(),
        supportLevel3Daily: supportLevel3Daily.toWire(),
        referrals_enabled: true,
      };
    },

    calculate(question) {
      const problems = checkPriceable(question, catalogue);
      if (problems.length > 0) throw new FieldsInvalid(problems);
      return priceAnswer(
        quotePrice({
          serverType: question.server_type,
          supportLevel: question.support_level,
          instanceHourly: instanceHourlyOf(question, catalogue),
        }),
      );
    },
  };
}

/** The provider's price of a checked placement; an own server has none. */
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
  if (found === null) throw new Error('the placement was not checked');
  return found.hourlyCost;
}

function priceAnswer({ hourly, daily, monthly, breakdown }: PriceQuote): Price {
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
