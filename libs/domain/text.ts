import { ACCOUNT_MESSAGES } from './messages/account';

/** Control characters, line and paragraph separators, and invisible marks that change the direction of text. */
const UNPRINTABLES = /[\p{Cc}\p{Cs}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;

/** Message for a text with unprintable characters. */
export const UNPRINTABLE = ACCOUNT_MESSAGES.text_unprintable;

/** Returns whether a text contains a character that must not reach a file, a command line or a log. */
export function hasUnprintable(text: string): boolean {
  return text.search(UNPRINTABLES) !== -1;
}

/**
 * Unprintable characters that no name needs. Joiners (U+200C, U+200D) and direction marks (U+200E, U+200F) are not
 * included, because Persian and Hindi words, Hebrew next to Latin letters, and emoji need them.
 */
const UNWRITABLES = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u206f]+/gu;

/**
 * Invisible characters without meaning that arrive with pasted text (soft hyphen, zero-width space, word joiner, byte
 * order mark).
 */
const MEANINGLESS = /[\u00ad\u200b\u2060-\u2065\ufeff]/g;

/** Text without a visible character. */
const BLANK = /^[\s\p{Cf}]*$/u;

/** Returns whether a line entered by a user contains a character that breaks or reverses it. */
export function hasUnwritable(text: string): boolean {
  return text.search(UNWRITABLES) !== -1;
}

/** Removes meaningless invisible characters and surrounding spaces from a text entered by a user. */
export function writtenText(text: string): string {
  return BLANK.test(text) ? '' : text.replace(MEANINGLESS, '').trim();
}

/** Directional embeddings and isolates, such as other programs add to a copied path or telephone number. */
const DIRECTIONS = /[\u202a-\u202c\u2066-\u206f]/g;
const CONTROLS_WITHIN_LINES = /(?![\t\n])\p{Cc}/gu;

/**
 * Cleans several lines entered or pasted by a user. Line ends are unified, and invisible control characters are
 * removed.
 */
export function writtenParagraphs(text: string): string {
  const lines = text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n');
  return writtenText(lines.replace(CONTROLS_WITHIN_LINES, '').replace(DIRECTIONS, ''));
}

/**
 * Returns a text on a single line for a header. A space replaces each run of characters that would break or reverse it.
 */
export function printable(text: string): string {
  return writtenText(text).replace(UNWRITABLES, ' ');
}

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Returns whether a text is a single lower-case label of a host name (RFC 1123). */
export function isHostLabel(text: string): boolean {
  return LABEL.test(text);
}

/**
 * Returns whether a text is a lower-case host name of two or more labels, the last of which is not a number (RFC 1123).
 */
export function isDomainName(text: string): boolean {
  if (text.length > 253) return false;
  const labels = text.split('.');
  return labels.length >= 2 && labels.every(isHostLabel) && !/^\d+$/.test(labels.at(-1) ?? '');
}
