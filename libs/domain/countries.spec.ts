import { expect, it } from '@jest/globals';
import { countryFlag, countryName, flagCountry } from './countries';

it.each([
  ['us', 'United States', '🇺🇸'],
  ['de', 'Germany', '🇩🇪'],
  ['gb', 'United Kingdom', '🇬🇧'],
  ['uk', 'United Kingdom', '🇬🇧'],
  ['nl', 'Netherlands', '🇳🇱'],
  ['fi', 'Finland', '🇫🇮'],
  ['sg', 'Singapore', '🇸🇬'],
  ['au', 'Australia', '🇦🇺'],
  ['ca', 'Canada', '🇨🇦'],
  ['in', 'India', '🇮🇳'],
  ['ie', 'Ireland', '🇮🇪'],
  ['un', 'Global', '🇺🇳'],
  ['SE', 'SE', '🇸🇪'],
  ['constructor', 'CONSTRUCTOR', ''],
])('shows %s as %s %s', (code, name, flag) => {
  expect(countryName(code)).toBe(name);
  expect(countryFlag(code)).toBe(flag);
});

it('flags are those of the table, one for the United Kingdom, none for the globe', () => {
  expect(['de', 'UK', 'gb', 'un', 'se', 'constructor'].map(flagCountry)).toEqual(['de', 'gb', 'gb', null, null, null]);
});
