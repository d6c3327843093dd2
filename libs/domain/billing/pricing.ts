import { Money } from '../money';
import type { SupportLevel } from '../deployment/support-level';
import { PRICE_LIST } from './price-list';

/**
 * Components of a deployment's price. The customer's own server costs the management fee and a new server the instance,
 * plus the level in both cases.
 */
export interface PriceQuestion {
  readonly serverType: 'new' | 'vps';
  readonly supportLevel: SupportLevel;
  /** Provider's price per hour, not used for the customer's own server. */
  readonly instanceHourly: Money;
}

export interface PriceQuote {
  readonly hourly: Money;
  readonly daily: Money;
  readonly monthly: Money;
  /** Components per day. */
  readonly breakdown: {
    readonly instanceCost: Money;
    readonly supportCost: Money;
    readonly byovpsManagementFee: Money;
  };
}

/**
 * Returns the hourly price without the level, which is the instance, or the management fee for the customer's own
 * server.
 */
export function basePrice({ serverType, instanceHourly }: Pick<PriceQuestion, 'serverType' | 'instanceHourly'>): Money {
  return serverType === 'vps' ? PRICE_LIST.byovpsFeeHourly : instanceHourly;
}

/** Adds up the components of a deployment's hourly price. A deployment keeps the `baseHourly` of its creation. */
export function hourlyPrice({ baseHourly, supportLevel }: { baseHourly: Money; supportLevel: SupportLevel }): Money {
  return baseHourly.plus(PRICE_LIST.supportLevelHourly[supportLevel]);
}

/** Returns the price of 24 hours. */
export function dailyPrice(hourly: Money): Money {
  return hourly.times(PRICE_LIST.hoursPerDay);
}

/** Calculates the price of a deployment per hour, per day and per 30 days. */
export function quotePrice(question: PriceQuestion): PriceQuote {
  const hourly = hourlyPrice({ baseHourly: basePrice(question), supportLevel: question.supportLevel });
  const daily = dailyPrice(hourly);
  const own = question.serverType === 'vps';
  return {
    hourly,
    daily,
    monthly: daily.times(PRICE_LIST.daysPerMonth),
    breakdown: {
      instanceCost: own ? Money.ZERO : dailyPrice(question.instanceHourly),
      supportCost: dailyPrice(PRICE_LIST.supportLevelHourly[question.supportLevel]),
      byovpsManagementFee: own ? dailyPrice(PRICE_LIST.byovpsFeeHourly) : Money.ZERO,
    },
  };
}

/**
 * Returns the prices of the public page. The two level prices are all-inclusive daily prices on the customer's own
 * server.
 */
export function publicPrices(): {
  minBalanceToDeploy: Money;
  minBalanceFirstDeployment: Money;
  byovpsDailyFee: Money;
  supportLevel2Daily: Money;
  supportLevel3Daily: Money;
} {
  const onOwnServer = (supportLevel: SupportLevel): Money =>
    quotePrice({ serverType: 'vps', supportLevel, instanceHourly: Money.ZERO }).daily;
  return {
    minBalanceToDeploy: PRICE_LIST.minBalanceToDeploy,
    minBalanceFirstDeployment: PRICE_LIST.minBalanceFirstDeployment,
    byovpsDailyFee: dailyPrice(PRICE_LIST.byovpsFeeHourly),
    supportLevel2Daily: onOwnServer(2),
    supportLevel3Daily: onOwnServer(3),
  };
}
