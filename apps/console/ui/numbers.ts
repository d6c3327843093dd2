import { localeTag } from '../texts/locale';

/** Formats a whole number with the thousands separators of the page's language. */
export const wholeNumber = (number: number): string => number.toLocaleString(localeTag(), { maximumFractionDigits: 0 });
