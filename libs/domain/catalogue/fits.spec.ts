import { describe, expect, it } from '@jest/globals';
import { Money } from '../money';
import { builtInCatalogue } from './catalogue';
import { fits, fromDaily, recommendedSize, sizesOf, sortSizes, unfitReason } from './fits';

const NEEDS = { cpu: 2, memory_gb: 4 };
const size = (cpu: number, memoryGb: number, hourly = 0.01) => ({
  name: 'x',
  displayName: 'x',
  cpu,
  memoryGb,
  hourlyCost: Money.of(hourly),
  available: true,
});

describe('server size and package requirements', () => {
  it.each([
    [2, 4, null],
    [4, 16, null],
    [1, 4, 'Pangolin needs 2 processors.'],
    [2, 2, 'Pangolin needs 4 GB of memory.'],
    [1, 0.5, 'Pangolin needs 2 processors and 4 GB of memory.'],
  ])('%d processors, %d GB: %p', (cpu, memoryGb, reason) => {
    expect(unfitReason({ cpu, memoryGb }, { needs: NEEDS, name: 'Pangolin' })?.detail ?? null).toBe(reason);
    expect(fits({ cpu, memoryGb }, NEEDS)).toBe(reason === null);
  });

  it('use the singular for a single processor', () => {
    expect(unfitReason({ cpu: 0, memoryGb: 8 }, { needs: { cpu: 1, memory_gb: 1 }, name: 'It' })?.detail).toBe(
      'It needs 1 processor.',
    );
  });

  it('use the cheapest suitable size for the lowest daily price', () => {
    expect(fromDaily([size(1, 1, 0.001), size(2, 4, 0.02), size(4, 8, 0.01)], NEEDS)).toEqual(Money.of(0.24));
    const scarce = { ...size(2, 4, 0.005), displayName: 'S (often sold out)' };
    expect(fromDaily([scarce, size(2, 4, 0.02)], NEEDS)).toEqual(Money.of(0.48));
    expect(fromDaily([scarce], NEEDS)).toEqual(Money.of(0.12));
    expect(fromDaily([size(1, 1, 0.001)], NEEDS)).toBeNull();
    expect(fromDaily([], NEEDS)).toBeNull();
  });

  it('are compared in one region or in all regions of a provider', () => {
    const catalogue = builtInCatalogue();
    expect(sizesOf(catalogue, 'hetzner', 'fsn1')).toEqual(catalogue.instanceTypes('hetzner', 'fsn1'));
    expect(sizesOf(catalogue, 'hetzner').length).toBeGreaterThan(sizesOf(catalogue, 'hetzner', 'fsn1').length);
    expect(sizesOf(catalogue, 'nowhere')).toEqual([]);
    expect(sizesOf(catalogue, 'hetzner', 'nowhere')).toEqual([]);
  });
});

describe('sizes offered for selection', () => {
  const offered = (name: string, cpu: number, memoryGb: number, hourly: number) => ({ name, cpu, memoryGb, hourly });
  const SIZES = [
    offered('large', 8, 16, 0.1),
    offered('small', 1, 2, 0.01),
    offered('middle', 2, 4, 0.04),
    offered('wide', 4, 4, 0.03),
    offered('tiny', 1, 0.5, 0.01),
  ];

  it('are sorted by price, and larger first at the same price', () => {
    expect(sortSizes(SIZES).map(({ name }) => name)).toEqual(['small', 'tiny', 'wide', 'middle', 'large']);
  });

  it.each([
    ['the cheapest recommended size', { cpu: 1, memory_gb: 2 }, { cpu: 2, memory_gb: 4 }, 'wide'],
    ['the cheapest sufficient size without a recommendation', { cpu: 1, memory_gb: 2 }, undefined, 'small'],
    [
      'the cheapest sufficient size if none reaches the recommendation',
      { cpu: 2, memory_gb: 4 },
      { cpu: 16, memory_gb: 64 },
      'wide',
    ],
    ['never a size below the minimum', { cpu: 2, memory_gb: 8 }, { cpu: 1, memory_gb: 1 }, 'large'],
    ['none if no size is sufficient', { cpu: 9, memory_gb: 1 }, undefined, undefined],
  ])('include a recommendation: %s', (_, requires, recommended, name) => {
    expect(recommendedSize(SIZES, { requires, recommended })?.name).toBe(name);
  });
});
