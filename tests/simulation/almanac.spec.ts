import { describe, expect, it } from '@jest/globals';
import { atMost, createAlmanac } from './almanac';
import type { Played } from './play';

/** A history with weather of these kinds, once each. */
const history = (kinds: readonly string[]): Played => ({
  steps: 100,
  ended_at: 0,
  statuses: { ACTIVE: 1, READY: 1, FAILED: 1, DESTROYED: 1 },
  weather: { counts: Object.fromEntries(kinds.map((kind) => [kind, 1])), places: new Map() },
});

const ALL = [
  ...['crashed', 'crashed inside', 'leapt', 'leapt days', 'doubled', 'lost', 'refused', 'reordered', 'inside'],
  ...['blocked', 'skewed', 'stepped back', 'audited', 'proven', 'settling threw', 'went on', 'ended unheard'],
  ...['told busy', 'answer kept', 'rebooted', 'cut by a reboot', 'full disk', 'refused by a full disk'],
  ...['removed from a full disk', 'forgot everything'],
];

function almanacOf(histories: readonly (readonly string[])[]): ReturnType<typeof createAlmanac> {
  const almanac = createAlmanac();
  for (const kinds of histories) almanac.add(history(kinds));
  return almanac;
}

describe('the almanac of the simulated weather', () => {
  it('misses nothing when every history saw every kind', () => {
    expect(almanacOf(Array.from({ length: 20 }, () => ALL)).missing()).toEqual([]);
  });

  it('misses crashes that half of the histories were spared', () => {
    const calm = ALL.filter((kind) => kind !== 'crashed');
    const half = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? ALL : calm));
    expect(almanacOf(half).missing()).toEqual(['crashed: in 10 of 20 histories']);
  });

  it('misses a rare kind that never was once enough histories could have seen it', () => {
    const without = ALL.filter((kind) => kind !== 'told busy');
    const never = (histories: number): string[] =>
      almanacOf(Array.from({ length: histories }, () => without)).missing();
    expect(never(20)).toEqual([]);
    expect(never(50)).toEqual(['told busy: in 0 of 50 histories']);
  });

  it('misses an end that no deployment came to', () => {
    const almanac = createAlmanac();
    for (let count = 0; count < 20; count++) almanac.add({ ...history(ALL), statuses: { ACTIVE: 1, READY: 1 } });
    expect(almanac.missing()).toEqual(['no deployment ended FAILED', 'no deployment ended DESTROYED']);
  });

  it('reckons with chance as the binomial distribution has it', () => {
    expect(atMost(0, 2, 0.5)).toBeCloseTo(0.25, 12);
    expect(atMost(1, 2, 0.5)).toBeCloseTo(0.75, 12);
    expect(atMost(20, 20, 0.3)).toBeCloseTo(1, 12);
    expect(atMost(10, 20, 0.5)).toBeCloseTo(0.588099, 6);
  });
});
