import type { Updates } from '../../../data/updates';
import type { useText } from '../../../texts/console-i18n';
import { ownTimeZone, timeIn } from '../../../ui/dates';

/** Returns beginning and end of a window by the clocks of a time zone. */
export function periodText({ from, to }: Updates['window'], zone: string, t: ReturnType<typeof useText>): string {
  const { day, time } = timeIn(from, zone);
  return t('updates.settings.period', { day, from: time, to: timeIn(to, zone).time, zone });
}

/** Returns the same for the time zone of the window and for that of the reader, if it is another one. */
export const periodTexts = (window: Updates['window'], zone: string, t: ReturnType<typeof useText>): string[] =>
  [...new Set([zone, ownTimeZone()])].map((each) => periodText(window, each, t));
