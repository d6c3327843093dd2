import { Money } from '../money';
import type { ProviderOffer } from './offer';
import { type CloudName, descriptorOf } from './providers';

/** Prices that a provider charges the platform, by region and size. */
export interface CostOffer {
  readonly provider: CloudName;
  readonly regions: readonly RegionCosts[];
}

export interface RegionCosts {
  readonly name: string;
  readonly displayName: string;
  /** Two lower-case letters. */
  readonly countryCode: string;
  readonly instanceTypes: readonly InstanceCost[];
}

export interface InstanceCost {
  readonly name: string;
  readonly displayName: string;
  readonly cpu: number;
  readonly memoryGb: number;
  /** Disk size in GB, or undefined if unknown. */
  readonly diskGb?: number | undefined;
  /** Price in USD per hour of server, disk and public IPv4 address together, as billed by the provider. */
  readonly hourlyUsd: number;
  /** False if the size is currently sold out in this region. */
  readonly available: boolean;
}

/** Margin added to a provider's cost, in percent with a minimum in USD per hour. */
export interface Margin {
  readonly percent: number;
  readonly minHourlyUsd: number;
}

export const NO_MARGIN: Margin = { percent: 0, minHourlyUsd: 0 };

/** Hours per month, for providers that bill part of a server by the month. */
export const MONTH_HOURS = 730;

/** Returns the price in USD per hour of disk and IPv4 address if they are billed separately from the server, or 0. */
export function billedApartHourly(provider: CloudName): number {
  const { billedApart } = descriptorOf(provider);
  return billedApart === undefined ? 0 : billedApart.addressPerHour + billedApart.diskPerMonth / MONTH_HOURS;
}

/**
 * Returns the price that customers pay, which is the cost plus the margin, rounded once (decision 53).
 *
 * @param costUsd provider's cost in USD per hour
 */
export function sellingPrice(costUsd: number, { percent, minHourlyUsd }: Margin): Money {
  return roundHalfUp(costUsd + Math.max((costUsd * percent) / 100, minHourlyUsd));
}

/** Adds a margin to the costs of a provider. */
export function soldAt({ provider, regions }: CostOffer, margin: Margin): ProviderOffer {
  return {
    provider,
    regions: regions.map((region) => ({
      ...region,
      instanceTypes: region.instanceTypes.map(({ hourlyUsd, ...type }) => ({
        ...type,
        hourlyCost: sellingPrice(hourlyUsd, margin),
      })),
    })),
  };
}

/**
 * Rounds a provider's price in currency units half up to whole micro-units. It rounds the decimal digits, not the
 * binary fraction.
 *
 * @throws RangeError if the number is negative or not finite
 */
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
  // Below 1e-6, JavaScript writes an exponent. Twenty decimals are enough to round correctly.
  return text.includes('e-') ? units.toFixed(20) : text;
}
