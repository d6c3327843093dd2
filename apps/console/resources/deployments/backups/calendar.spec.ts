import { describe, expect, it } from '@jest/globals';
import { calendarOf } from './calendar';
import { copyOf } from './testing';

const NOW = Date.parse('2026-11-28T14:05:00Z');
const at = (date: string) => ({ started_at: `${date}T03:12:00.000Z` });
const markOf = (copies: Parameters<typeof calendarOf>[0], date: string) =>
  calendarOf(copies, NOW).find((day) => day.date === date)?.mark;

describe('backup calendar', () => {
  it('has 28 days and ends with today', () => {
    const days = calendarOf([], NOW);
    expect([days.length, days[0]?.date, days.at(-1)?.date]).toEqual([28, '2026-11-01', '2026-11-28']);
    expect(days.filter(({ isToday }) => isToday).map(({ date }) => date)).toEqual(['2026-11-28']);
    expect(new Set(days.map(({ mark }) => mark))).toEqual(new Set(['none']));
  });

  it.each([
    ['a copy', [copyOf(at('2026-11-27'))], 'taken'],
    ['a copy after a failure', [copyOf(at('2026-11-27')), copyOf({ ...at('2026-11-27'), state: 'failed' })], 'taken'],
    ['only a failure', [copyOf({ ...at('2026-11-27'), state: 'failed' })], 'failed'],
    ['a copy that is no longer stored', [copyOf({ ...at('2026-11-27'), state: 'removed' })], 'none'],
    ['a running copy', [copyOf({ ...at('2026-11-27'), state: 'running' })], 'running'],
    [
      'a pending copy that has not started',
      [copyOf({ started_at: null, requested_at: '2026-11-27T03:12:00.000Z', state: 'waiting' })],
      'running',
    ],
    [
      'a copy from a second before midnight of the day before',
      [copyOf({ started_at: '2026-11-26T23:59:59.000Z' })],
      'none',
    ],
  ] as const)('marks a day with %s', (_, copies, mark) => {
    expect(markOf(copies, '2026-11-27')).toBe(mark);
  });

  it('keeps the failure of a day without a copy for its reason', () => {
    const failed = copyOf({ ...at('2026-11-24'), state: 'failed' });
    expect(calendarOf([failed], NOW).find(({ date }) => date === '2026-11-24')?.failed).toBe(failed);
  });
});
