import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeRunFolder, removeRunFolder } from '@moorage/testing';
import { backupQuota, backupTargetOf, hasBackupTarget } from './backup-settings';
import { cloudSetupOf } from './cloud-settings';
import { platformOf } from './platform-settings';
import { promises } from './run-service';
import { parseSettings, SettingsError, type SettingsReader, startWarnings } from './read-settings';
import { SECRET_SETTINGS } from './settings';

const PRODUCTION = {
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
  BACKUP_TARGET: 's3:https://s3.example.com/backups',
  BACKUP_S3_ACCESS_KEY_ID: 'key-1',
  BACKUP_S3_SECRET_ACCESS_KEY: 'x',
  BACKUP_HOSTS_URL: 'rest:https://backups.example.com/',
  BACKUP_HTPASSWD_FILE: '/srv/access/htpasswd',
};
const without = (name: keyof typeof PRODUCTION) => ({ ...PRODUCTION, [name]: undefined });

describe('settings', () => {
  it('are all optional for the embedded default', () => {
    const settings = parseSettings({});
    expect(settings).toMatchObject({
      MODE: 'demo',
      PORT: 3000,
      CLOUD_MODE: 'sandbox',
      GRACE_PERIOD_MINUTES: 60,
      VPS_SSH_PORT: 22,
    });
  });

  it('treat an empty variable as unset, as compose files write it', () => {
    expect(parseSettings({ STRIPE_SECRET_KEY: '', PORT: '' }).PORT).toBe(3000);
  });

  it('accept one password for each service', () => {
    const given = 'api:sixteen-letters-1,provisioner:sixteen-letters-2,billing:sixteen-letters-3';
    expect(parseSettings({ DATABASE_SERVICE_PASSWORDS: given }).DATABASE_SERVICE_PASSWORDS).toEqual({
      api: 'sixteen-letters-1',
      provisioner: 'sixteen-letters-2',
      billing: 'sixteen-letters-3',
    });
    for (const wrong of ['api:sixteen-letters-1', given.replace('billing', 'biling'), given.replace('-letters-3', '')])
      expect(() => parseSettings({ DATABASE_SERVICE_PASSWORDS: wrong })).toThrow(/DATABASE_SERVICE_PASSWORDS: use api/);
  });

  it.each([['DEPLETION_HOLD_MINUTES', 'GRACE_PERIOD_MINUTES']])(
    'reject the old name %s and state the new name',
    (old, name) => {
      expect(() => parseSettings({ [old]: '30' })).toThrow(`${old}: this setting was renamed to ${name}`);
      expect(parseSettings({ [old]: '' }).GRACE_PERIOD_MINUTES).toBe(60);
    },
  );

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['DATABASE_URL', 'mysql://x'],
    ['KAFKA_BROKERS', 'kafka://x'],
    ['REDIS_URL', 'http://x'],
    ['MODE', 'prod'],
    ['GRACE_PERIOD_MINUTES', '1440'],
    ['VPS_ALLOWED_CIDRS', 'everything'],
    ['DOMAIN_ALLOWED_ZONES', 'Test'],
    ['DNS_RESOLVERS', 'a b'],
    ['TERMS_URL', 'http://example.com/terms'],
    ['STATUS_URL', 'javascript:alert(1)'],
    ['JWT_SECRET', 'short'],
  ])('report an invalid %s=%s without repeating its value', (name, value) => {
    expect(() => parseSettings({ [name]: value })).toThrow(SettingsError);
    expect(() => parseSettings({ [name]: value })).toThrow(new RegExp(name));
    if (name === 'JWT_SECRET') expect(() => parseSettings({ [name]: value })).not.toThrow(/short$/);
  });
});

describe('transport servers', () => {
  const kafka = { KAFKA_BROKERS: 'kafka-1:9092, kafka-2' };
  const tls = { KAFKA_TLS: 'on', KAFKA_TLS_CA_FILE: '/ca.pem' };
  const login = { KAFKA_USERNAME: 'moorage', KAFKA_PASSWORD: 'secret' };

  it('are accepted with their logins and authorities', () => {
    const given = { ...kafka, ...tls, ...login, REDIS_URL: 'rediss://redis:6379', REDIS_TLS_CA_FILE: '/ca.pem' };
    expect(parseSettings(given)).toMatchObject({
      KAFKA_BROKERS: ['kafka-1:9092', 'kafka-2'],
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      REDIS_URL: 'rediss://redis:6379',
    });
  });

  it.each([
    [login, 'KAFKA_USERNAME: has no effect without KAFKA_BROKERS'],
    [{ ...kafka, KAFKA_USERNAME: 'moorage' }, 'KAFKA_USERNAME: also requires KAFKA_PASSWORD'],
    [{ ...kafka, KAFKA_PASSWORD: 'secret' }, 'KAFKA_PASSWORD: has no effect without KAFKA_BROKERS and KAFKA_USERNAME'],
    [{ ...kafka, KAFKA_TLS_CA_FILE: '/ca.pem' }, 'KAFKA_TLS_CA_FILE: has no effect without KAFKA_TLS=on'],
    [{ REDIS_PASSWORD: 'secret' }, 'REDIS_PASSWORD: has no effect without REDIS_URL'],
    [
      { REDIS_URL: 'redis://redis', REDIS_TLS_CA_FILE: '/ca.pem' },
      'REDIS_TLS_CA_FILE: has no effect without a REDIS_URL that begins with rediss:',
    ],
  ])('are rejected if a setting would have no effect: %j', (given, sentence) => {
    expect(() => parseSettings(given)).toThrow(sentence);
  });
});

describe('backup target', () => {
  const places = {
    BACKUP_HOSTS_URL: 'rest:https://backups.example.com/',
    BACKUP_HTPASSWD_FILE: '/srv/access/htpasswd',
  };
  const rest = {
    ...places,
    BACKUP_TARGET: 'rest:http://rest-server:8001/',
    BACKUP_TARGET_USER: 'platform',
    BACKUP_TARGET_PASSWORD: 'secret',
  };
  const s3 = {
    ...places,
    BACKUP_TARGET: 's3:https://s3.example.com/backups/moorage',
    BACKUP_S3_ACCESS_KEY_ID: 'key-1',
    BACKUP_S3_SECRET_ACCESS_KEY: 'secret',
  };
  const withChange = (given: Record<string, string>, change: Record<string, string | undefined>) => ({
    ...given,
    ...change,
  });

  it('is a rest-server or a bucket, and empty by default', () => {
    expect(backupTargetOf(parseSettings(rest))).toMatchObject({ kind: 'rest', user: 'platform', password: 'secret' });
    expect(backupTargetOf(parseSettings(s3))).toMatchObject({ kind: 's3', keyId: 'key-1', region: 'us-east-1' });
    expect(hasBackupTarget(parseSettings({}))).toBe(false);
  });

  it('is known to services without its credentials', () => {
    const { BACKUP_TARGET_USER: _user, BACKUP_TARGET_PASSWORD: _password, ...others } = rest;
    const settings = parseSettings(others, 'api');
    expect(hasBackupTarget(settings)).toBe(true);
    expect(backupTargetOf(settings)).toBeNull();
    expect(() => parseSettings(others, 'provisioner')).toThrow(/^BACKUP_TARGET_USER: is required/);
  });

  it('allows as much storage as the level includes', () => {
    const settings = parseSettings({ BACKUP_QUOTA_LEVEL_2_GB: '5' });
    expect(([1, 2, 3] as const).map((level) => backupQuota(settings, level) / 1e9)).toEqual([5, 5, 100]);
  });

  it.each([
    [withChange(rest, { BACKUP_TARGET: 'https://host/' }), /^BACKUP_TARGET: use rest:https:\/\/host\/ or s3:/],
    [withChange(rest, { BACKUP_TARGET: 'sftp:host:/x' }), /^BACKUP_TARGET: use rest:/],
    [withChange(rest, { BACKUP_TARGET: 'rest:https://me:word@host/' }), /^BACKUP_TARGET: must not contain a login/],
    [withChange(s3, { BACKUP_TARGET: 's3:https://s3.example.com/' }), /^BACKUP_TARGET: must name the bucket/],
    [withChange(rest, { BACKUP_HOSTS_URL: 's3:https://host/bucket' }), /^BACKUP_HOSTS_URL: use rest:https:\/\/host\/$/],
    [
      withChange(rest, { BACKUP_TARGET_PASSWORD: undefined }),
      /^BACKUP_TARGET_PASSWORD: is required with a BACKUP_TARGET/,
    ],
    [
      withChange(s3, { BACKUP_S3_ACCESS_KEY_ID: undefined }),
      /^BACKUP_S3_ACCESS_KEY_ID: is required with a BACKUP_TARGET/,
    ],
    [
      withChange(s3, { BACKUP_TARGET_USER: 'platform' }),
      /^BACKUP_TARGET_USER: has no effect without a BACKUP_TARGET that/,
    ],
    [withChange(rest, { BACKUP_HOSTS_URL: undefined }), /^BACKUP_HOSTS_URL: is required with BACKUP_TARGET/],
    [withChange(rest, { BACKUP_HTPASSWD_FILE: undefined }), /^BACKUP_HTPASSWD_FILE: is required with BACKUP_TARGET/],
    [places, /^BACKUP_HOSTS_URL: has no effect without BACKUP_TARGET/],
    [{ BACKUP_TESTS: 'on' }, /^BACKUP_TESTS: has no effect without BACKUP_TARGET/],
    [{ BACKUP_CPUS: '0' }, /^BACKUP_CPUS: must be more than 0/],
    [{ BACKUP_MEMORY_MB: '64' }, /^BACKUP_MEMORY_MB: /],
  ])('is rejected if incomplete or invalid, without repeating its login: %j', (given, sentence) => {
    expect(() => parseSettings(given)).toThrow(sentence);
    expect(() => parseSettings(given)).not.toThrow(/secret|word@/);
  });
});

describe('receipt issuer', () => {
  const tax = { TAX_RATE_PERCENT: '19', TAX_TEXT: 'VAT 19 % included' };
  const operator = { OPERATOR_COUNTRY: 'DE', OPERATOR_TAX_ID: 'DE 123 456 789' };

  it('is named with address, tax number and tax', () => {
    expect(parseSettings({ ...tax, ...operator, OPERATOR_ADDRESS: 'Hafenstr. 1 | 20457 Hamburg' })).toMatchObject({
      OPERATOR_ADDRESS: ['Hafenstr. 1', '20457 Hamburg'],
      TAX_RATE_PERCENT: 19_000,
    });
  });

  it.each([
    [{ ...tax, TAX_TEXT: '' }, 'TAX_TEXT: is required with TAX_RATE_PERCENT'],
    [{ ...tax, TAX_RATE_PERCENT: '' }, 'TAX_RATE_PERCENT: is required with TAX_TEXT'],
    [{ ...tax, TAX_RATE_PERCENT: '19.1234' }, 'TAX_RATE_PERCENT: must be a number from 0 to 100'],
    [{ ...tax, TAX_RATE_PERCENT: '101' }, 'TAX_RATE_PERCENT: must be a number from 0 to 100'],
    [{ OPERATOR_TAX_ID: 'DE123456789' }, 'OPERATOR_COUNTRY: is required with OPERATOR_TAX_ID'],
    [{ ...operator, OPERATOR_TAX_ID: '<none>' }, 'OPERATOR_TAX_ID: must be 2 to 40 letters'],
    [{ OPERATOR_COUNTRY: 'Germany' }, 'OPERATOR_COUNTRY: must be a two-letter country code'],
    [{ OPERATOR_ADDRESS: '1 | 2 | 3 | 4 | 5 | 6 | 7' }, 'OPERATOR_ADDRESS'],
    [{ OPERATOR_ADDRESS: 'Hafenstr. 1 | ' }, 'OPERATOR_ADDRESS'],
    [{ ...operator, OPERATOR_NAME: '株式会社' }, 'OPERATOR_NAME: contains letters that receipts cannot print'],
    [{ OPERATOR_ADDRESS: '東京都' }, 'OPERATOR_ADDRESS'],
  ])('prevents the start if receipts would be wrong: %j', (given, sentence) => {
    expect(() => parseSettings(given)).toThrow(sentence);
  });
});

it.each([
  ['DE123456789', []],
  ['12/345/67890', []],
  ['DE12345678', ['OPERATOR_TAX_ID: is not in the usual format of tax numbers of DE; receipts show it unchanged']],
])('warns at the start if the tax number of the operator is unusual: %s', (number, warnings) => {
  const reported = startWarnings(parseSettings({ OPERATOR_COUNTRY: 'DE', OPERATOR_TAX_ID: number }));
  expect(reported.filter((warning) => warning.startsWith('OPERATOR_TAX_ID'))).toEqual(warnings);
});

describe('secret in a file', () => {
  let folder: string;
  beforeEach(async () => (folder = await makeRunFolder()));
  afterEach(() => removeRunFolder(folder));

  async function file(content: string): Promise<string> {
    const path = join(folder, 'secret');
    await writeFile(path, content);
    return path;
  }

  it.each(SECRET_SETTINGS.filter((name) => /PASSWORD$|JWT/.test(name)))('is accepted for %s', async (name) => {
    const target = {
      BACKUP_TARGET: 'rest:http://rest-server/',
      BACKUP_TARGET_USER: 'platform',
      BACKUP_HOSTS_URL: 'rest:https://backups.example.com/',
      BACKUP_HTPASSWD_FILE: '/srv/access/htpasswd',
    };
    const others = {
      KAFKA_BROKERS: 'kafka',
      KAFKA_USERNAME: 'moorage',
      REDIS_URL: 'redis://redis',
      ...(name === 'BACKUP_TARGET_PASSWORD' ? target : {}),
    };
    const secret = 'a secret of thirty-two characters or more';
    const password = name === 'KAFKA_PASSWORD' ? {} : { KAFKA_PASSWORD: 'secret' };
    const settings = parseSettings({ ...others, ...password, [`${name}_FILE`]: await file(`${secret}\n`) });
    expect(settings[name]).toBe(secret);
  });

  it('is rejected together with the environment variable', async () => {
    const given = { ADMIN_PASSWORD: 'password-1', ADMIN_PASSWORD_FILE: await file('password-2') };
    expect(() => parseSettings(given)).toThrow(
      'ADMIN_PASSWORD_FILE: ADMIN_PASSWORD is set as well; remove one of them',
    );
  });

  it('is rejected without its path if the file is empty or is not a file', async () => {
    const empty = { ADMIN_PASSWORD_FILE: await file('\n') };
    expect(() => parseSettings(empty)).toThrow('ADMIN_PASSWORD_FILE: the file is empty');
    const none = { ADMIN_PASSWORD_FILE: join(folder, 'none') };
    expect(() => parseSettings(none)).toThrow('ADMIN_PASSWORD_FILE: the file cannot be read (ENOENT)');
  });
});

describe('production', () => {
  it('starts with its required settings', () => {
    expect(parseSettings(PRODUCTION).MODE).toBe('production');
  });

  it.each([
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'SECRETS_KEYS',
    'MAIL_URL',
    'PUBLIC_URL',
    'TRUSTED_PROXIES',
  ] as const)('does not start without %s', (name) => {
    expect(() => parseSettings(without(name))).toThrow(new RegExp(`^${name}|\n${name}`));
  });

  it('does not start on simulated clouds unless confirmed twice', () => {
    expect(() => parseSettings({ ...PRODUCTION, CLOUD_MODE: 'sandbox' })).toThrow(/CLOUD_MODE/);
    expect(parseSettings({ ...PRODUCTION, CLOUD_MODE: 'sandbox', SANDBOX_IN_PRODUCTION: 'yes' }).CLOUD_MODE).toBe(
      'sandbox',
    );
  });

  it.each([
    ['LAB_CLOCK_OFFSET_MS', '1000'],
    ['VPS_ALLOWED_CIDRS', '127.0.0.0/8'],
    ['FAILPOINT', 'x'],
  ])('does not start with %s', (name, value) => {
    expect(() => parseSettings({ ...PRODUCTION, [name]: value })).toThrow(new RegExp(name));
  });

  const DATABASE_URL = 'postgres://postgres/moorage';
  const JWT_SECRET = 'a secret that all api processes share';

  it('does not start without JWT_SECRET on a database that several processes can share', () => {
    expect(() => parseSettings({ ...PRODUCTION, DATABASE_URL })).toThrow(/^JWT_SECRET/);
    expect(parseSettings({ ...PRODUCTION, DATABASE_URL, JWT_SECRET }).JWT_SECRET).toBe(JWT_SECRET);
  });

  it.each(['127.0.0.1', '10.0.0.0/8, fd00::/8', 'loopback'])('trusts the proxies %s', (TRUSTED_PROXIES) => {
    expect(parseSettings({ ...PRODUCTION, TRUSTED_PROXIES }).TRUSTED_PROXIES?.length).toBeGreaterThan(0);
  });

  it.each(['0.0.0.0/0', '::/0', '10.0.0.5, 0.0.0.0/0', 'nginx', 'true', ','])(
    'does not start if %s should be trusted',
    (TRUSTED_PROXIES) => {
      expect(() => parseSettings({ ...PRODUCTION, TRUSTED_PROXIES })).toThrow(/^TRUSTED_PROXIES/);
    },
  );

  it('needs no proxy if users connect without https and that is allowed', () => {
    const given = { ...PRODUCTION, PUBLIC_URL: 'http://console.internal:3000', TRUSTED_PROXIES: undefined };
    expect(() => parseSettings(given)).toThrow(/^PUBLIC_URL: must be https[^\n]*$/);
    expect(() => parseSettings({ ...given, ALLOW_LAB_SETTINGS: 'yes' })).not.toThrow();
  });

  it.each(['sk_test_x', 'rk_test_x', 'x'])('rejects a Stripe key for test cards: %s', (STRIPE_SECRET_KEY) => {
    const sandbox = { CLOUD_MODE: 'sandbox', SANDBOX_IN_PRODUCTION: 'yes' };
    expect(() => parseSettings({ ...PRODUCTION, STRIPE_SECRET_KEY })).toThrow(/^STRIPE_SECRET_KEY/);
    expect(() => parseSettings({ ...PRODUCTION, ...sandbox, STRIPE_SECRET_KEY })).toThrow(/^STRIPE_SECRET_KEY/);
  });
});

describe('service in production', () => {
  const starts = (reader: SettingsReader, ...names: (keyof typeof PRODUCTION)[]) => {
    const given = { ...PRODUCTION, ...Object.fromEntries(names.map((name) => [name, undefined])) };
    return parseSettings(given, reader).MODE;
  };
  const OF_THE_API = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'MAIL_URL'] as const;

  it('starts without the secrets that only other services read', () => {
    expect(starts('provisioner', ...OF_THE_API, 'ACCOUNT_SECRETS_KEYS')).toBe('production');
    expect(starts('billing', ...OF_THE_API, 'SECRETS_KEYS', 'ACCOUNT_SECRETS_KEYS')).toBe('production');
  });

  it.each(['provisioner', 'billing'] as const)(
    'signs no sessions as the %s, also on a database that several processes share',
    (reader) => {
      const DATABASE_URL = 'postgres://postgres/moorage';
      expect(parseSettings({ ...PRODUCTION, DATABASE_URL }, reader).JWT_SECRET).toBeUndefined();
      expect(() => parseSettings({ ...PRODUCTION, DATABASE_URL }, 'api')).toThrow(/^JWT_SECRET/);
    },
  );

  it.each([
    ...OF_THE_API.map((name) => ['api', name] as const),
    ['api', 'SECRETS_KEYS'],
    ['api', 'ACCOUNT_SECRETS_KEYS'],
    ['provisioner', 'SECRETS_KEYS'],
    ['provisioner', 'PUBLIC_URL'],
    ['billing', 'TRUSTED_PROXIES'],
    ['all', 'STRIPE_SECRET_KEY'],
  ] as const)('does not start as %s without %s', (reader, name) => {
    expect(() => starts(reader, name)).toThrow(new RegExp(`^${name}`));
  });

  it('rejects an invalid setting in every service', () => {
    expect(() => parseSettings({ ...PRODUCTION, MAIL_URL: 'imap://x' }, 'billing')).toThrow(/^MAIL_URL/);
    expect(() => parseSettings({ ...PRODUCTION, FAILPOINT: 'x' }, 'provisioner')).toThrow(/^FAILPOINT/);
  });
});

describe('provider modes', () => {
  const modes = (env: Record<string, string>) => cloudSetupOf(parseSettings(env)).modes;
  const PAID = { STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' };

  it('are simulated by default, and live in live mode', () => {
    expect(new Set(Object.values(modes({})))).toEqual(new Set(['simulated']));
    expect(new Set(Object.values(modes({ ...PAID, CLOUD_MODE: 'live' })))).toEqual(new Set(['live']));
  });

  it('follow the setting of the provider', () => {
    const settings = parseSettings({ ...PAID, CLOUD_AWS: 'off', CLOUD_HETZNER: 'live' });
    expect(cloudSetupOf(settings).modes).toMatchObject({ aws: 'off', hetzner: 'live', linode: 'simulated' });
    expect(startWarnings(settings)).toEqual(['CLOUD_HETZNER=live: Hetzner has no credentials, so it is not offered']);
    expect(promises(settings).clouds).toMatch(/^azure=simulated, .*hetzner=live without credentials/);
    expect(promises(parseSettings({})).clouds).toBe('simulated');
  });

  it.each([
    [{ AWS_ACCESS_KEY_ID: 'AKIA' }, /^AWS_SECRET_ACCESS_KEY: is required with AWS_ACCESS_KEY_ID/],
    [{ AZURE_CLIENT_SECRET: 'x', AZURE_TENANT_ID: 't', AZURE_CLIENT_ID: 'c' }, /^AZURE_SUBSCRIPTION_ID: is required/],
  ])('prevent the start with incomplete credentials: %j', (env, refusal) => {
    expect(() => parseSettings(env)).toThrow(refusal);
    // A service that does not receive secrets does not require them.
    expect(() => parseSettings({ AWS_ACCESS_KEY_ID: 'AKIA' }, 'api')).not.toThrow();
  });

  it('require credentials only for live providers', () => {
    const settings = parseSettings({ ...PAID, CLOUD_HETZNER: 'live' });
    expect(startWarnings(settings, 'provisioner')).toHaveLength(1);
    expect(startWarnings(settings, 'api')).toEqual([]);
    expect(startWarnings(parseSettings({ ...PAID, CLOUD_HETZNER: 'live', HETZNER_TOKEN: 'x' }))).toEqual([]);
  });

  it('require real payments for a single live provider', () => {
    expect(() => parseSettings({ CLOUD_GCP: 'live' })).toThrow(/^STRIPE_SECRET_KEY/);
    expect(() => parseSettings({ ...PAID, STRIPE_SECRET_KEY: 'sk_test_x', CLOUD_GCP: 'live' })).toThrow(
      /^STRIPE_SECRET_KEY/,
    );
  });

  it('reject a simulated provider in production unless confirmed twice', () => {
    const one = { ...PRODUCTION, CLOUD_VULTR: 'simulated' };
    expect(() => parseSettings(one)).toThrow(/^CLOUD_VULTR/);
    expect(cloudSetupOf(parseSettings({ ...one, SANDBOX_IN_PRODUCTION: 'yes' })).modes.vultr).toBe('simulated');
  });

  it('accept no other value', () => {
    expect(() => parseSettings({ CLOUD_AWS: 'sandbox' })).toThrow(/^CLOUD_AWS/);
  });
});

describe('live clouds', () => {
  it('accept no payments by test card in any mode', () => {
    const settings = { CLOUD_MODE: 'live', STRIPE_WEBHOOK_SECRET: 'whsec_x' };
    expect(() => parseSettings({ ...settings, STRIPE_SECRET_KEY: 'sk_test_x' })).toThrow(/^STRIPE_SECRET_KEY/);
    expect(parseSettings({ ...settings, STRIPE_SECRET_KEY: 'sk_live_x' }).CLOUD_MODE).toBe('live');
  });

  it('accept no test payments in any mode', () => {
    expect(() => parseSettings({ CLOUD_MODE: 'live' })).toThrow(/STRIPE_SECRET_KEY/);
  });
});

describe('platform domain', () => {
  const LIVE = { CLOUD_MODE: 'live', STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' };
  const setupOf = (env: Record<string, string>) => platformOf(parseSettings(env));

  it('is below the zone of the sandbox if all providers are simulated', () => {
    expect(setupOf({})).toMatchObject({ domain: 'apps.sandbox.localhost', dns: 'simulated' });
    expect(setupOf({ PLATFORM_DOMAIN: 'off' })).toBeNull();
    expect(setupOf(LIVE)).toBeNull();
  });

  it('is its own zone unless another is set', () => {
    const env = { ...LIVE, PLATFORM_DOMAIN: 'apps.example.com', PLATFORM_DNS: 'digitalocean', PLATFORM_DNS_TOKEN: 'x' };
    expect(setupOf(env)).toMatchObject({ zone: 'apps.example.com', certificatesPerWeek: 50 });
    expect(setupOf({ ...env, PLATFORM_DNS_ZONE: 'example.com' })).toMatchObject({ zone: 'example.com' });
  });

  it.each([
    ['PLATFORM_DNS', { PLATFORM_DOMAIN: 'apps.example.com' }],
    ['PLATFORM_DNS', { PLATFORM_DOMAIN: 'apps.example.com', PLATFORM_DNS: 'simulated' }],
    ['PLATFORM_DNS', { PLATFORM_DOMAIN: 'sandbox.localhost' }],
    ['PLATFORM_DNS', { PLATFORM_DOMAIN: 'off', PLATFORM_DNS: 'digitalocean' }],
    ['PLATFORM_DNS_TOKEN', { PLATFORM_DOMAIN: 'apps.example.com', PLATFORM_DNS: 'cloudflare' }],
    [
      'PLATFORM_DNS_SERVER',
      { PLATFORM_DOMAIN: 'apps.example.com', PLATFORM_DNS: 'rfc2136', PLATFORM_DNS_KEY: `k:${'a'.repeat(43)}=` },
    ],
    [
      'PLATFORM_DNS_ZONE',
      {
        PLATFORM_DOMAIN: 'apps.example.com',
        PLATFORM_DNS: 'digitalocean',
        PLATFORM_DNS_TOKEN: 'x',
        PLATFORM_DNS_ZONE: 'example.net',
      },
    ],
    ['PLATFORM_DOMAIN', { PLATFORM_DOMAIN: 'Apps' }],
    ['PLATFORM_DNS_KEY', { PLATFORM_DNS_KEY: 'no key' }],
  ])('%s is refused in %o', (name, env) => expect(() => parseSettings(env)).toThrow(new RegExp(`^${name}: `)));

  it('needs its credentials in the provisioner only', () => {
    const env = { PLATFORM_DOMAIN: 'apps.example.com', PLATFORM_DNS: 'digitalocean' };
    expect(() => parseSettings(env, 'provisioner')).toThrow(/^PLATFORM_DNS_TOKEN: /);
    expect(parseSettings(env, 'api').PLATFORM_DNS_TOKEN).toBeUndefined();
  });
});
