import type { Language } from './language';

/** Countries that have a flag: all countries in which the providers have regions. */
const FLAG_COUNTRIES = [
  'ae',
  'at',
  'au',
  'be',
  'bh',
  'br',
  'ca',
  'ch',
  'cl',
  'de',
  'dk',
  'es',
  'fi',
  'fr',
  'gb',
  'hk',
  'id',
  'ie',
  'il',
  'in',
  'it',
  'jp',
  'kr',
  'mx',
  'my',
  'nl',
  'no',
  'nz',
  'pl',
  'qa',
  'sa',
  'se',
  'sg',
  'th',
  'tw',
  'us',
  'za',
] as const;
export type FlagCountry = (typeof FLAG_COUNTRIES)[number];

/** Returns the country of the flag to show, or null for an unknown code. `uk` has the flag of `gb`. */
export function flagCountry(code: string): FlagCountry | null {
  const lower = code.toLowerCase();
  return FLAG_COUNTRIES.find((country) => country === (lower === 'uk' ? 'gb' : lower)) ?? null;
}

/** Returns the English name of a country, `de` -> `Germany`. An unknown code is returned in capitals. */
export function countryName(code: string): string {
  const upper = code.toUpperCase();
  if (upper === 'UN') return 'Global';
  const country = upper === 'UK' ? 'GB' : upper;
  return COUNTRY_CODES.includes(country) ? countryNameIn(country, 'en') : upper;
}

const REGIONAL_INDICATOR_A = 0x1f1e6;
const LETTER_A = 'a'.charCodeAt(0);

/**
 * Returns a flag as two regional indicator symbols, or '' unless the code has two letters. `uk` has the flag of `gb`.
 */
export function countryFlag(code: string): string {
  const lower = code.toLowerCase();
  if (!/^[a-z]{2}$/.test(lower)) return '';
  const letters = flagCountry(lower) ?? lower;
  return [...letters]
    .map((letter) => String.fromCodePoint(REGIONAL_INDICATOR_A + letter.charCodeAt(0) - LETTER_A))
    .join('');
}

/** Two-letter codes of ISO 3166-1, plus Kosovo, which has no code there. */
export const COUNTRY_CODES: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
  'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
  'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
  'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
  'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
  'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
).split(' ');

const NAMES = new Map<Language, Intl.DisplayNames>();

/** Returns the name of a country of `COUNTRY_CODES` in a language, `DE` or `de` -> `Deutschland`. */
export function countryNameIn(code: string, language: Language): string {
  let names = NAMES.get(language);
  if (names === undefined) NAMES.set(language, (names = new Intl.DisplayNames(language, { type: 'region' })));
  return names.of(code) ?? code;
}
