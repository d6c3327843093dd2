import { describe, expect, it } from '@jest/globals';
import { Money } from '../money';
import { catalogueOf } from './catalogue';
import { sellingPrice } from './selling-price';
import { costIn, marginPercent, serverCosts, type ServerGroup } from './server-costs';

describe('cost share of a price', () => {
  it.each([
    ['with a percentage', 0.05, { percent: 20, minHourlyUsd: 0.001 }],
    ['with a minimum above the percentage', 0.004, { percent: 20, minHourlyUsd: 0.002 }],
    ['without a margin', 0.05, { percent: 0, minHourlyUsd: 0 }],
  ])('is the amount the provider charges, %s', (_name, cost, margin) => {
    const found = Number(costIn(sellingPrice(cost, margin), margin).micros);
    expect(Math.abs(found - cost * 1_000_000)).toBeLessThanOrEqual(1);
  });

  it('is never below zero', () => {
    expect(costIn(Money.of(0.001), { percent: 0, minHourlyUsd: 0.01 })).toEqual(Money.ZERO);
  });
});

describe('daily margin of the servers of a provider', () => {
  const margin = { percent: 25, minHourlyUsd: 0 };
  const region = { name: 'fsn1', displayName: 'Falkenstein', countryCode: 'de' };
  const type = { name: 'cx23', displayName: 'CX23', cpu: 2, memoryGb: 4, available: true, hourlyCost: Money.of(0.05) };
  const catalogue = catalogueOf([{ provider: 'hetzner', regions: [{ ...region, instanceTypes: [type] }] }]);
  const group = (over: Partial<ServerGroup>): ServerGroup => ({
    provider: 'hetzner',
    region: 'fsn1',
    instanceType: 'cx23',
    servers: 2,
    hourly: Money.of(0.1),
    chargedHourly: Money.of(0.1),
    ...over,
  });

  it('compares the list price with the prices of the orders', () => {
    expect(serverCosts([group({})], catalogue, margin)).toEqual({
      servers: 2,
      cost: Money.of(1.92),
      paid: Money.of(2.4),
      margin: Money.of(0.48),
    });
  });

  it('is negative if the provider became more expensive after the orders', () => {
    const costs = serverCosts([group({ hourly: Money.of(0.06), chargedHourly: Money.of(0.06) })], catalogue, margin);
    expect([costs.paid, costs.margin, marginPercent(costs)]).toEqual([Money.of(1.44), Money.of(-0.48), -25]);
  });

  it('includes the cost of servers that are not charged to customers', () => {
    const costs = serverCosts([group({ chargedHourly: Money.of(0.05) })], catalogue, margin);
    expect([costs.cost, costs.paid]).toEqual([Money.of(1.92), Money.of(1.2)]);
  });

  it('uses the prices of the orders if the size is no longer listed', () => {
    const costs = serverCosts([group({ instanceType: 'cx11' })], catalogue, margin);
    expect([costs.cost, costs.paid]).toEqual([Money.of(1.92), Money.of(2.4)]);
  });

  it('has no percentage without servers', () => {
    expect(marginPercent(serverCosts([], catalogue, margin))).toBeNull();
  });
});
