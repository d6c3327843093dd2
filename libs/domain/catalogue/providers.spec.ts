import { expect, it } from '@jest/globals';
import { builtInCatalogue } from './catalogue';
import { CLOUD_NAMES, providerName, providersNamed } from './providers';

it('the catalogue has every provider of the table by its name', () => {
  const named = builtInCatalogue().providers();
  expect(named).toEqual(CLOUD_NAMES.map((name) => ({ name, displayName: providerName(name) })));
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
