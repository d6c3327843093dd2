import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '../time';
import {
  dailyMicros,
  type HeldThing,
  type HoldingOwner,
  isAdoptable,
  isLeak,
  LEAK_CONFIRMED_AFTER_MS,
  stateWhenMissed,
  stateWhenSeen,
} from './leaks';

const thing = (changes: Partial<HeldThing> = {}): HeldThing => ({
  kind: 'server',
  region: 'fsn1',
  id: '7',
  ref: 'abc',
  used_by: null,
  ...changes,
});
const owner = (changes: Partial<HoldingOwner> = {}): HoldingOwner => ({
  status: 'ACTIVE',
  is_busy: false,
  was_lost: false,
  server: { region: 'fsn1', id: '7', exists: true },
  ...changes,
});
const without = { region: 'fsn1', id: '7', exists: false };

describe('unused resources at a provider', () => {
  it.each<[string, boolean, HeldThing, HoldingOwner | null]>([
    ['the server of a running deployment', false, thing(), owner()],
    ['a server of an unknown deployment', true, thing(), null],
    ['a server without a deployment label', true, thing({ ref: null }), null],
    ['the server of a destroyed deployment', true, thing(), owner({ status: 'DESTROYED' })],
    ['the server of a deleted deployment', true, thing(), owner({ status: 'DELETED' })],
    ['a second server of a running deployment', true, thing({ id: '8' }), owner()],
    ['a server with the same id in another region', true, thing({ region: 'hel1' }), owner()],
    ['a server during a run of its deployment', false, thing({ id: '8' }), owner({ is_busy: true })],
    [
      'a server of a deployment that failed without a server',
      true,
      thing(),
      owner({ status: 'FAILED', server: without }),
    ],
    [
      'the lost server of a deployment that failed because of the loss',
      false,
      thing(),
      owner({ status: 'FAILED', was_lost: true, server: without }),
    ],
    [
      'another server of a deployment that lost its own',
      true,
      thing({ id: '8' }),
      owner({ status: 'FAILED', was_lost: true, server: without }),
    ],
    ['a disk in use by a server', false, thing({ kind: 'disk', used_by: '7' }), null],
    ['an unused disk of a running deployment', true, thing({ kind: 'disk' }), owner()],
    ['an unused disk during a run', false, thing({ kind: 'disk' }), owner({ is_busy: true })],
    ['an unused address', true, thing({ kind: 'address' }), null],
    ['a firewall with servers', false, thing({ kind: 'firewall', used_by: '3 servers' }), null],
    ['a firewall of ours without servers', true, thing({ kind: 'firewall' }), null],
    ['a key', true, thing({ kind: 'key' }), null],
    ['the tag of a running deployment', false, thing({ kind: 'tag' }), owner()],
    ['the tag of a destroyed deployment', true, thing({ kind: 'tag' }), owner({ status: 'DESTROYED' })],
    ['the tag of a foreign deployment', false, thing({ kind: 'tag' }), null],
  ])('%s: %s', (_situation, expected, held, of) => {
    expect(isLeak(held, of)).toBe(expected);
  });

  it.each<[string, boolean, HeldThing, HoldingOwner | null]>([
    [
      'a server of a deployment that lost its own',
      true,
      thing({ id: '8' }),
      owner({ status: 'FAILED', was_lost: true, server: without }),
    ],
    [
      'a server of a deployment that failed during creation',
      false,
      thing(),
      owner({ status: 'FAILED', server: without }),
    ],
    ['a server of an ended deployment', false, thing(), owner({ status: 'DESTROYED', was_lost: true })],
    ['a second server', false, thing({ id: '8' }), owner()],
    ['a server without a deployment', false, thing(), null],
    [
      'a server during a run',
      false,
      thing(),
      owner({ status: 'FAILED', was_lost: true, server: without, is_busy: true }),
    ],
    ['a disk', false, thing({ kind: 'disk' }), owner({ status: 'FAILED', was_lost: true, server: without })],
  ])('can be adopted only by a deployment that lost its server: %s', (_situation, expected, held, of) => {
    expect(isAdoptable(held, of)).toBe(expected);
  });
});

describe('leak across scans', () => {
  const at = 10 * DAY_MS;
  const suspected = { state: 'suspected', first_seen_at: at, missed_at: null } as const;

  it('is suspected at the first scan and confirmed by a scan an hour later, not earlier', () => {
    expect(stateWhenSeen(null, at)).toBe('suspected');
    expect(stateWhenSeen(suspected, at + LEAK_CONFIRMED_AFTER_MS - 1)).toBe('suspected');
    expect(stateWhenSeen(suspected, at + LEAK_CONFIRMED_AFTER_MS)).toBe('confirmed');
  });

  it('keeps its decision as long as it is seen', () => {
    for (const state of ['confirmed', 'removing', 'adopting', 'kept'] as const)
      expect(stateWhenSeen({ ...suspected, state }, at + DAY_MS)).toBe(state);
  });

  it('starts anew when it is seen again after its end', () => {
    for (const state of ['removed', 'adopted', 'gone'] as const)
      expect(stateWhenSeen({ ...suspected, state }, at + DAY_MS)).toBe('suspected');
  });

  it('is gone after two scans an hour apart without it', () => {
    expect(stateWhenMissed(suspected, at)).toBe('suspected');
    const missed = { ...suspected, state: 'confirmed', missed_at: at } as const;
    expect(stateWhenMissed(missed, at + HOUR_MS - 1)).toBe('confirmed');
    expect(stateWhenMissed(missed, at + HOUR_MS)).toBe('gone');
    expect(stateWhenMissed({ ...missed, state: 'removing' }, at + HOUR_MS)).toBe('removed');
  });
});

describe('daily cost of a leak', () => {
  it('is 24 hours of its hourly price, or a 730th of the monthly price for each', () => {
    expect(dailyMicros({ hourlyUsd: 0.005 })).toBe(120_000);
    expect(dailyMicros({ monthlyUsd: 3 })).toBe(98_630);
    expect(dailyMicros({ monthlyUsd: 0 })).toBe(0);
  });
});
