import { Money } from '../money';
import type { Margin } from './selling-price';
import { findInstanceType, type Catalogue } from './catalogue';

const DAY_HOURS = 24;

/** Servers of the same size in the same region of a provider. */
export interface ServerGroup {
  readonly provider: string;
  readonly region: string;
  readonly instanceType: string;
  readonly servers: number;
  /** Hourly price of all servers of the group, as ordered. */
  readonly hourly: Money;
  /** Part of `hourly` that is currently charged. The remaining servers are not billed at the moment. */
  readonly chargedHourly: Money;
}

/** Daily amounts. */
export interface ServerCosts {
  readonly servers: number;
  readonly cost: Money;
  /** Server part of the customers' charges, without support. */
  readonly paid: Money;
  readonly margin: Money;
}

/**
 * Returns the provider's cost in a selling price, rounded down to the micro-unit. It is the inverse of `sellingPrice`.
 */
export function costIn(price: Money, { percent, minHourlyUsd }: Margin): Money {
  const micros = Number(price.micros);
  const byPercent = Math.floor(micros / (1 + percent / 100));
  const byMinimum = Math.floor(micros - minHourlyUsd * 1_000_000);
  const cost = Math.max(0, Math.min(byPercent, byMinimum));
  return Money.micros(BigInt(cost));
}

/** Returns the provider's daily cost of a server sold at this hourly price. */
export const dailyCostIn = (hourly: Money, margin: Margin): Money => costIn(hourly, margin).times(DAY_HOURS);

/**
 * Returns the daily cost of a provider's servers and the amount customers pay for them. Costs are today's list prices.
 * A size that is no longer listed counts with the prices of its orders.
 */
export function serverCosts(groups: readonly ServerGroup[], catalogue: Catalogue, margin: Margin): ServerCosts {
  let [servers, cost, paid] = [0, Money.ZERO, Money.ZERO];
  for (const group of groups) {
    const { provider, region, instanceType } = group;
    const listed = findInstanceType(catalogue, { provider, region, instanceType });
    const hourlyCost =
      listed === null
        ? costIn(group.hourly, { ...margin, minHourlyUsd: margin.minHourlyUsd * group.servers })
        : costIn(listed.hourlyCost, margin).times(group.servers);
    servers += group.servers;
    cost = cost.plus(hourlyCost.times(DAY_HOURS));
    paid = paid.plus(group.chargedHourly.times(DAY_HOURS));
  }
  return { servers, cost, paid, margin: paid.minus(cost) };
}

/** Returns the margin as a percentage of the cost, or null if the cost is zero. */
export function marginPercent({ cost, margin }: Pick<ServerCosts, 'cost' | 'margin'>): number | null {
  return cost.isZero ? null : Math.round((Number(margin.micros) / Number(cost.micros)) * 1_000) / 10;
}
