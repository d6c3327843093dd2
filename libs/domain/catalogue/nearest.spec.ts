import { describe, expect, it } from '@jest/globals';
import { Money } from '../money';
import { catalogueOf } from './catalogue';
import { alternativePlaces, nearestSizes } from './nearest';
import { type InstanceType, splitTypeName } from './offer';

const size = (name: string, cpu: number, memoryGb: number, hourly: number, available = true) => ({
  name,
  cpu,
  memoryGb,
  hourly,
  available,
});

describe('nearest size to a sold-out size', () => {
  const SIZES = [
    size('wanted', 2, 4, 0.03, false),
    size('twin', 2, 4, 0.05),
    size('large', 4, 8, 0.04),
    size('huge', 16, 64, 0.6),
    size('small', 1, 2, 0.01),
    size('wide', 4, 2, 0.02),
  ];
  const without = (...names: string[]) => SIZES.filter(({ name }) => !names.includes(name));

  it.each([
    ['the cheapest size that is as large', SIZES, 'large'],
    ['the next size that is as large, at any price', without('large', 'twin'), 'huge'],
    ['the largest smaller size if none is as large', without('large', 'twin', 'huge'), 'wide'],
    ['empty if everything is sold out', SIZES.map((one) => ({ ...one, available: false })), undefined],
    ['empty if there are no sizes', [], undefined],
  ])('is %s', (_, sizes, name) => {
    expect(nearestSizes(sizes, { cpu: 2, memoryGb: 4 })[0]?.name).toBe(name);
  });
});

describe('alternatives to a sold-out size', () => {
  const type = (name: string, cpu: number, memoryGb: number, hourly: number, available = true): InstanceType => ({
    name,
    displayName: name.toUpperCase(),
    cpu,
    memoryGb,
    hourlyCost: Money.of(hourly),
    available,
  });
  const region = (name: string, ...instanceTypes: InstanceType[]) => ({
    name,
    displayName: name,
    countryCode: 'de',
    instanceTypes,
  });
  const places = (regions: ReturnType<typeof region>[], needs = { cpu: 1, memory_gb: 2 }) =>
    alternativePlaces(
      catalogueOf([{ provider: 'hetzner', regions }]),
      { provider: 'hetzner', region: 'fsn1', instanceType: 'cx23' },
      needs,
    ).map((place) => `${place.region.name}/${place.type.name}`);
  const HERE = region(
    'fsn1',
    // A size that failed is no alternative, even if the catalogue does not list it as sold out yet.
    type('cx23', 2, 4, 0.01),
    type('nano', 1, 1, 0.001),
    type('cx22', 2, 3, 0.009),
    type('cx33', 4, 8, 0.02),
    type('cx43', 8, 16, 0.04),
    type('cx53', 16, 32, 0.08),
    type('gone', 4, 8, 0.015, false),
  );

  it('are the nearest sizes there, then the same size elsewhere by price, six at most', () => {
    const there = ['nbg1', 'hel1', 'ash', 'hil'].map((name, index) =>
      region(name, type('cx23', 2, 4, [0.05, 0.04, 0.03, 0.02][index] ?? 0)),
    );
    expect(places([HERE, ...there])).toEqual([
      'fsn1/cx33',
      'fsn1/cx43',
      'fsn1/cx53',
      'hil/cx23',
      'ash/cx23',
      'hel1/cx23',
    ]);
  });

  it('include more sizes of that region if few other regions have it', () => {
    expect(places([HERE, region('hel1', type('cx23', 2, 4, 0.05))])).toEqual([
      'fsn1/cx33',
      'fsn1/cx43',
      'fsn1/cx53',
      'fsn1/cx22',
      'hel1/cx23',
    ]);
  });

  it('are never sold out and never too small for the package', () => {
    expect(
      places([HERE, region('hel1', type('cx23', 2, 4, 0.05, false)), region('sin', type('cx23', 2, 4, 0.05))], {
        cpu: 4,
        memory_gb: 16,
      }),
    ).toEqual(['fsn1/cx43', 'fsn1/cx53']);
  });

  it('are empty if the provider offers nothing any more', () => {
    expect(places([])).toEqual([]);
  });

  it('follow the package requirements if the size is no longer offered', () => {
    expect(places([region('fsn1', type('cx43', 8, 16, 0.04), type('cx33', 4, 8, 0.02))])).toEqual([
      'fsn1/cx33',
      'fsn1/cx43',
    ]);
  });
});

it.each([
  ['CX23 (often sold out)', 'CX23', 'often sold out'],
  ['CX23', 'CX23', null],
  ['Standard (4 GB) B2s', 'Standard (4 GB) B2s', null],
  ['B2s (4 GB) (dedicated)', 'B2s (4 GB)', 'dedicated'],
  ['(dedicated)', '(dedicated)', null],
])('splits the type name %s into %s and the remark %p', (displayName, name, remark) => {
  expect(splitTypeName(displayName)).toEqual({ name, remark });
});
