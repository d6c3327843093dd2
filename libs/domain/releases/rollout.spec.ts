import { describe, expect, it } from '@jest/globals';
import {
  bucketOf,
  canDecide,
  initialRollout,
  isRolledOut,
  nextRing,
  type Ring,
  RINGS,
  type Rollout,
  ROLLOUT_STATES,
} from './rollout';

const rolling = (ring: Ring): Rollout => ({ ring, state: 'rolling' });
const customer = (bucket: number | null) => ({ isAdministrators: false, bucket });

describe('rollout of a release', () => {
  it('begins with nobody, except for the first release of a package', () => {
    expect(initialRollout(false)).toEqual(rolling('none'));
    expect(initialRollout(true)).toEqual(rolling('all'));
  });

  it('goes from ring to ring', () => {
    expect(RINGS.map(nextRing)).toEqual(['own', 'few', 'quarter', 'all', null]);
  });

  it.each<[Ring, number[]]>([
    ['none', []],
    ['own', []],
    ['few', [0, 4]],
    ['quarter', [0, 4, 5, 24]],
    ['all', [0, 4, 5, 24, 25, 99]],
  ])('to "%s" reaches the deployments of customers in these buckets', (ring, reached) => {
    expect([0, 4, 5, 24, 25, 99].filter((bucket) => isRolledOut(rolling(ring), customer(bucket)))).toEqual(reached);
  });

  it("reaches administrators' deployments first", () => {
    const own = { isAdministrators: true, bucket: 99 };
    expect(RINGS.map((ring) => isRolledOut(rolling(ring), own))).toEqual([false, true, true, true, true]);
  });

  it('reaches new deployments when everybody gets it', () => {
    expect(RINGS.map((ring) => isRolledOut(rolling(ring), customer(null)))).toEqual([false, false, false, false, true]);
  });

  it.each(['stopped', 'withdrawn'] as const)('reaches nobody when it is %s', (state) => {
    expect(isRolledOut({ ring: 'all', state }, customer(0))).toBe(false);
    expect(isRolledOut({ ring: 'all', state }, { isAdministrators: true, bucket: 0 })).toBe(false);
  });
});

it('can be decided again unless it was withdrawn', () => {
  const possible = ROLLOUT_STATES.map((from) => ROLLOUT_STATES.filter((to) => canDecide(from, to)));
  expect(possible).toEqual([ROLLOUT_STATES, ROLLOUT_STATES, ['withdrawn']]);
});

describe('buckets', () => {
  it('are the same for the same text, and evenly distributed', () => {
    expect(bucketOf('harbour 1.24.0')).toBe(bucketOf('harbour 1.24.0'));
    const counts = new Array<number>(100).fill(0);
    for (let index = 0; index < 20_000; index++) {
      const bucket = bucketOf(`deployment${index} 1.24.0`);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    // About 200 are expected in each.
    expect(Math.min(...counts)).toBeGreaterThan(130);
    expect(Math.max(...counts)).toBeLessThan(280);
  });
});
