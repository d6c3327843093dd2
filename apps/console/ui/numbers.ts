import { currentLocale } from '../texts/locale';

/** Formats a whole number with the thousands separators of the page's language. */
export const wholeNumber = (number: number): string =>
  number.toLocaleString(currentLocale() === 'de' ? 'de-DE' : 'en-GB', { maximumFractionDigits: 0 });
