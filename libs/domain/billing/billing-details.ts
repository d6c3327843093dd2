import { COUNTRY_CODES } from '../countries';
import { BILLING_DOCUMENT_MESSAGES } from '../messages/billing-documents';
import type { Message } from '../messages/message';
import { hasUnwritable, UNPRINTABLE, writtenText } from '../text';
import { unprintedLetters } from './document-characters';
import { isUsualTaxId, taxId } from './tax-id';

const LINE_LENGTH_MAX = 100;
const POSTAL_CODE_LENGTH_MAX = 20;
const LINES_MAX = 3;

function checkText(text: string, length_max = LINE_LENGTH_MAX): Message | null {
  if (writtenText(text).length > length_max) return BILLING_DOCUMENT_MESSAGES.line_long({ most: length_max });
  return hasUnwritable(text) ? UNPRINTABLE : checkLetters(text);
}

function checkLetters(text: string): Message | null {
  const letters = unprintedLetters(text);
  return letters === '' ? null : BILLING_DOCUMENT_MESSAGES.letters_unprinted({ letters });
}

const checkLine = (text: string, missing: Message): Message | null =>
  writtenText(text) === '' ? missing : checkText(text);

export const checkBillingName = (name: string): Message | null =>
  checkLine(name, BILLING_DOCUMENT_MESSAGES.name_missing);

export const checkCity = (city: string): Message | null => checkLine(city, BILLING_DOCUMENT_MESSAGES.city_missing);

/** Checks a postal code. It may be empty, because some countries have none. */
export const checkPostalCode = (code: string): Message | null => checkText(code, POSTAL_CODE_LENGTH_MAX);

/** Checks the address lines between the name and the city. */
export function checkAddressLines(lines: readonly string[]): Message | null {
  if (lines.length === 0) return BILLING_DOCUMENT_MESSAGES.lines_missing;
  if (lines.length > LINES_MAX) return BILLING_DOCUMENT_MESSAGES.lines_most({ most: LINES_MAX });
  return lines.map((line) => checkLine(line, BILLING_DOCUMENT_MESSAGES.lines_missing)).find(Boolean) ?? null;
}

export const checkCountry = (code: string): Message | null =>
  COUNTRY_CODES.includes(code) ? null : BILLING_DOCUMENT_MESSAGES.country_missing;

/** Countries in which the postal code follows the city. */
const CODE_LAST = ['AU', 'CA', 'GB', 'IE', 'IN', 'NZ', 'SG', 'US'];

/** Formats the line with city and postal code in the country's order. */
export function townLine({
  postal_code,
  city,
  country,
}: {
  readonly postal_code: string;
  readonly city: string;
  readonly country: string;
}): string {
  return (CODE_LAST.includes(country) ? `${city} ${postal_code}` : `${postal_code} ${city}`).trim();
}

/** Checks a tax number. An empty text is accepted. */
export const checkTaxId = (text: string, country: string): Message | null =>
  writtenText(text) === '' || taxId(text, country) !== null
    ? checkLetters(text)
    : BILLING_DOCUMENT_MESSAGES.tax_id_wrong;

/** Returns a warning about a tax number in an unusual form, or null. Such a number is printed nevertheless. */
export const taxIdWarning = (text: string, country: string): Message | null =>
  taxId(text, country) === null || isUsualTaxId(text, country) ? null : BILLING_DOCUMENT_MESSAGES.tax_id_unusual;
