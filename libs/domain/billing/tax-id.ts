/** What a tax number looks like in a country. Blanks, dots, dashes and slashes are taken out before it is looked at. */
interface TaxIdFormat {
  /** Its beginning, which may be left out. */
  readonly prefix?: string;
  readonly pattern: RegExp;
  readonly isRight?: (digits: string) => boolean;
}

const eu = (pattern: RegExp, prefix?: string): TaxIdFormat =>
  prefix === undefined ? { pattern } : { prefix, pattern };

/**
 * VAT numbers of the EU and Northern Ireland as in the structure list of VIES (European Commission, "VAT identification
 * number structure"); GB: HMRC; CH: UID register; NO: Brønnøysund; US: EIN (IRS); CA: business number (CRA);
 * AU: ABN (Australian Business Register); NZ: GST number (IRD).
 */
const FORMATS: Readonly<Record<string, TaxIdFormat>> = {
  AT: eu(/^U\d{8}$/, 'AT'),
  BE: eu(/^[01]\d{9}$/, 'BE'),
  BG: eu(/^\d{9,10}$/, 'BG'),
  CY: eu(/^\d{8}[A-Z]$/, 'CY'),
  CZ: eu(/^\d{8,10}$/, 'CZ'),
  DE: eu(/^\d{9}$/, 'DE'),
  DK: eu(/^\d{8}$/, 'DK'),
  EE: eu(/^\d{9}$/, 'EE'),
  ES: eu(/^(?:[A-Z]\d{7}[0-9A-Z]|\d{8}[A-Z])$/, 'ES'),
  FI: eu(/^\d{8}$/, 'FI'),
  FR: eu(/^[0-9A-Z]{2}\d{9}$/, 'FR'),
  GR: eu(/^\d{9}$/, 'EL'),
  HR: eu(/^\d{11}$/, 'HR'),
  HU: eu(/^\d{8}$/, 'HU'),
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
  SE: eu(/^\d{12}$/, 'SE'),
  SI: eu(/^\d{8}$/, 'SI'),
  SK: eu(/^\d{10}$/, 'SK'),
  // XI: Northern Ireland
  GB: eu(/^(?:XI)?(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/, 'GB'),
  CH: eu(/^\d{9}(?:MWST|TVA|IVA)?$/, 'CHE'),
  NO: eu(/^\d{9}(?:MVA)?$/, 'NO'),
  US: { pattern: /^\d{9}$/ },
  CA: { pattern: /^\d{9}(?:R[TPCRZ]\d{4})?$/ },
  AU: { pattern: /^\d{11}$/, isRight: isAbn },
  NZ: { pattern: /^\d{8,9}$/ },
};

const ANY = /^[\p{L}\p{N} ./-]{2,30}$/u;

/**
 * A tax number as it is written on documents: without blanks and signs, with its country's beginning; null: the country
 * (ISO code) has no such number. A country without a row takes 2 to 30 letters, digits, blanks and `.` `/` `-`, as they are.
 */
export function taxId(text: string, country: string): string | null {
  const format = Object.hasOwn(FORMATS, country) ? FORMATS[country] : undefined;
  if (format === undefined) return ANY.test(text.trim()) ? text.trim() : null;
  const { prefix = '', pattern, isRight } = format;
  const bare = text.toUpperCase().replace(/[\s./-]/g, '');
  const number = bare.startsWith(prefix) ? bare.slice(prefix.length) : bare;
  if (!pattern.test(number) || isRight?.(number) === false) return null;
  return number.startsWith('XI') ? number : `${prefix}${number}`;
}

const ABN_WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];

/** The first digit less one, weighted, is divisible by 89. */
function isAbn(digits: string): boolean {
  const sum = ABN_WEIGHTS.reduce((total, weight, at) => total + weight * (Number(digits[at]) - (at === 0 ? 1 : 0)), 0);
  return sum % 89 === 0;
}
