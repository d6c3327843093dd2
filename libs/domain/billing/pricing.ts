import { Money } from '../money';
import type { SupportLevel } from '../deployment/support-level';
import { PRICE_LIST } from './price-list';

/** What a deployment costs: on the user's own server the management fee, on a new one the instance; plus the level. */
export interface PriceQuestion {
  readonly serverType: 'new' | 'vps';
  readonly supportLevel: SupportLevel;
  /** The provider's price per hour; an own server has none. */
  readonly instanceHourly: Money;
}

export interface PriceQuote {
  readonly hourly: Money;
  readonly daily: Money;
  readonly monthly: Money;
  /** Each figure per day. */
  readonly breakdown: {
    readonly instanceCost: Money;
    readonly supportCost: Money;
    readonly byovpsManagementFee: Money;
  };
}

/** Per hour, without the level: the instance, or on the user's own server the management fee. */
export function basePrice({ serverType, instanceHourly }: Pick<PriceQuestion, 'serverType' | 'instanceHourly'>): Money {
  return serverType === 'vps' ? PRICE_LIST.byovpsFeeHourly : instanceHourly;
}

/** The only sum of a deployment's components, per hour; a deployment keeps the `baseHourly` it was created with. */
export function hourlyPrice({ baseHourly, supportLevel }: { baseHourly: Money; supportLevel: SupportLevel }): Money {
  return baseHourly.plus(PRICE_LIST.supportLevelHourly[supportLevel]);
}

export function dailyPrice(hourly: Money): Money {
  return hourly.times(PRICE_LIST.hoursPerDay);
}

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

/** The pricing object of the public page; the two level prices are all-in daily prices on the user's own server. */
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
