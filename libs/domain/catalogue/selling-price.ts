import { Money } from '../money';
import type { ProviderOffer } from './offer';
import type { CloudName } from './providers';

/** What a provider charges us, by region and size. */
export interface CostOffer {
  readonly provider: CloudName;
  readonly regions: readonly RegionCosts[];
}

export interface RegionCosts {
  readonly name: string;
  readonly displayName: string;
  /** Two letters, lower case. */
  readonly countryCode: string;
  readonly instanceTypes: readonly InstanceCost[];
}

export interface InstanceCost {
  readonly name: string;
  readonly displayName: string;
  readonly cpu: number;
  readonly memoryGb: number;
  /** GB of its disk; absent: not known. */
  readonly diskGb?: number | undefined;
  /** USD an hour of server, disk and public IPv4 address together, as the provider bills them. */
  readonly hourlyUsd: number;
  /** False: sold out there just now. */
  readonly available: boolean;
}

/** What is added to a provider's cost: so many percent, and at least so many USD an hour. */
export interface Margin {
  readonly percent: number;
  readonly minHourlyUsd: number;
}

export const NO_MARGIN: Margin = { percent: 0, minHourlyUsd: 0 };

/** Hours of a month, where a provider bills a part of a server by the month. */
export const MONTH_HOURS = 730;

/** Disk and IPv4 address per hour in USD, where a provider bills them apart from the server (design notes of 2026-11-21). */
export const BILLED_APART: Readonly<Partial<Record<CloudName, number>>> = {
  // an address 0.005 an hour; 30 GB of gp3 at 0.08 a month each
  aws: 0.005 + (30 * 0.08) / MONTH_HOURS,
  // an address 0.005 an hour; a standard SSD of 32 GB (E4) at 2.40 a month
  azure: 0.005 + 2.4 / MONTH_HOURS,
  // an address 0.005 an hour; 30 GB of a balanced disk at 0.10 a month each
  gcp: 0.005 + (30 * 0.1) / MONTH_HOURS,
};

/** What the customer pays (decisions 53): the cost with the margin, rounded once. */
export function sellingPrice(costUsd: number, { percent, minHourlyUsd }: Margin): Money {
  return roundHalfUp(costUsd + Math.max((costUsd * percent) / 100, minHourlyUsd));
}

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
