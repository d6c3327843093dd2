import type { CloudErrorKind } from '../cloud';

/** For providers without codes of their own: what a refusal means by its words, the most specific first. */
export type RefusalWords = readonly (readonly [RegExp, CloudErrorKind])[];

/** null: nobody knows these words, or the status says more than any words (absent, too many requests, out of order). */
export function kindByWords(table: RefusalWords, status: number, words: string): CloudErrorKind | null {
  if (status === 404 || status === 429 || status >= 500) return null;
  return table.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}
