import { expect, it } from '@jest/globals';
import { COUNTRY_CODES, countryFlag, countryName, countryNameIn, flagCountry } from './countries';

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
  ['SE', 'Sweden', '🇸🇪'],
  ['zz', 'ZZ', '🇿🇿'],
  ['constructor', 'CONSTRUCTOR', ''],
])('shows %s as %s %s', (code, name, flag) => {
  expect(countryName(code)).toBe(name);
  expect(countryFlag(code)).toBe(flag);
});

it('has one flag for the United Kingdom, and none for the globe', () => {
  expect(['de', 'UK', 'gb', 'SE', 'un', 'aq', 'constructor'].map(flagCountry)).toEqual([
    'de',
    'gb',
    'gb',
    'se',
    null,
    null,
    null,
  ]);
});

it('lists every country of the world for addresses, named in both languages', () => {
  expect([COUNTRY_CODES.length, new Set(COUNTRY_CODES).size]).toEqual([250, 250]);
  expect(['DE', 'GR', 'GB', 'XK'].map((code) => countryNameIn(code, 'de'))).toEqual([
    'Deutschland',
    'Griechenland',
    'Vereinigtes Königreich',
    'Kosovo',
  ]);
  expect(COUNTRY_CODES.filter((code) => countryNameIn(code, 'en') === code)).toEqual([]);
  expect(['EU', 'UK', 'UN', 'ZZ', 'DD'].filter((code) => COUNTRY_CODES.includes(code))).toEqual([]);
});
