import { Money } from '../money';
import type { Margin } from './selling-price';
import { findInstanceType, type Catalogue } from './catalogue';

const DAY_HOURS = 24;

/** Servers of one size in one region of a provider. */
export interface ServerGroup {
  readonly provider: string;
  readonly region: string;
  readonly instanceType: string;
  readonly servers: number;
  /** The hourly price of all servers of the group, as ordered. */
  readonly hourly: Money;
  /** The part of `hourly` that customers are charged now: the meter of the others is off. */
  readonly chargedHourly: Money;
}

/** Amounts of one day. */
export interface ServerCosts {
  readonly servers: number;
  readonly cost: Money;
  /** The servers' part of what customers are charged, without support. */
  readonly paid: Money;
  readonly margin: Money;
}

/** The provider's cost in a selling price. The inverse of `sellingPrice`, to the micro-unit below. */
export function costIn(price: Money, { percent, minHourlyUsd }: Margin): Money {
  const micros = Number(price.micros);
  const byPercent = Math.floor(micros / (1 + percent / 100));
  const byMinimum = Math.floor(micros - minHourlyUsd * 1_000_000);
  const cost = Math.max(0, Math.min(byPercent, byMinimum));
  return Money.micros(BigInt(cost));
}

/** The provider's daily cost of a server that is sold at this hourly price. */
export const dailyCostIn = (hourly: Money, margin: Margin): Money => costIn(hourly, margin).times(DAY_HOURS);

/**
 * What the servers of one provider cost in a day and what customers pay for them. The cost is today's list price. A size
 * that is not listed any more counts with the prices of its orders.
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

/** The margin as a percentage of the cost, or null without a cost. */
export function marginPercent({ cost, margin }: Pick<ServerCosts, 'cost' | 'margin'>): number | null {
  return cost.isZero ? null : Math.round((Number(margin.micros) / Number(cost.micros)) * 1_000) / 10;
}
