import { describe, expect, it } from '@jest/globals';
import type { InstanceType } from '../catalogue/offer';
import { Money } from '../money';
import { effectOfSize } from './size-change';

const size = (name: string, cpu: number, diskGb: number): InstanceType => ({
  name,
  displayName: name.toUpperCase(),
  cpu,
  memoryGb: cpu * 2,
  diskGb,
  hourlyCost: Money.of(0.01 * cpu),
  available: true,
});
const SMALL = size('cpx22', 2, 80);
const LARGE = size('cpx32', 4, 160);

const change = (provider: string, growDisk: boolean, more: { from?: InstanceType | null; cpu?: number } = {}) =>
  effectOfSize({
    provider,
    from: more.from === undefined ? SMALL : more.from,
    to: LARGE,
    diskGb: 80,
    growDisk,
    package: { name: 'Example', needs: { cpu: more.cpu ?? 1, memory_gb: 1 } },
  });

describe('effect of another size', () => {
  it.each([
    ['a disk that stays leaves the way back open', change('hetzner', false), { diskGb: 80, wayBack: true }],
    ['a disk that grows closes it', change('hetzner', true), { diskGb: 160, wayBack: false }],
    ['a provider that only enlarges servers has none', change('vultr', false), { diskGb: 160, wayBack: false }],
    ['a volume of its own keeps its size', change('aws', true), { diskGb: 80, wayBack: true }],
    ['a size that is no longer offered is no way back', change('hetzner', false, { from: null }), { wayBack: false }],
    ['nor is one that the package has outgrown', change('hetzner', false, { cpu: 4 }), { wayBack: false }],
  ])('%s', (_, effect, expected) => {
    expect(effect).toMatchObject(expected);
  });

  it('includes another address only at providers that release it', () => {
    expect([change('aws', false), change('hetzner', false)].map(({ addressMayChange }) => addressMayChange)).toEqual([
      true,
      false,
    ]);
  });
});
