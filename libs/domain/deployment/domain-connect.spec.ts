import { describe, expect, it } from '@jest/globals';
import { connectLabels, connectName, connectPackage, connectQuery } from './domain-connect';

const FACTS = {
  name: 'pangolin',
  defaults: { ADMIN_SUBDOMAIN: 'admin' },
  dns: [
    { host: '{ADMIN_SUBDOMAIN}', required: true },
    { host: '{TRAEFIK_SUBDOMAIN}', required: true, when: 'TRAEFIK_SUBDOMAIN' },
    { host: '*', required: false },
  ],
};
const PLACE = { domain: 'shop.example.com', address: '203.0.113.7' };

describe('requests of Domain Connect', () => {
  it('use the labels of the manifest', () => {
    expect(connectLabels(FACTS)).toEqual(['admin', '*']);
  });

  it.each([
    ['default subdomains', {}, ['admin-a', 'wildcard-a']],
    ['another subdomain for a required name', { ADMIN_SUBDOMAIN: 'panel' }, null],
    ['a required name that the template lacks', { TRAEFIK_SUBDOMAIN: 'traefik' }, null],
  ])('apply groups of records with %s', (_, values, groups) => {
    expect(connectPackage(FACTS, values, PLACE)?.groups ?? null).toEqual(groups);
  });

  it('apply AAAA records for a server with only IPv6', () => {
    expect(connectPackage(FACTS, {}, { ...PLACE, address: '2001:db8::7' })?.groups).toEqual([
      'admin-aaaa',
      'wildcard-aaaa',
    ]);
  });

  it.each([
    ['shop.example.com', 'example.com', 'domain=example.com&host=shop&groupId=name-a&IP=203.0.113.7'],
    ['example.com', 'example.com', 'domain=example.com&groupId=name-a&IP=203.0.113.7'],
    ['example.com', 'other.example', null],
    ['badexample.com', 'example.com', null],
  ])('for %s in the zone %s', (domain, zone, query) => {
    expect(connectQuery(connectName(domain, '203.0.113.7'), zone)).toBe(query);
  });
});
