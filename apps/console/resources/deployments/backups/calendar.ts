import { DAY_MS } from '@moorage/domain';
import type { Copy } from '../../../data/backups';

/** State of a day. `none` means that no copy of that day is kept. */
export type DayMark = 'taken' | 'failed' | 'running' | 'none';

export interface Day {
  /** UTC date such as `2026-11-28`. */
  readonly date: string;
  readonly mark: DayMark;
  /** Newest attempt on a day without a copy. */
  readonly failed: Copy | null;
  readonly isToday: boolean;
}

/** Longest retention in days. Four whole weeks, so that each weekday has its column. */
export const CALENDAR_DAYS = 28;

const dateOf = (iso: string): string => iso.slice(0, 10);

/** Time at which a copy was started, or requested if it has not started. */
export const takenAt = ({ started_at: started, requested_at: requested }: Copy): string => started ?? requested;

/** Returns the state of each day, oldest first. A day with a complete copy counts as backed up even if another attempt failed. */
export function calendarOf(copies: readonly Copy[], now: number): readonly Day[] {
  return Array.from({ length: CALENDAR_DAYS }, (_, at) => {
    const date = new Date(now - (CALENDAR_DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10);
    const its = copies.filter((copy) => dateOf(takenAt(copy)) === date);
    const mark = its.some(({ state }) => state === 'complete')
      ? 'taken'
      : its.some(({ state }) => state === 'running' || state === 'waiting')
        ? 'running'
        : its.some(({ state }) => state === 'failed')
          ? 'failed'
          : 'none';
    return {
      date,
      mark,
      failed: mark === 'failed' ? (its.find(({ state }) => state === 'failed') ?? null) : null,
      isToday: at === CALENDAR_DAYS - 1,
    };
  });
}
