import type { CloudErrorKind } from '../cloud';

/** Error kinds by message, for providers without error codes. The most specific pattern comes first. */
export type RefusalTexts = readonly (readonly [RegExp, CloudErrorKind])[];

/**
 * Returns null if the message is unknown, or if the status is more specific (not found, too many requests, server
 * error).
 */
export function kindByMessage(table: RefusalTexts, status: number, words: string): CloudErrorKind | null {
  if (status === 404 || status === 429 || status >= 500) return null;
  return table.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}
