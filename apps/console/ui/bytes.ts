import { currentLocale } from '../texts/locale';

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** `640 B`, `38 KB`, `1.2 GB`: three digits at most, decimal units. */
export function byteSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // what rounds to 1000 is 1 of the next
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const digits = unit < 2 || value >= 9.95 ? 0 : 1;
  const text = value.toLocaleString(currentLocale() === 'de' ? 'de-DE' : 'en-GB', { maximumFractionDigits: digits });
  return `${text} ${UNITS[unit] ?? ''}`;
}
