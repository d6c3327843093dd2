import type { PackageAnswer, PackageConfigAnswer, Price, PriceQuestionBody, Prices } from '@moorage/contracts';
import {
  type Catalogue,
  checkPriceable,
  DomainError,
  findInstanceType,
  Money,
  type PriceQuote,
  publicPrices,
  quotePrice,
} from '@moorage/domain';
import { FieldsInvalid } from '../http/field-problems';
import type { Packages } from './packages';

export interface CatalogueService {
  packages(): PackageAnswer[];
  /** NOT_FOUND for a name that is not listed. */
  packageConfig(name: string): PackageConfigAnswer;
  providers(): { name: string; display_name: string }[];
  regions(provider: string): { name: string; display_name: string; country_code: string }[];
  instanceTypes(
    provider: string,
    region: string,
  ): { name: string; display_name: string; cpu: number; memory: number; hourly_cost: number }[];
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
  return {
    packages: () =>
      packages.listed().map(({ name, display_name, package_description }) => ({
        name,
        display_name,
        description: package_description,
      })),

    packageConfig(name) {
      const found = packages.find(name);
      if (found === null || found.hidden) throw new DomainError('NOT_FOUND', 'There is no such package.');
      const { display_name, package_description, base, default_admin_subdomain, requires, details, postgres_host } =
        found;
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

    providers: () => catalogue.providers().map(({ name, displayName }) => ({ name, display_name: displayName })),

    regions(provider) {
      const regions = catalogue.regions(provider);
      if (regions === null) throw new DomainError('NOT_FOUND', 'This cloud provider is not offered.');
      return regions.map(({ name, displayName, countryCode }) => ({
        name,
        display_name: displayName,
        country_code: countryCode,
      }));
    },

    instanceTypes(provider, region) {
      const types = catalogue.instanceTypes(provider, region);
      if (types === null) throw new DomainError('NOT_FOUND', 'This provider or region is not offered.');
      return types.map(({ name, displayName, cpu, memoryGb, hourlyCost }) => ({
        name,
        display_name: displayName,
        cpu,
        memory: memoryGb,
        hourly_cost: hourlyCost.toWire(),
      }));
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
