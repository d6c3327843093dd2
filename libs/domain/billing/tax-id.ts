import { writtenText } from '../text';

/** Usual form of a tax number in a country. Spaces, dots, dashes and slashes are removed before the comparison. */
interface TaxIdFormat {
  /** Optional prefix. */
  readonly prefix?: string;
  /** Alternative prefix in common use. */
  readonly alias?: string;
  readonly pattern: RegExp;
  /** Number assigned by the domestic tax office, printed as entered. */
  readonly domestic?: RegExp;
  readonly isRight?: (digits: string) => boolean;
}

const eu = (pattern: RegExp, prefix?: string): TaxIdFormat =>
  prefix === undefined ? { pattern } : { prefix, pattern };

/**
 * Sources of the formats. VAT numbers of the EU and Northern Ireland follow the structure list of VIES (European
 * Commission, "VAT identification number structure"). The others follow HMRC (GB), the UID register (CH), Brønnøysund
 * (NO), the EIN of the IRS (US), the business number of the CRA (CA), the ABN of the Australian Business Register (AU)
 * and the GST number of the IRD (NZ).
 */
const FORMATS: Readonly<Record<string, TaxIdFormat>> = {
  AT: eu(/^U\d{8}$/, 'AT'),
  BE: eu(/^[01]\d{9}$/, 'BE'),
  BG: eu(/^\d{9,10}$/, 'BG'),
  CY: eu(/^\d{8}[A-Z]$/, 'CY'),
  CZ: eu(/^\d{8,10}$/, 'CZ'),
  // Steuernummer of the domestic tax offices
  DE: { ...eu(/^\d{9}$/, 'DE'), domestic: /^\d{2,3}\/\d{3,4}\/\d{4,5}$/ },
  DK: eu(/^\d{8}$/, 'DK'),
  EE: eu(/^\d{9}$/, 'EE'),
  ES: eu(/^(?:[A-Z]\d{7}[0-9A-Z]|\d{8}[A-Z])$/, 'ES'),
  FI: eu(/^\d{8}$/, 'FI'),
  FR: eu(/^[0-9A-Z]{2}\d{9}$/, 'FR'),
  GR: { ...eu(/^\d{9}$/, 'EL'), alias: 'GR' },
  HR: eu(/^\d{11}$/, 'HR'),
  // Adószám
  HU: { ...eu(/^\d{8}$/, 'HU'), domestic: /^\d{8}-\d-\d{2}$/ },
  IE: eu(/^\d[0-9A-Z+*]\d{5}[A-Z]{1,2}$/, 'IE'),
  IT: eu(/^\d{11}$/, 'IT'),
  LT: eu(/^(?:\d{9}|\d{12})$/, 'LT'),
  LU: eu(/^\d{8}$/, 'LU'),
  LV: eu(/^\d{11}$/, 'LV'),
  MT: eu(/^\d{8}$/, 'MT'),
  NL: eu(/^[0-9A-Z+*]{9}B[0-9A-Z+*]{2}$/, 'NL'),
  PL: eu(/^\d{10}$/, 'PL'),
  PT: eu(/^\d{9}$/, 'PT'),
  RO: eu(/^\d{2,10}$/, 'RO'),
  // Organisationsnummer
  SE: { ...eu(/^\d{12}$/, 'SE'), domestic: /^\d{6}-?\d{4}$/ },
  SI: eu(/^\d{8}$/, 'SI'),
  SK: eu(/^\d{10}$/, 'SK'),
  // XI is Northern Ireland.
  GB: eu(/^(?:XI)?(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/, 'GB'),
  CH: eu(/^\d{9}(?:MWST|TVA|IVA)?$/, 'CHE'),
  NO: eu(/^\d{9}(?:MVA)?$/, 'NO'),
  US: { pattern: /^\d{9}$/ },
  CA: { pattern: /^\d{9}(?:R[TPCRZ]\d{4})?$/ },
  AU: { alias: 'ABN', pattern: /^\d{11}$/, isRight: isAbn },
  NZ: { pattern: /^\d{8,9}$/ },
};

/** Numbers of any country with their usual separators, such as `B&A850101AB1` or `12.345.678/0001-95`. */
const PRINTED = /^(?=.*\p{Nd})[\p{L}\p{M}\p{N} .,:;/&+*#()'’-]{2,40}$/u;
const DASHES = /[\p{Pd}\u2212]/gu;

/** Normalises dashes, spaces and full-width digits, which arrive by copy and paste. */
const spelled = (text: string): string => writtenText(text).normalize('NFKC').replace(DASHES, '-').replace(/\s+/g, ' ');

/**
 * Returns a tax number as documents print it, or null if the text is not a tax number. In the usual form of its country
 * it has the country's prefix and no spaces or separators. Any other number stays as entered, because no list covers
 * every form.
 *
 * @param country ISO 3166-1 code in upper case
 */
export function taxId(text: string, country: string): string | null {
  const entered = spelled(text);
  return usualForm(entered, country) ?? (PRINTED.test(entered) ? entered : null);
}

/**
 * Returns whether a number has the form and checksum of its country (ISO 3166-1 code). Countries without a format
 * accept any form.
 */
export function isUsualTaxId(text: string, country: string): boolean {
  const format = formatOf(country);
  const entered = spelled(text);
  return format === undefined || usualForm(entered, country) !== null || format.domestic?.test(entered) === true;
}

const formatOf = (country: string): TaxIdFormat | undefined =>
  Object.hasOwn(FORMATS, country) ? FORMATS[country] : undefined;

function usualForm(entered: string, country: string): string | null {
  const format = formatOf(country);
  if (format === undefined || format.domestic?.test(entered) === true) return null;
  const { prefix, alias, pattern, isRight } = format;
  const bare = entered.toUpperCase().replace(/[\s./-]/g, '');
  const beginning = [prefix, alias].find((each) => each !== undefined && bare.startsWith(each)) ?? '';
  const number = bare.slice(beginning.length);
  if (!pattern.test(number) || isRight?.(number) === false) return null;
  return number.startsWith('XI') ? number : `${prefix ?? ''}${number}`;
}

const ABN_WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];

/** Checks an ABN. With the first digit reduced by 1, the weighted sum must be divisible by 89. */
function isAbn(digits: string): boolean {
  const sum = ABN_WEIGHTS.reduce((total, weight, at) => total + weight * (Number(digits[at]) - (at === 0 ? 1 : 0)), 0);
  return sum % 89 === 0;
}
