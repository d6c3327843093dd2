import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../time';
import { missingEnv } from './draft';
import {
  isPlatformNameFree,
  offersPlatformName,
  platformLabel,
  platformLabelWith,
  withOptionalDomain,
} from './platform-names';

describe('label of a platform name', () => {
  it.each([
    ['jane-pangolin-123456', 'jane-pangolin-123456'],
    ['Our Shop', 'our-shop'],
    ['Müller & Söhne', 'mueller-soehne'],
    ['Café  São_Paulo', 'cafe-sao-paulo'],
    ['--a..b--', 'a-b'],
    ['x'.repeat(64), 'x'.repeat(40)],
    [`${'x'.repeat(39)} y`, 'x'.repeat(39)],
  ])('of %s is %s', (name, label) => expect(platformLabel(name)).toBe(label));

  it.each(['www', 'Admin', 'API', 'mail', 'ns', 'ns1', '日本', '...', ''])('is not derived from "%s" alone', (name) =>
    expect(platformLabel(name)).toBeNull(),
  );

  it.each([
    ['www', 'www-k3f9a'],
    ['日本', 'site-k3f9a'],
    ['x'.repeat(64), `${'x'.repeat(34)}-k3f9a`],
    [`${'x'.repeat(33)} yz`, `${'x'.repeat(33)}-k3f9a`],
  ])('of %s with a suffix is %s', (name, label) => expect(platformLabelWith(name, 'k3f9a')).toBe(label));
});

describe('platform name that was given before', () => {
  const at = 100 * DAY_MS;
  it.each([
    ['in use, for the same account', 1, null, false],
    ['just released, for the same account', 1, at, true],
    ['just released, for another account', 2, at, false],
    ['released for 30 days less a millisecond, for another account', 2, at - 30 * DAY_MS + 1, false],
    ['released for 30 days, for another account', 2, at - 30 * DAY_MS, true],
  ])('%s', (_, to, releasedAt, free) =>
    expect(isPlatformNameFree({ accountId: 1, releasedAt }, { to, at })).toBe(free),
  );
});

describe('platform name', () => {
  const platform = { domain: 'apps.example.net', isSimulated: false };
  it.each([
    ['no platform domain', null, 'new', false],
    ['a new server', platform, 'new', true],
    ["a customer's own server", platform, 'vps', true],
    ['a simulated domain and a new server', { ...platform, isSimulated: true }, 'new', true],
    ["a simulated domain and a customer's own server", { ...platform, isSimulated: true }, 'vps', false],
  ] as const)('is offered with %s: %s', (_, domain, type, offered) =>
    expect(offersPlatformName(domain, type)).toBe(offered),
  );

  it('makes the domain of a package optional', () => {
    const config = {
      name: 'shop',
      display_name: 'Shop',
      default_admin_subdomain: null,
      details: [{ name: 'shop', required_env: [{ name: 'DOMAIN' }, 'EMAIL'], optional_env: ['KOMODO_HOST_IP'] }],
    };
    const draft = {
      package: 'shop',
      server_type: 'new',
      cloud_provider: null,
      region: null,
      instance_type: null,
      support_level: 1,
      vps_ip_address: null,
      user_ssh_key: null,
    } as const;
    expect(missingEnv(draft, config)).toEqual(['DOMAIN', 'EMAIL']);
    expect(missingEnv(draft, withOptionalDomain(config))).toEqual(['EMAIL']);
  });
});
