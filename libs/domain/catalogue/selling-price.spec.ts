import { describe, expect, it } from '@jest/globals';
import { Money } from '../money';
import { builtInCosts, builtInOffer } from './catalogue';
import { NO_MARGIN, sellingPrice, soldAt } from './selling-price';

describe('selling price of a server', () => {
  it.each([
    ['the cost only, rounded half up', 0.0356123, NO_MARGIN, '0.035612'],
    ['increased by a percentage, rounded once', 0.0107005, { percent: 10, minHourlyUsd: 0 }, '0.011771'],
    ['increased by at least a minimum', 0.01, { percent: 10, minHourlyUsd: 0.004 }, '0.014'],
    ['increased by the percentage if it exceeds the minimum', 0.1, { percent: 10, minHourlyUsd: 0.004 }, '0.11'],
  ] as const)('is %s', (_, cost, margin, price) => {
    expect(sellingPrice(cost, margin)).toEqual(Money.of(Number(price)));
  });

  it('preserves availability, including sold-out sizes', () => {
    const costs = builtInCosts('hetzner');
    const [region] = costs.regions;
    if (region === undefined) throw new Error('no region');
    const [first, ...others] = region.instanceTypes;
    if (first === undefined) throw new Error('no size');
    const soldOut = { ...region, instanceTypes: [{ ...first, available: false }, ...others] };
    const sold = soldAt({ ...costs, regions: [soldOut] }, { percent: 100, minHourlyUsd: 0 });
    expect(sold.regions[0]?.instanceTypes.map(({ name, available }) => [name, available])).toEqual([
      [first.name, false],
      ...others.map(({ name }) => [name, true]),
    ]);
    expect(sold.regions[0]?.instanceTypes[0]?.hourlyCost).toEqual(sellingPrice(2 * first.hourlyUsd, NO_MARGIN));
    expect(soldAt(costs, NO_MARGIN)).toEqual(builtInOffer('hetzner'));
  });
});
