import { localeTag } from '../texts/locale';

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Formats a size with at most three digits in decimal units, such as `640 B`, `38 KB` or `1.2 GB`. */
export function byteSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // A value that rounds to 1000 becomes 1 of the next unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const digits = unit < 2 || value >= 9.95 ? 0 : 1;
  const text = value.toLocaleString(localeTag(), { maximumFractionDigits: digits });
  return `${text} ${UNITS[unit] ?? ''}`;
}
