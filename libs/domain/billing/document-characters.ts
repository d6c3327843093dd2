/*
 * Receipts and statements are printed in one font, from left to right. Letters missing from the font, and scripts
 * written from right to left, are rejected at entry, because an issued document cannot be corrected.
 */

/** Ranges of code points that the font prints. A spec prints each of them (api, `document-pdf.spec.ts`). */
const PRINTED: readonly (readonly [first: number, last: number])[] = [
  // Latin, without the soft hyphen
  [0x20, 0x7e],
  [0xa0, 0xac],
  [0xae, 0x2df],
  [0x2e5, 0x2e9],
  // Marks above and below letters
  [0x2ec, 0x36f],
  // Greek (without Coptic), Cyrillic, Devanagari
  [0x370, 0x3e1],
  [0x3f0, 0x3ff],
  [0x400, 0x52f],
  [0x900, 0x97f],
  // Vietnamese and other Latin letters, accented Greek
  [0x1e00, 0x1fff],
  // Dashes, quotation marks and other punctuation
  [0x2010, 0x2015],
  [0x2018, 0x2022],
  [0x2026, 0x2026],
  [0x2030, 0x2030],
  [0x2032, 0x2033],
  [0x2039, 0x203a],
  // Currencies, № and ™
  [0x20a0, 0x20bf],
  [0x2116, 0x2116],
  [0x2122, 0x2122],
];
const UNASSIGNED = /\p{Cn}/u;
/** Joiners and direction marks, which print nothing. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/;

const SHOWN_MAX = 5;

/** Returns the first five letters that documents cannot print, or an empty string if all can be printed. */
export function unprintedLetters(text: string): string {
  const letters = new Set([...text.normalize('NFC')].filter((letter) => !isPrinted(letter)));
  return [...letters].slice(0, SHOWN_MAX).join('');
}

function isPrinted(letter: string): boolean {
  if (INVISIBLE.test(letter)) return true;
  const code = letter.codePointAt(0) ?? 0;
  return PRINTED.some(([first, last]) => code >= first && code <= last) && !UNASSIGNED.test(letter);
}
