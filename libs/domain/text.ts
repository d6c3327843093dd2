import { ACCOUNT_MESSAGES } from './messages/account';

/** Control characters, line and paragraph separators, and the invisible marks that turn text around. */
const UNPRINTABLES = /[\p{Cc}\p{Cs}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;

/** What is said of such a text. */
export const UNPRINTABLE = ACCOUNT_MESSAGES.text_unprintable;

/** Whether the text has a character that must not reach a file, a command line or a log. */
export function hasUnprintable(text: string): boolean {
  return text.search(UNPRINTABLES) !== -1;
}

/**
 * Of these, the ones that no name needs. Joiners (U+200C, U+200D) and marks of direction (U+200E, U+200F) are left out:
 * Persian and Hindi words, Hebrew beside Latin letters and emoji are written with them.
 */
const UNWRITABLES = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u206f]+/gu;

/** Invisible characters without a meaning, which arrive with pasted text: soft hyphen, zero-width space, word joiner, byte order mark. */
const MEANINGLESS = /[\u00ad\u200b\u2060-\u2065\ufeff]/g;

/** Text without a visible character. */
const BLANK = /^[\s\p{Cf}]*$/u;

/** Whether a line that people write has a character that breaks it or reverses it. */
export function hasUnwritable(text: string): boolean {
  return text.search(UNWRITABLES) !== -1;
}

/** Text that people write, without invisible characters that mean nothing and without blanks around it. */
export function writtenText(text: string): string {
  return BLANK.test(text) ? '' : text.replace(MEANINGLESS, '').trim();
}

/** Embeddings and isolates of direction, as a path or a telephone number brings them from another program. */
const DIRECTIONS = /[\u202a-\u202c\u2066-\u206f]/g;
const CONTROLS_WITHIN_LINES = /(?![\t\n])\p{Cc}/gu;

/** Several lines that people write or paste. Line ends become one kind, and controls that show nothing are removed. */
export function writtenParagraphs(text: string): string {
  const lines = text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n');
  return writtenText(lines.replace(CONTROLS_WITHIN_LINES, '').replace(DIRECTIONS, ''));
}

/** The text on one line, for a header: a space for each run of characters that would break or turn it. */
export function printable(text: string): string {
  return writtenText(text).replace(UNWRITABLES, ' ');
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
