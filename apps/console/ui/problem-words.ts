import { ApiError } from '../data/api';
import { said } from '../texts/locale';

/** What a rule says about a field, in the page's language. */
export const problemText = (sentence: string | null): string | null => (sentence === null ? null : said(sentence));

/** What went wrong, in the page's language. */
export function refusalText(error: unknown, fallback: string): string {
  return error instanceof ApiError ? said(error.message) : fallback;
}
