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

describe('deployment that responds', () => {
  it('is reachable from its first response and checked again in five minutes, without an email', () => {
    expect(afterCheck(NEVER_CHECKED, { answers: true, at: AT })).toEqual({
      after: { ...NEVER_CHECKED, state: 'reachable', since: AT, checked_at: AT },
      due_at: AT + 5 * MINUTE_MS,
      change: { state: 'reachable', outage_from: null, is_mailed: false },
    });
  });

  it('keeps the start time of its state', () => {
    const { after, change } = afterCheck(UP, { answers: true, at: AT + 5 * MINUTE_MS });
    expect(after).toEqual({ ...UP, checked_at: AT + 5 * MINUTE_MS });
    expect(change).toBeNull();
  });

  it('clears fewer than three failures', () => {
    expect(last(checks(UP, [false, false, true, false, false])).after).toMatchObject({
      state: 'reachable',
      since: UP.since,
      failures: 2,
      failed_since: AT + 3 * MINUTE_MS,
      outages: [],
    });
  });
});

describe('deployment that does not respond', () => {
  it('is checked again after a minute and unreachable at the third failure, starting at the first', () => {
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

  it('is reported unreachable once for an outage of any length', () => {
    const later = checks(UP, Array<boolean>(9).fill(false));
    expect(later.filter(({ change }) => change !== null)).toHaveLength(1);
    expect(last(later).after.outages).toEqual([{ from: AT, to: null }]);
  });

  it('is unreachable even if it never responded', () => {
    expect(down(NEVER_CHECKED, AT).after.state).toBe('unreachable');
  });

  it('is reachable again with its next response, which ends the outage', () => {
    const { after, change } = afterCheck(down(UP, AT).after, { answers: true, at: AT + HOUR_MS });
    expect(after).toMatchObject({ state: 'reachable', since: AT + HOUR_MS, failures: 0, failed_since: null });
    expect(after.outages).toEqual([{ from: AT, to: AT + HOUR_MS }]);
    expect(change).toEqual({ state: 'reachable', outage_from: AT, is_mailed: true });
  });
});

describe('outages', () => {
  it('beyond three within a day are stored but not emailed, nor is their end', () => {
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

  it('are stored up to the ten newest', () => {
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

describe('restart and stop', () => {
  it('continue an outage across a restart', () => {
    const before = down(UP, AT).after;
    expect(afterStart(before)).toEqual({ ...before, failures: 0, failed_since: null });
    expect(afterCheck(afterStart(before), { answers: false, at: AT + HOUR_MS }).change).toBeNull();
  });

  it('discard failures from before a restart', () => {
    const [, second] = checks(UP, [false, false]);
    const again = afterCheck(afterStart(second?.after ?? UP), { answers: false, at: AT + HOUR_MS });
    expect(again.after).toMatchObject({ state: 'reachable', failures: 1, failed_since: AT + HOUR_MS });
  });

  it('end the outage of a stopped deployment, whose state becomes unknown', () => {
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
])('with %i failing and %i responding deployments, detects an outage of our own: %s', (silent, answering, own) => {
  expect(isOwnOutage([...Array<boolean>(silent).fill(false), ...Array<boolean>(answering).fill(true)])).toBe(own);
});
