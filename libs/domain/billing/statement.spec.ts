import { describe, expect, it } from '@jest/globals';
import { instant } from '../time';
import { endOfCalendarMonth, isMonth, statementMonths, statementRefusal } from './statement';

const since = instant('2026-09-30T23:59:59Z');

describe('statements of an account opened in the last second of September', () => {
  it.each([
    ['2026-08', '2026-12-05T00:00:00Z', 'before_account'],
    ['2026-09', '2026-12-05T00:00:00Z', null],
    ['2026-11', '2026-12-01T00:59:59.999Z', 'not_ended'],
    ['2026-11', '2026-12-01T01:00:00Z', null],
    ['2026-12', '2026-12-05T00:00:00Z', 'not_ended'],
    ['2027-01', '2026-12-05T00:00:00Z', 'not_ended'],
    ['2026-12', '2027-01-01T01:00:00Z', null],
  ])('of %s at %s: %s', (month, at, refusal) => {
    expect(statementRefusal(month, { since, at: instant(at) })).toBe(refusal);
  });

  it('exist for the completed months, newest first', () => {
    const at = instant('2027-01-01T00:30:00Z');
    expect(statementMonths({ since, at, most: 50 })).toEqual(['2026-11', '2026-10', '2026-09']);
    expect(statementMonths({ since, at, most: 2 })).toEqual(['2026-11', '2026-10']);
    expect(statementMonths({ since: at, at, most: 50 })).toEqual([]);
  });
});

it('accepts a month of four digits and one of twelve', () => {
  const texts = ['2026-01', '2026-12', '2026-00', '2026-13', '2026-1', '26-01', '2026-01-01', ''];
  expect(texts.filter((text) => isMonth(text))).toEqual(['2026-01', '2026-12']);
  expect(endOfCalendarMonth('2026-12')).toBe(instant('2027-01-01T00:00:00Z'));
});
