import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, instant, MINUTE_MS } from '../time';
import { afterCheck, afterStart, afterStop, isOwnOutage, NEVER_CHECKED, type Reachability } from './reachability';

const AT = instant('2026-12-01T12:00:00Z');
const UP: Reachability = { ...NEVER_CHECKED, state: 'reachable', since: AT - DAY_MS, checked_at: AT };

/** Performs checks a minute apart, starting at `at`. */
function checks(before: Reachability, answers: readonly boolean[], at = AT) {
  let state = before;
  return answers.map((answer, index) => {
    const checked = afterCheck(state, { answers: answer, at: at + index * MINUTE_MS });
    state = checked.after;
    return checked;
  });
}
const last = <T>(all: readonly T[]): T => all[all.length - 1] as T;
const down = (before: Reachability, at: number) => last(checks(before, [false, false, false], at));

describe('a deployment that answers', () => {
  it('is reachable from its first answer on and checked again in five minutes, without a mail', () => {
    expect(afterCheck(NEVER_CHECKED, { answers: true, at: AT })).toEqual({
      after: { ...NEVER_CHECKED, state: 'reachable', since: AT, checked_at: AT },
      due_at: AT + 5 * MINUTE_MS,
      change: { state: 'reachable', outage_from: null, is_mailed: false },
    });
  });

  it('stays so since then', () => {
    const { after, change } = afterCheck(UP, { answers: true, at: AT + 5 * MINUTE_MS });
    expect(after).toEqual({ ...UP, checked_at: AT + 5 * MINUTE_MS });
    expect(change).toBeNull();
  });

  it('forgets failures that were fewer than three', () => {
    expect(last(checks(UP, [false, false, true, false, false])).after).toMatchObject({
      state: 'reachable',
      since: UP.since,
      failures: 2,
      failed_since: AT + 3 * MINUTE_MS,
      outages: [],
    });
  });
});

describe('a deployment that does not answer', () => {
  it('is checked again after a minute, and is unreachable from the third failure on, since the first', () => {
    const [first, second, third] = checks(UP, [false, false, false]);
    expect([first, second].map((one) => [one?.after.state, one?.due_at, one?.change])).toEqual([
      ['reachable', AT + MINUTE_MS, null],
      ['reachable', AT + 2 * MINUTE_MS, null],
    ]);
    expect(third).toEqual({
      after: {
        state: 'unreachable',
        since: AT,
        checked_at: AT + 2 * MINUTE_MS,
        failures: 3,
        failed_since: AT,
        outages: [{ from: AT, to: null }],
        mailed: [AT],
      },
      due_at: AT + 7 * MINUTE_MS,
      change: { state: 'unreachable', outage_from: AT, is_mailed: true },
    });
  });

  it('is said to be unreachable once, however long it lasts', () => {
    const later = checks(UP, Array<boolean>(9).fill(false));
    expect(later.filter(({ change }) => change !== null)).toHaveLength(1);
    expect(last(later).after.outages).toEqual([{ from: AT, to: null }]);
  });

  it('is unreachable too if it never answered', () => {
    expect(down(NEVER_CHECKED, AT).after.state).toBe('unreachable');
  });

  it('is reachable again with its next answer, and the outage has an end', () => {
    const { after, change } = afterCheck(down(UP, AT).after, { answers: true, at: AT + HOUR_MS });
    expect(after).toMatchObject({ state: 'reachable', since: AT + HOUR_MS, failures: 0, failed_since: null });
    expect(after.outages).toEqual([{ from: AT, to: AT + HOUR_MS }]);
    expect(change).toEqual({ state: 'reachable', outage_from: AT, is_mailed: true });
  });
});

describe('outages', () => {
  it('beyond three within a day are kept and not mailed, nor is their end', () => {
    let state = UP;
    const mailed = [0, 1, 2, 3, 24].map((hour) => {
      const begun = down(state, AT + hour * HOUR_MS + hour);
      const over = afterCheck(begun.after, { answers: true, at: AT + hour * HOUR_MS + 10 * MINUTE_MS });
      state = over.after;
      return [begun.change?.is_mailed, over.change?.is_mailed];
    });
    expect(mailed).toEqual([
      [true, true],
      [true, true],
      [true, true],
      [false, false],
      // The first outage is more than a day old.
      [true, true],
    ]);
  });

  it('are kept up to the ten newest', () => {
    let state = UP;
    for (let day = 0; day < 12; day++) {
      state = afterCheck(down(state, AT + day * DAY_MS).after, {
        answers: true,
        at: AT + day * DAY_MS + HOUR_MS,
      }).after;
    }
    expect(state.outages).toHaveLength(10);
    expect(state.outages[0]?.from).toBe(AT + 11 * DAY_MS);
    expect(state.outages[9]?.from).toBe(AT + 2 * DAY_MS);
  });
});

describe('a restart and a stop', () => {
  it('an outage goes on over a restart', () => {
    const before = down(UP, AT).after;
    expect(afterStart(before)).toEqual({ ...before, failures: 0, failed_since: null });
    expect(afterCheck(afterStart(before), { answers: false, at: AT + HOUR_MS }).change).toBeNull();
  });

  it('failures from before a restart do not count', () => {
    const [, second] = checks(UP, [false, false]);
    const again = afterCheck(afterStart(second?.after ?? UP), { answers: false, at: AT + HOUR_MS });
    expect(again.after).toMatchObject({ state: 'reachable', failures: 1, failed_since: AT + HOUR_MS });
  });

  it('what has stopped is unknown, and its outage is over', () => {
    const before = down(UP, AT).after;
    expect(afterStop(before, AT + HOUR_MS)).toEqual({
      ...NEVER_CHECKED,
      checked_at: before.checked_at,
      mailed: [AT],
      outages: [{ from: AT, to: AT + HOUR_MS }],
    });
  });
});

it.each([
  [10, 0, true],
  [9, 0, false],
  [10, 1, false],
  [0, 0, false],
])('of %i without an answer and %i with one, it is our own outage: %s', (silent, answering, own) => {
  expect(isOwnOutage([...Array<boolean>(silent).fill(false), ...Array<boolean>(answering).fill(true)])).toBe(own);
});
