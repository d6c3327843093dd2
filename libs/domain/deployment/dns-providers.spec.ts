import { describe, expect, it } from '@jest/globals';
import { DNS_PROVIDERS, providerOfNameServers, zonesOf } from './dns-providers';

describe('the DNS provider of a zone', () => {
  it.each([
    [['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'], 'cloudflare'],
    [['ns1.digitalocean.com', 'ns2.digitalocean.com', 'ns3.digitalocean.com'], 'digitalocean'],
    [['hydrogen.ns.hetzner.com', 'oxygen.ns.hetzner.com', 'helium.ns.hetzner.de'], 'hetzner'],
    [['ns1.example.net'], null],
    [['ada.ns.cloudflare.com', 'ns1.digitalocean.com'], null],
    [['ns.cloudflare.com.example.net'], null],
    [['evilns.cloudflare.com'], null],
    [[], null],
  ])('of %j is %s', (servers, provider) => {
    expect(providerOfNameServers(servers)).toBe(provider);
  });

  it('has a page for tokens', () => {
    for (const { tokenUrl } of Object.values(DNS_PROVIDERS)) expect(tokenUrl).toMatch(/^https:\/\//);
  });
});

describe('zones that may contain a name', () => {
  it.each([
    ['example.com', ['example.com']],
    ['admin.example.com', ['admin.example.com', 'example.com']],
    ['*.shop.example.com', ['shop.example.com', 'example.com']],
    ['localhost', []],
  ])('of %s', (host, zones) => {
    expect(zonesOf(host)).toEqual(zones);
  });

  it('are at most five, the shortest ones', () => {
    expect(zonesOf('a.b.c.d.e.f.example.com')).toHaveLength(5);
    expect(zonesOf('a.b.c.d.e.f.example.com').at(-1)).toBe('example.com');
  });
});
