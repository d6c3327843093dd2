const COUNTRIES: Readonly<Record<string, string>> = {
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
};

/** `de` -> `Germany`; a code without a name shows as itself in capitals. */
export function countryName(code: string): string {
  const lower = code.toLowerCase();
  return Object.hasOwn(COUNTRIES, lower) ? (COUNTRIES[lower] ?? '') : code.toUpperCase();
}

const REGIONAL_INDICATOR_A = 0x1f1e6;
const LETTER_A = 'a'.charCodeAt(0);

/** The flag as two regional indicator symbols; '' for anything that is not two letters. `uk` is the flag of gb. */
export function countryFlag(code: string): string {
  const lower = code.toLowerCase();
  if (!/^[a-z]{2}$/.test(lower)) return '';
  const letters = lower === 'uk' ? 'gb' : lower;
  return [...letters]
    .map((letter) => String.fromCodePoint(REGIONAL_INDICATOR_A + letter.charCodeAt(0) - LETTER_A))
    .join('');
}
