import { expect, it } from '@jest/globals';
import { builtInCatalogue } from './catalogue';
import { PROVIDER_NAMES, providerName, providersNamed } from './providers';

it('the catalogue has every provider of the table by its name', () => {
  const named = builtInCatalogue().providers();
  expect(Object.fromEntries(named.map(({ name, displayName }) => [name, displayName]))).toEqual(PROVIDER_NAMES);
});

it.each([
  ['google cloud', ['gcp']],
  [' AKAMAI ', ['linode']],
  ['cloud', ['gcp']],
  ['own server', ['byovps']],
  ['Eigener', ['byovps']],
  ['vps', ['byovps']],
  ['%', []],
  ['  ', []],
])('"%s" is in the display names of %j', (text, found) => {
  expect(providersNamed(text)).toEqual(found);
});

it('shows a value without a display name unchanged', () => {
  expect([providerName('hetzner'), providerName('constructor')]).toEqual(['Hetzner', 'constructor']);
});
