const COUNTRIES = {
  us: 'United States',
  de: 'Germany',
  gb: 'United Kingdom',
  uk: 'United Kingdom',
  nl: 'Netherlands',
  fi: 'Finland',
  sg: 'Singapore',
  au: 'Australia',
  ca: 'Canada',
  in: 'India',
  ie: 'Ireland',
  un: 'Global',
} as const satisfies Readonly<Record<string, string>>;
type Country = keyof typeof COUNTRIES;

/** Whose flags there are: every country of the table, once. */
export type FlagCountry = Exclude<Country, 'uk' | 'un'>;

/** `uk` flies the flag of gb; null: no country of the table, or no country at all. */
export function flagCountry(code: string): FlagCountry | null {
  const lower = code.toLowerCase();
  if (lower === 'uk') return 'gb';
  return isCountry(lower) && lower !== 'un' && lower !== 'uk' ? lower : null;
}

const isCountry = (code: string): code is Country => Object.hasOwn(COUNTRIES, code);

/** `de` -> `Germany`; a code without a name shows as itself in capitals. */
export function countryName(code: string): string {
  const lower = code.toLowerCase();
  return isCountry(lower) ? COUNTRIES[lower] : code.toUpperCase();
}

const REGIONAL_INDICATOR_A = 0x1f1e6;
const LETTER_A = 'a'.charCodeAt(0);

/** The flag as two regional indicator symbols; '' for anything that is not two letters. `uk` is the flag of gb. */
export function countryFlag(code: string): string {
  const lower = code.toLowerCase();
  if (!/^[a-z]{2}$/.test(lower)) return '';
  const letters = flagCountry(lower) ?? lower;
  return [...letters]
    .map((letter) => String.fromCodePoint(REGIONAL_INDICATOR_A + letter.charCodeAt(0) - LETTER_A))
    .join('');
}
