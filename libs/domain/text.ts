import { ACCOUNT_MESSAGES } from './messages/account';

/** Control characters, line and paragraph separators, and the invisible marks that turn text around. */
const UNPRINTABLES = /[\p{Cc}\p{Cs}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;

/** What is said of such a text. */
export const UNPRINTABLE = ACCOUNT_MESSAGES.text_unprintable;

/** Has the text a character that must not reach a file, a command line, a mail header or a log? */
export function hasUnprintable(text: string): boolean {
  return text.search(UNPRINTABLES) !== -1;
}

/** The text on one line, for a header: a space for each run of such characters. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLES, ' ');
}

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** One label of a host name, in lower case (RFC 1123). */
export function isHostLabel(text: string): boolean {
  return LABEL.test(text);
}

/** A host name of two labels or more, in lower case, whose last label is not a number (RFC 1123). */
export function isDomainName(text: string): boolean {
  if (text.length > 253) return false;
  const labels = text.split('.');
  return labels.length >= 2 && labels.every(isHostLabel) && !/^\d+$/.test(labels.at(-1) ?? '');
}
