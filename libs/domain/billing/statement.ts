import { HOUR_MS, type Instant, iso, startOfDay } from '../time';

/** A UTC calendar month, `YYYY-MM`, which sorts as text. */
export type Month = string;

const SHAPE = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** Delay after a month, so that transactions begun in its last minutes are posted. */
const CLOSED_AFTER_MS = HOUR_MS;

export const isMonth = (text: string): text is Month => SHAPE.test(text);

export const monthOf = (at: Instant): Month => iso(at).slice(0, 7);

/** Returns the first instant of a month. */
export const startOfCalendarMonth = (month: Month): Instant => startOfDay(`${month}-01`);

/** Returns the first instant of the following month. */
export function endOfCalendarMonth(month: Month): Instant {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return Date.UTC(year, number, 1);
}

/** Returns the earliest time at which the statement of a month is available. */
export const statementEarliest = (month: Month): Instant => endOfCalendarMonth(month) + CLOSED_AFTER_MS;

export type StatementRefusal = 'before_account' | 'not_ended';

/**
 * Returns why there is no statement of a month, or null if there is. A statement is available an hour after the month
 * at the earliest.
 */
export function statementRefusal(
  month: Month,
  { since, at }: { since: Instant; at: Instant },
): StatementRefusal | null {
  if (statementEarliest(month) > at) return 'not_ended';
  return endOfCalendarMonth(month) <= since ? 'before_account' : null;
}

/** Returns the months that have a statement, newest first, at most `most`. */
export function statementMonths({ since, at, most }: { since: Instant; at: Instant; most: number }): Month[] {
  const months: Month[] = [];
  let month = monthOf(at);
  while (months.length < most) {
    month = monthOf(startOfCalendarMonth(month) - 1);
    const refusal = statementRefusal(month, { since, at });
    if (refusal === 'before_account') break;
    if (refusal === null) months.push(month);
  }
  return months;
}
