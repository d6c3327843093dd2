import { HOUR_MS, type Instant } from '@moorage/domain';
import type { UpdateSettings } from '@moorage/database';
import { CronTime } from 'cron';

export interface UpdateWindow {
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * Returns the window that is open at a time, or the next one. It begins at its hour by the clocks of its time zone, and
 * lasts its hours whether clocks are changed in it or not. An hour that a change of clocks skips begins with the next.
 */
export function updateWindow(
  { days, hour, hours, time_zone }: Pick<UpdateSettings, 'days' | 'hour' | 'hours' | 'time_zone'>,
  at: Instant,
): UpdateWindow {
  const starts = new CronTime(`0 0 ${hour} * * ${days.join(',')}`, time_zone);
  const length = hours * HOUR_MS;
  const from = starts.getNextDateFrom(new Date(at - length), time_zone).toMillis();
  return { from, to: from + length };
}

/** Returns whether the clocks of a time zone are known. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
