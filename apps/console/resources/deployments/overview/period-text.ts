import type { Updates } from '../../../data/updates';
import type { useText } from '../../../texts/console-i18n';
import { timeIn } from '../../../ui/dates';

/** Returns beginning and end of a window by the clocks of a time zone. */
export function periodText({ from, to }: Updates['window'], zone: string, t: ReturnType<typeof useText>): string {
  const { day, time } = timeIn(from, zone);
  return t('updates.settings.period', { day, from: time, to: timeIn(to, zone).time, zone });
}
