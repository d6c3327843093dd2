import { HOUR_MS, type Instant, iso, startOfDay } from '../time';

/** A UTC calendar month, `YYYY-MM`; sorts as text. */
export type Month = string;

const SHAPE = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** What was begun in the last minutes of a month is posted by then. */
const CLOSED_AFTER_MS = HOUR_MS;

export const isMonth = (text: string): text is Month => SHAPE.test(text);

export const monthOf = (at: Instant): Month => iso(at).slice(0, 7);

/** The first instant of a month. */
export const startOfCalendarMonth = (month: Month): Instant => startOfDay(`${month}-01`);

/** The first instant of the month after it. */
export function endOfCalendarMonth(month: Month): Instant {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return Date.UTC(year, number, 1);
}

/** When the statement of a month can be had. */
export const statementEarliest = (month: Month): Instant => endOfCalendarMonth(month) + CLOSED_AFTER_MS;

export type StatementRefusal = 'before_account' | 'not_ended';

/** Why there is no statement of a month; null: there is one, an hour after the month at the earliest. */
export function statementRefusal(
  month: Month,
  { since, at }: { since: Instant; at: Instant },
): StatementRefusal | null {
  if (statementEarliest(month) > at) return 'not_ended';
  return endOfCalendarMonth(month) <= since ? 'before_account' : null;
}

/** The months that have a statement, newest first, at most `most`. */
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
