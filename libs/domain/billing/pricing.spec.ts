import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Money } from '../money';
import { PRICE_LIST } from './price-list';
import { basePrice, hourlyPrice, publicPrices, quotePrice } from './pricing';

const cpx22 = Money.of(0.0356);

describe('prices in responses (G01)', () => {
  it('include an own server with Level 2', () => {
    const quote = quotePrice({ serverType: 'vps', supportLevel: 2, instanceHourly: Money.ZERO });
    expect([quote.hourly, quote.daily, quote.monthly].map((m) => m.toWire())).toEqual([0.0735, 1.764, 52.92]);
    const { instanceCost, supportCost, byovpsManagementFee } = quote.breakdown;
    expect([instanceCost, supportCost, byovpsManagementFee].map((m) => m.toWire())).toEqual([0, 1.644, 0.12]);
  });

  it('include cpx22 with Level 1', () => {
    const quote = quotePrice({ serverType: 'new', supportLevel: 1, instanceHourly: cpx22 });
    expect([quote.hourly, quote.daily, quote.monthly].map((m) => m.toWire())).toEqual([0.0356, 0.8544, 25.632]);
    const { instanceCost, supportCost, byovpsManagementFee } = quote.breakdown;
    expect([instanceCost, supportCost, byovpsManagementFee].map((m) => m.toWire())).toEqual([0.8544, 0, 0]);
  });

  it.each([
    ['new', 1, 35_600n, 854_400n],
    ['new', 2, 104_100n, 2_498_400n],
    ['new', 3, 309_600n, 7_430_400n],
    ['vps', 1, 5_000n, 120_000n],
    ['vps', 2, 73_500n, 1_764_000n],
    ['vps', 3, 279_000n, 6_696_000n],
  ] as const)('%s at Level %i: %i an hour, %i a day', (serverType, supportLevel, hour, day) => {
    const quote = quotePrice({ serverType, supportLevel, instanceHourly: cpx22 });
    expect([quote.hourly.micros, quote.daily.micros, quote.monthly.micros]).toEqual([hour, day, day * 30n]);
  });

  it('state total level prices for an own server', () => {
    const prices = publicPrices();
    expect(prices.minBalanceToDeploy.toWire()).toBe(5);
    expect(prices.minBalanceFirstDeployment.toWire()).toBe(4.99);
    expect(prices.byovpsDailyFee.toWire()).toBe(0.12);
    expect([prices.supportLevel2Daily.toWire(), prices.supportLevel3Daily.toWire()]).toEqual([1.764, 6.696]);
    expect([prices.supportLevel2Daily.toDisplay('price'), prices.supportLevel3Daily.toDisplay('price')]).toEqual([
      '1.76',
      '6.70',
    ]);
  });

  it('break down into parts that add up to the daily price', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('new' as const, 'vps' as const),
        fc.constantFrom(1 as const, 2 as const, 3 as const),
        fc.bigInt({ min: 0n, max: 10_000_000n }),
        (serverType, supportLevel, micros) => {
          const question = { serverType, supportLevel, instanceHourly: Money.micros(micros) };
          const { daily, hourly, breakdown } = quotePrice(question);
          const parts = Money.sum([breakdown.instanceCost, breakdown.supportCost, breakdown.byovpsManagementFee]);
          expect(parts.micros).toBe(daily.micros);
          expect(hourly.micros).toBe(hourlyPrice({ baseHourly: basePrice(question), supportLevel }).micros);
          expect(daily.micros).toBe(hourly.micros * BigInt(PRICE_LIST.hoursPerDay));
        },
      ),
    );
  });
});
