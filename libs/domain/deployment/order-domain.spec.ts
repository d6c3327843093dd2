import { describe, expect, it } from '@jest/globals';
import { parse } from 'tldts';
import { checkContactEmail, checkDomain } from './order-domain';

const detail = (domain: string, zones: readonly string[] = []): string | null =>
  checkDomain(domain, { allowedZones: zones, parseName: parse })?.detail ?? null;

describe('domain of an order', () => {
  it.each([
    'acme-shop.net',
    'shop.co.uk',
    'a.uk',
    'ada.github.io',
    'www.ck',
    'city.kawasaki.jp',
    'fritz.box',
    'mail.localhost.de',
    'examples.com',
    'xn--mnchen-shop-9db.de',
    'xn--e1afmkfd.xn--p1ai',
  ])('%s can point to a server', (domain) => expect(detail(domain)).toBeNull());

  it.each([
    ['shop.local', 'local'],
    ['intranet.internal', 'internal'],
    ['shop.example', 'example'],
    ['example.com', 'example.com'],
    ['shop.example.org', 'example.org'],
    ['x.test', 'test'],
    ['a.b.localhost', 'localhost'],
    ['x.invalid', 'invalid'],
    ['x.onion', 'onion'],
    ['x.alt', 'alt'],
    ['home.arpa', 'home.arpa'],
    ['x.home.arpa', 'home.arpa'],
    ['8.b.d.0.1.0.0.2.ip6.arpa', 'arpa'],
  ])('%s is reserved with all of .%s', (domain, zone) =>
    expect(detail(domain)).toBe(
      `Names in the zone ${zone} are reserved and never point to a server on the internet. Enter a domain you own.`,
    ),
  );

  it.each(['co.uk', 'github.io', 'duckdns.org', 's3.amazonaws.com', 'kawasaki.jp', 'anything.ck', 'xn--55qx5d.cn'])(
    '%s is a public suffix for other registrations',
    (domain) => expect(detail(domain)).toMatch(`Names below ${domain} are registered by other people`),
  );

  it.each([
    ['nas.lan', 'lan'],
    ['mail.corp', 'corp'],
    ['shop.comm', 'comm'],
  ])('%s has no top-level domain', (domain, zone) =>
    expect(detail(domain)).toMatch(`There are no domains that end in .${zone}.`),
  );

  it.each(['', 'localhost', 'acme_shop.net', 'https://acme_shop.net', '1.2.3', 'ab:80'])(
    '"%s" is not a domain',
    (domain) => expect(detail(domain)).toMatch(/^Enter a domain you own/),
  );

  it.each(['300.1.1.1', '192.0.2.7', '2001:db8::7', '[2001:db8::7]'])('%s is an IP address', (address) =>
    expect(detail(address)).toBe("An IP address isn't a domain. Enter a domain you own, for example your-domain.com."),
  );

  it.each([
    'https://acme-shop.net',
    'https://acme-shop.net/a',
    'acme-shop.net/a?b#c',
    'acme-shop.net?b',
    'acme-shop.net#c',
  ])('%s contains a domain', (address) =>
    expect(detail(address)).toBe('Enter only the domain acme-shop.net, without "https://" and without a path.'),
  );

  it('is rejected only for its zone while the public suffix list is not loaded', () => {
    const names = { allowedZones: [], parseName: null };
    expect(checkDomain('shop.local', names)?.detail).toMatch(/reserved/);
    expect(checkDomain('co.uk', names)).toBeNull();
  });

  it('is accepted in the own zones of an installation, and only there', () => {
    const zones = ['sandbox.localhost', 'lan'];
    expect(detail('harbour.sandbox.localhost', zones)).toBeNull();
    expect(detail('nas.lan', zones)).toBeNull();
    expect(detail('harbour.localhost', zones)).toMatch(/reserved/);
    expect(detail('harbour.notsandbox.localhost', zones)).toMatch(/reserved/);
  });
});

describe('contact of a certificate', () => {
  const refusal = (email: string, allowedZones: readonly string[] = []) =>
    checkContactEmail(email, { allowedZones, parseName: parse })?.detail ?? null;

  it.each([
    'admin@example.com',
    'admin@mail.example.org',
    'ada@EXAMPLE.net',
    'ada@shop.test',
    'ada@localhost.localdomain',
    'ada@moorage.localhost',
    'ada@printer.local',
    'ada@x.onion',
    'ada@home.arpa',
    'ada@nas.internal',
    'ada@shop.invalid',
    'ada@shop.nosuchzone',
  ])('is rejected at a domain without mailboxes: %s', (email) => {
    const [, domain = ''] = email.toLowerCase().split('@');
    expect(refusal(email)).toBe(
      `${domain} can't receive email, so certificate authorities reject this address. Enter an address that you read.`,
    );
  });

  it.each([
    'ada@gmail.com',
    'ada@team.co.uk',
    'ada@github.io',
    'ada@münchen.de',
    'ada@xn--e1afmkfd.xn--p1ai',
    'no address',
    '',
  ])('is accepted at a shared domain: %s', (email) => expect(refusal(email)).toBeNull());

  it('is accepted in a zone of the installation', () => {
    expect(refusal('ada@people.localhost', ['localhost'])).toBeNull();
    expect(checkContactEmail('ada@example.com', { allowedZones: [], parseName: null })).not.toBeNull();
    expect(checkContactEmail('ada@shop.nosuchzone', { allowedZones: [], parseName: null })).toBeNull();
  });
});
