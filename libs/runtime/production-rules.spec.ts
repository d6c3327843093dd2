import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { PRODUCTION_RULES, type Strictness } from './production-rules';
import { parseSettings, startWarnings } from './read-settings';
import { SETTINGS } from './settings';

const BACKUPS = {
  BACKUP_TARGET: 's3:https://s3.example.com/backups',
  BACKUP_S3_ACCESS_KEY_ID: 'key-1',
  BACKUP_S3_SECRET_ACCESS_KEY: 'x',
  BACKUP_HOSTS_URL: 'rest:https://backups.example.com/',
  BACKUP_HTPASSWD_FILE: '/srv/access/htpasswd',
};
const PRODUCTION: Readonly<Record<string, string | undefined>> = {
  MODE: 'production',
  CLOUD_MODE: 'live',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
  SECRETS_KEYS: `a:${'A'.repeat(43)}=`,
  ACCOUNT_SECRETS_KEYS: `b:${'B'.repeat(42)}A=`,
  MAIL_URL: 'smtps://mail.example.com',
  MAIL_FROM: 'Moorage <no-reply@example.com>',
  ADMIN_EMAIL: 'admin@example.com',
  BRAND_SUPPORT_EMAIL: 'support@example.com',
  PUBLIC_URL: 'https://console.example.com',
  TRUSTED_PROXIES: '10.0.0.5',
  OPERATOR_NAME: 'Moorage Hosting GmbH',
  OPERATOR_ADDRESS: 'Hafenstr. 1 | 20457 Hamburg',
  ...BACKUPS,
};
const LOGIN = { KAFKA_USERNAME: 'moorage', KAFKA_PASSWORD: 'x' };
const kafka = (broker: string) => ({ KAFKA_BROKERS: broker, ...LOGIN });
const redis = (url: string) => ({ REDIS_URL: url, REDIS_PASSWORD: 'x' });

const NO_BACKUPS = Object.fromEntries(Object.keys(BACKUPS).map((name) => [name, undefined]));

type Change = Readonly<Record<string, string | undefined>>;

/** Changes that break each rule, by name. */
const BROKEN: Readonly<Record<Strictness, Readonly<Record<string, Change>>>> = {
  never: {
    STRIPE_SECRET_KEY: { STRIPE_SECRET_KEY: 'sk_test_x' },
    STRIPE_WEBHOOK_SECRET: { STRIPE_WEBHOOK_SECRET: undefined },
    CLOUD_MODE: { CLOUD_MODE: 'sandbox' },
    LAB_CLOCK_OFFSET_MS: { LAB_CLOCK_OFFSET_MS: '1000' },
    VPS_ALLOWED_CIDRS: { VPS_ALLOWED_CIDRS: '127.0.0.0/8' },
    FAILPOINT: { FAILPOINT: 'x' },
    SECRETS_KEYS: { SECRETS_KEYS: undefined },
    ACCOUNT_SECRETS_KEYS: { ACCOUNT_SECRETS_KEYS: undefined },
    MAIL_URL: { MAIL_URL: undefined },
    JWT_SECRET: { DATABASE_URL: 'postgres://db.example.com/moorage' },
    PUBLIC_URL: { PUBLIC_URL: undefined },
    TRUSTED_PROXIES: { TRUSTED_PROXIES: '0.0.0.0/0' },
    ...Object.fromEntries(baseUrls().map((name) => [name, { [name]: 'http://203.0.113.9/v1' }])),
  },
  lab: {
    ...Object.fromEntries(baseUrls().map((name) => [name, { [name]: 'http://10.0.0.6/v1' }])),
    VPS_SSH_PORT: { VPS_SSH_PORT: '2222' },
    DOMAIN_ALLOWED_ZONES: { DOMAIN_ALLOWED_ZONES: 'test' },
    DNS_RESOLVERS: { DNS_RESOLVERS: '127.0.0.1:53' },
    CERTIFICATE_CA_FILE: { CERTIFICATE_CA_FILE: 'ca.pem' },
    TRAEFIK_PLUGINS: { TRAEFIK_PLUGINS: 'off' },
    LAB_DOCKER_MINIMUM: { LAB_DOCKER_MINIMUM: '20.10' },
    ACME_DIRECTORY_URL: { ACME_DIRECTORY_URL: 'https://acme-staging-v02.api.letsencrypt.org/directory' },
    PUBLIC_URL: { PUBLIC_URL: 'http://console.example.com', TRUSTED_PROXIES: undefined },
    KAFKA_USERNAME: { KAFKA_BROKERS: 'kafka:9092' },
    KAFKA_TLS: kafka('kafka:9092,kafka.example.com:9092'),
    REDIS_PASSWORD: { REDIS_URL: 'rediss://redis.example.com' },
    REDIS_URL: redis('redis://redis.example.com'),
    MAIL_URL: { MAIL_URL: 'smtp://mail.example.com:587' },
    DATABASE_URL: { DATABASE_URL: 'postgres://u:p@db.example.com/moorage', JWT_SECRET: 'x'.repeat(40) },
    BACKUP_TARGET: { ...BACKUPS, BACKUP_TARGET: 's3:http://s3.example.com/backups' },
    BACKUP_HOSTS_URL: { ...BACKUPS, BACKUP_HOSTS_URL: 'rest:http://backups.example.com/' },
    ADMIN_PASSWORD: { ADMIN_PASSWORD: '123456' },
  },
  note: {
    KAFKA_TLS: kafka('kafka:9092,10.0.0.7:9092,[fd00::7]:9092,kafka.queue.svc.internal:9092'),
    REDIS_URL: redis('redis://redis:6379'),
    OPERATOR_NAME: { OPERATOR_NAME: undefined },
    OPERATOR_ADDRESS: { OPERATOR_ADDRESS: undefined },
    BACKUP_TARGET: NO_BACKUPS,
    ADMIN_EMAIL: { ADMIN_EMAIL: undefined },
    BRAND_SUPPORT_EMAIL: { BRAND_SUPPORT_EMAIL: undefined },
    MAIL_FROM: { MAIL_FROM: undefined },
  },
};

function baseUrls(): string[] {
  return Object.keys(SETTINGS).filter((name) => /^STRIPE_API_BASE$|_(BASE|TOKEN)_URL$/.test(name));
}

const namesOf = (strictness: Strictness): string[] =>
  [...new Set(PRODUCTION_RULES.filter((rule) => rule.strictness === strictness).map(({ name }) => name))].sort();
const refusalOf = (change: Change): string => {
  try {
    parseSettings({ ...PRODUCTION, ...change });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};
const warningsWith = (change: Change): string[] => startWarnings(parseSettings({ ...PRODUCTION, ...change }));
const cases = (strictness: Strictness) => Object.entries(BROKEN[strictness]);

describe('MODE=production', () => {
  it.each(['never', 'lab', 'note'] as const)('has an example for each name of %s', (strictness) => {
    expect(Object.keys(BROKEN[strictness]).sort()).toEqual(namesOf(strictness));
  });

  it('covers every setting documented as a lab setting', () => {
    const described = Object.entries(SETTINGS).filter(([, { description = '' }]) => description.startsWith('lab:'));
    const ruled = new Set([...namesOf('never'), ...namesOf('lab')]);
    expect(described.map(([name]) => name).filter((name) => !ruled.has(name))).toEqual([]);
  });

  it('starts without warnings when everything is set', () => {
    expect(warningsWith({})).toEqual([]);
  });

  it.each(cases('never'))('refuses to start by the rule of %s, whatever is allowed', (name, change) => {
    for (const allowed of [undefined, 'yes'])
      expect(refusalOf({ ...change, ALLOW_LAB_SETTINGS: allowed })).toMatch(new RegExp(`^${name}: `, 'm'));
  });

  it.each(cases('lab'))('refuses to start by the rule of %s', (name, change) => {
    expect(refusalOf(change)).toMatch(new RegExp(`^${name}: .* \\(ALLOW_LAB_SETTINGS=yes allows it\\)$`));
  });

  it.each(cases('lab'))('with ALLOW_LAB_SETTINGS starts despite %s, and logs it', (name, change) => {
    expect(warningsWith({ ...change, ALLOW_LAB_SETTINGS: 'yes' })).toContain(`ALLOW_LAB_SETTINGS=yes allows: ${name}`);
  });

  it.each(cases('note'))('starts despite %s, and logs it', (name, change) => {
    expect(warningsWith(change)).toEqual([expect.stringMatching(new RegExp(`^${name} is `))]);
  });

  it.each(['smtp://mail.example.com:587?requireTLS=true', 'smtp://mail:25', 'smtp://10.0.0.9'])(
    'sends emails by %s',
    (url) => {
      expect(warningsWith({ MAIL_URL: url })).toEqual([]);
    },
  );

  it.each<[string, Change]>([
    ['TLS without certificate validation', { MAIL_URL: 'smtps://mail.example.com?tls.rejectUnauthorized=false' }],
    ['an upper-case Redis URL', { ...redis('REDIS://redis.example.com') }],
    ['a public name that starts like a private address', { MAIL_URL: 'smtp://10.mail.example.com' }],
    ['a public address as a single number', { ...redis('redis://134744072') }],
    ['a public name that starts like loopback', { ...redis('redis://127.evil.com') }],
    [
      'a database whose URL disables TLS',
      { DATABASE_URL: 'postgres://u:p@db.example.com/x?sslmode=disable', JWT_SECRET: 'x'.repeat(40) },
    ],
    ['half of all addresses as proxies, twice', { TRUSTED_PROXIES: '0.0.0.0/1,128.0.0.0/1' }],
    ['all addresses as proxies, in IPv6', { TRUSTED_PROXIES: '::ffff:0:0/96' }],
    ['one key ring for two purposes', { ACCOUNT_SECRETS_KEYS: `b:${'A'.repeat(43)}=` }],
    ['an upper-case provider mode', { HETZNER_BASE_URL: 'HTTP://203.0.113.9/v1', ALLOW_LAB_SETTINGS: 'yes' }],
  ])('does not start with %s', (_, change) => {
    expect(refusalOf(change)).not.toBe('');
  });

  it.each<[string, Change]>([
    ['a database on a private name', { DATABASE_URL: 'postgres://u:p@postgres:5432/x' }],
    ['a database on a socket', { DATABASE_URL: 'postgres:///moorage?host=/run/postgresql' }],
    ['a public database with TLS', { DATABASE_URL: 'postgres://u:p@db.example.com/x?sslmode=verify-full' }],
    ['a private network of proxies', { TRUSTED_PROXIES: '10.0.0.0/8,fc00::/7' }],
  ])('starts with %s', (_, change) => {
    expect(refusalOf({ JWT_SECRET: 'x'.repeat(40), ...change })).toBe('');
  });

  it('lists all exceptions at once', () => {
    const change = { DNS_RESOLVERS: '127.0.0.1:53', VPS_SSH_PORT: '2222', ALLOW_LAB_SETTINGS: 'yes' };
    expect(warningsWith(change)).toEqual(['ALLOW_LAB_SETTINGS=yes allows: VPS_SSH_PORT, DNS_RESOLVERS']);
  });

  it.each(['kafka.example.com', '203.0.113.9', '172.32.0.1', '192.169.0.1', '[2001:db8::1]', 'internal.example.com'])(
    'treats %s as a public broker',
    (host) => {
      expect(refusalOf(kafka(`${host}:9092`))).toMatch(/^KAFKA_TLS/);
      expect(refusalOf({ ...kafka(`${host}:9092`), KAFKA_TLS: 'on' })).toBe('');
    },
  );

  it.each([
    'short-Kx7!q',
    '123456789012',
    'aaaaaaaaaaaa',
    'Password2026!',
    'Administrator1',
    'qwertyuiop123',
    'changeme-changeme',
  ])('rejects an administrator with the password %s', (ADMIN_PASSWORD) => {
    expect(refusalOf({ ADMIN_PASSWORD })).toMatch(/^ADMIN_PASSWORD/);
    expect(refusalOf({ ADMIN_PASSWORD })).not.toContain(ADMIN_PASSWORD);
  });

  it('accepts an administrator with a long unique password', () => {
    expect(refusalOf({ ADMIN_PASSWORD: 'harbour-cleat-42' })).toBe('');
  });
});

describe('demo mode', () => {
  it.each(cases('lab'))('starts despite %s', (_, change) => {
    expect(() => parseSettings(change)).not.toThrow();
  });
});

describe('docs/settings.md', () => {
  const [, list = ''] = readFileSync('docs/settings.md', 'utf8').split(/<!-- \/?production -->/);
  const rows = list.trim().split('\n');
  const named = (row = ''): string[] =>
    [...new Set([...row.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name))].sort();

  it.each([
    ['never', 0],
    ['lab', 1],
    ['note', 2],
  ] as const)('names the settings of %s', (strictness, row) => {
    // Plain http at a public host is never allowed, and the row of lab settings contains those addresses.
    const elsewhere = strictness === 'never' ? baseUrls() : [];
    expect(named(rows[row])).toEqual(namesOf(strictness).filter((name) => !elsewhere.includes(name)));
  });
});
