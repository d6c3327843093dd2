import { describe, expect, it } from '@jest/globals';
import { builtInCatalogue, builtInOffer, catalogueOf, findInstanceType, standInOffer } from './catalogue';
import { CLOUD_NAMES } from './providers';
import { roundHalfUp } from './selling-price';

const catalogue = builtInCatalogue();

describe('built-in catalogue', () => {
  it('offers every provider', () => {
    expect(catalogue.providers().map(({ name }) => name)).toEqual(CLOUD_NAMES);
  });

  it('consists of one offer for each provider', () => {
    const some = catalogueOf([builtInOffer('hetzner'), builtInOffer('vultr')]);
    expect(some.providers().map(({ displayName }) => displayName)).toEqual(['Hetzner', 'Vultr']);
    expect(some.regions('aws')).toBeNull();
    expect(some.instanceTypes('aws', 'us-east-1')).toBeNull();
    expect(some.instanceTypes('vultr', 'ewr')).toEqual(catalogue.instanceTypes('vultr', 'ewr'));
  });

  it('prices cpx22 in fsn1 at 0.0356 an hour', () => {
    const found = findInstanceType(catalogue, { provider: 'hetzner', region: 'fsn1', instanceType: 'cpx22' });
    expect(found?.hourlyCost.micros).toBe(35_600n);
    expect(found).toMatchObject({ name: 'cpx22', cpu: 2, memoryGb: 4 });
  });

  it('offers a type only in regions with a price', () => {
    const names = (region: string): string[] =>
      (catalogue.instanceTypes('hetzner', region) ?? []).map(({ name }) => name);
    expect(names('fsn1')).toContain('cpx22');
    expect(names('fsn1')).not.toContain('cpx11');
    expect(names('ash')).toContain('cpx11');
    expect(names('ash')).not.toContain('cpx22');
  });

  it('has regions with a country for every provider, and at least one priced type in each', () => {
    for (const provider of catalogue.providers()) {
      const regions = catalogue.regions(provider.name) ?? [];
      expect(regions.length).toBeGreaterThan(0);
      for (const region of regions) {
        expect(region.countryCode).toMatch(/^[a-z]{2}$/);
        const types = catalogue.instanceTypes(provider.name, region.name) ?? [];
        expect(types.length).toBeGreaterThan(0);
        for (const type of types) expect(type.hourlyCost.isPositive).toBe(true);
      }
    }
  });

  it.each(['', 'HETZNER', 'constructor', '__proto__', '../aws'])('has no provider %j', (name) => {
    expect(catalogue.regions(name)).toBeNull();
    expect(catalogue.instanceTypes(name, 'fsn1')).toBeNull();
    expect(catalogue.instanceTypes('hetzner', name)).toBeNull();
  });
});

describe('selling price of a live provider without prices', () => {
  const price = (provider: 'aws' | 'hetzner', region: string, name: string, percent: number, minHourlyUsd = 0) =>
    standInOffer(provider, { percent, minHourlyUsd })
      .regions.find((one) => one.name === region)
      ?.instanceTypes.find((one) => one.name === name)
      ?.hourlyCost.toWire();

  it.each([
    // 0.0208 for the server, 0.005 for the address, and 30 GB at 0.08 a month
    [
      'the price with disk and address if they are billed separately',
      price('aws', 'us-east-1', 't3.small', 0),
      0.029088,
    ],
    ['the price with the margin on all parts', price('aws', 'us-east-1', 't3.small', 10), 0.031996],
    ['the price with the minimum margin', price('aws', 'us-east-1', 't3.small', 0, 0.01), 0.039088],
    ['the list price if only the server is billed', price('hetzner', 'fsn1', 'cpx22', 0), 0.0356],
  ])('is %s', (_, sold, expected) => {
    expect(sold).toBe(expected);
  });
});

describe('provider price in micro-units', () => {
  it.each([
    [0.0356, 35_600n],
    [0.0000005, 1n],
    [0.00000049, 0n],
    [0.0000015, 2n],
    [1.0000014999, 1_000_001n],
    [0.1234565, 123_457n],
    [1.005, 1_005_000n],
    [12, 12_000_000n],
    [0, 0n],
  ])('%d rounds half up to %s', (units, micros) => {
    expect(roundHalfUp(units).micros).toBe(micros);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 1e21])('%d is rejected', (units) => {
    expect(() => roundHalfUp(units)).toThrow('not an amount');
  });
});
