import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SCHEDULED_BY_THE_API } from '@moorage/contracts';
import { SERVICES } from '@moorage/database';
import { backupTargetOf, parseSettings } from '@moorage/runtime';
import { makeRunFolder, removeRunFolder } from '@moorage/testing';
import { parse } from 'yaml';
import { environmentOf, envText, type StackMode } from './stack-files';
import { initStack } from './stack-init';

const ANSWERS = {
  PUBLIC_URL: 'https://console.example.com',
  ACME_EMAIL: 'operations@example.com',
  ADMIN_EMAIL: 'admin@example.com',
  BRAND_SUPPORT_EMAIL: 'support@example.com',
  MAIL_FROM: "Jane's Moorage <no-reply@example.com>",
  MAIL_URL: 'smtps://user:a$b%23c@mail.example.com',
  STRIPE_SECRET_KEY: 'sk_live_x1',
  STRIPE_WEBHOOK_SECRET: 'whsec_x1',
};

const { secrets: composeSecrets } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
  secrets: Record<string, { file: string }>;
};

describe('stack:init', () => {
  let folder: string;
  let printed: string[];
  beforeEach(async () => {
    folder = await makeRunFolder();
    printed = [];
  });
  afterEach(() => removeRunFolder(folder));

  const init = (mode: StackMode, env: Record<string, string> = {}, prompt?: (question: string) => Promise<string>) =>
    initStack({
      folder,
      mode,
      env,
      prompt,
      print: (line) => void printed.push(line),
      resolve: () => Promise.resolve(),
    });
  const path = (name: string): string => join(folder, name);
  const text = (name: string): string => readFileSync(path(name), 'utf8');
  const isWritten = (): boolean => existsSync(path('.env')) || existsSync(path('secrets'));
  const secretFiles = (): string[] => readdirSync(path('secrets')).sort();
  const secrets = (): Record<string, string> =>
    Object.fromEntries(secretFiles().map((name) => [name, text(`secrets/${name}`).trim()]));
  const settings = (): Record<string, string> => parseEnv(text('.env')) as Record<string, string>;
  const environment = () => environmentOf({ settings: settings(), secrets: secrets() });

  it.each([
    ['demo', {}],
    ['production', ANSWERS],
  ] as const)('writes a %s that the services accept', async (mode, env) => {
    await init(mode, env);
    for (const reader of ['all', 'api', 'provisioner', 'billing'] as const)
      expect(parseSettings(environment(), reader)).toMatchObject({ MODE: mode, KAFKA_SASL_MECHANISM: 'plain' });
    expect(parseSettings(environment()).CLOUD_MODE).toBe(mode === 'demo' ? 'sandbox' : 'live');
  });

  it.each([
    ['demo', {}],
    ['production', ANSWERS],
  ] as const)('writes exactly the files that Compose needs for a %s', async (mode, env) => {
    await init(mode, env);
    const wanted = Object.values(composeSecrets).map(({ file }) => file.replace('secrets/', ''));
    // Logins for operators, known only to the server itself.
    expect(secretFiles()).toEqual([...wanted, 'kafka_password', 'redis_password'].sort());
    expect(statSync(path('secrets')).mode & 0o777).toBe(0o700);
    expect(statSync(path('secrets/jwt_secret')).mode & 0o777).toBe(0o444);
  });

  it("lets the api's Redis login signal all work of the provisioner that the api schedules", async () => {
    await init('demo');
    const login = /^user api .*$/m.exec(text('secrets/redis.conf'))?.[0] ?? '';
    expect(SCHEDULED_BY_THE_API.filter((kind) => !login.includes(` ~moorage:${kind}:* `))).toEqual([]);
  });

  it('sets the same passwords for broker, Redis and database as for their clients', async () => {
    await init('demo');
    const { kafka_password, redis_password, postgres_password, ...rest } = secrets();
    expect(rest['kafka.properties']).toContain(`user_moorage="${kafka_password}"`);
    expect(rest['redis.conf']).toContain(`requirepass ${redis_password}\n`);
    for (const service of SERVICES) {
      expect(rest['kafka.properties']).toContain(`user_${service}="${rest[`kafka_password_${service}`]}"`);
      expect(rest['redis.conf']).toContain(`user ${service} on >${rest[`redis_password_${service}`]} -@all`);
    }
    for (const kind of SCHEDULED_BY_THE_API)
      expect(rest['redis.conf']).toMatch(new RegExp(`^user api .*:${kind}:`, 'm'));
    expect(rest.database_url).toBe(`postgres://moorage:${postgres_password}@postgres:5432/moorage`);
    const [, billing = ''] = /billing:([^,]+)/.exec(rest.database_service_passwords ?? '') ?? [];
    expect(rest.database_url_billing).toContain(`:${billing}@postgres:5432/moorage`);
  });

  it('creates a repository server for a demo, which accepts the provisioner', async () => {
    await init('demo');
    expect(settings()).toMatchObject({
      COMPOSE_PROFILES: 'backups',
      BACKUP_TARGET: 'rest:http://backups:8000/',
      BACKUP_HOSTS_URL: 'rest:https://localhost:8443/restic/',
    });
    const { backup_target_password: password = '', backup_target_htpasswd: login } = secrets();
    const hash = createHash('sha1').update(password).digest('base64');
    expect(login).toBe(`platform:{SHA}${hash}`);
    expect(backupTargetOf(parseSettings(environment(), 'provisioner'))).toMatchObject({ kind: 'rest', password });
  });

  it('configures backups for production if requested, here or in a bucket', async () => {
    await init('production', { ...ANSWERS, BACKUP_TARGET: 'rest:http://backups:8000/' });
    expect(settings()).toMatchObject({ COMPOSE_PROFILES: 'backups', BACKUP_TARGET_USER: 'platform' });
    expect(settings().BACKUP_HOSTS_URL).toBe('rest:https://console.example.com/restic/');
    renameSync(path('.env'), path('.env.old'));
    await init('production', {
      ...ANSWERS,
      BACKUP_TARGET: 's3:https://s3.example.com/backups',
      BACKUP_S3_ACCESS_KEY_ID: 'key-1',
      BACKUP_S3_SECRET_ACCESS_KEY: 'secret_x1',
      BACKUP_HOSTS_URL: 'rest:https://relay.example.com/',
    });
    expect(settings()).not.toHaveProperty('COMPOSE_PROFILES');
    expect(settings()).not.toHaveProperty('BACKUP_TARGET_PASSWORD_FILE');
    expect(backupTargetOf(parseSettings(environment(), 'provisioner'))).toMatchObject({ kind: 's3', key: 'secret_x1' });
    expect(text('.env')).not.toContain('secret_x1');
  });

  it('configures no backups for production by default, and states that', async () => {
    await init('production', ANSWERS);
    expect(settings()).not.toHaveProperty('BACKUP_TARGET');
    expect(printed.join('\n')).toContain('note: BACKUP_TARGET is not set: deployments are not backed up');
  });

  it('prints no secret and stores none in .env', async () => {
    await init('production', ANSWERS);
    const values = Object.values(secrets()).flatMap((value) =>
      value.split(/[\s,=":]+/).filter((word) => /\w{16}|_x1/.test(word)),
    );
    expect(values.length).toBeGreaterThan(12);
    for (const value of values) {
      expect(printed.join('\n')).not.toContain(value);
      expect(text('.env')).not.toContain(value);
    }
    expect(printed).toContain('administrator: admin@example.com, password in secrets/admin_password');
  });

  it('refuses to run a second time and changes nothing', async () => {
    await init('demo');
    const before = { env: text('.env'), secrets: secrets() };
    await expect(init('production', ANSWERS)).rejects.toThrow(/^\.env already exists/);
    expect({ env: text('.env'), secrets: secrets() }).toEqual(before);
  });

  it('keeps existing secrets without a prompt after .env was moved away', async () => {
    await init('production', ANSWERS);
    const before = { env: text('.env'), secrets: secrets() };
    renameSync(path('.env'), path('.env.old'));
    const { MAIL_URL: _mail, STRIPE_WEBHOOK_SECRET: _webhook, ...others } = ANSWERS;
    await init('production', { ...others, STRIPE_SECRET_KEY: 'sk_live_x2' });
    expect({ env: text('.env'), secrets: secrets() }).toEqual(before);
    expect(printed).toContain('note: secrets/stripe_secret_key is unchanged; STRIPE_SECRET_KEY is not used');
  });

  it('fills in values a demo left empty when production is set up afterwards', async () => {
    await init('demo');
    const { postgres_password, mail_url } = secrets();
    expect(mail_url).toBe('');
    expect(settings()).not.toHaveProperty('MAIL_URL_FILE');
    renameSync(path('.env'), path('.env.demo'));
    await init('production', ANSWERS);
    expect(secrets()).toMatchObject({ postgres_password, mail_url: ANSWERS.MAIL_URL });
    expect(settings().MAIL_URL_FILE).toBe('/run/secrets/mail_url');
  });

  it('rewrites files that repeat a new password, and keeps manual changes beside an existing password', async () => {
    await init('demo');
    for (const name of ['.env', 'secrets/kafka_password', 'secrets/redis.conf'])
      renameSync(path(name), path(`${name.replace('/', '-')}.before`));
    writeFileSync(path('secrets/redis.conf'), 'port 7\n');
    await init('demo');
    expect(secrets()['kafka.properties']).toContain(secrets().kafka_password);
    expect(secrets()['redis.conf']).toBe('port 7');
  });

  it('accepts an existing certificate, and then needs no address for an authority', async () => {
    await init('demo');
    renameSync(path('.env'), path('.env.demo'));
    for (const name of ['tls_certificate', 'tls_key']) {
      renameSync(path(`secrets/${name}`), path(`${name}.empty`));
      writeFileSync(path(`secrets/${name}`), '-----BEGIN X-----\n');
    }
    const { ACME_EMAIL: _email, ...others } = ANSWERS;
    await init('production', others);
    expect(settings().GATEWAY_TLS).toBe('certificate');
    expect(secrets().tls_key).toBe('-----BEGIN X-----');
  });

  it('stores cloud secrets in files that may be empty, without a prompt', async () => {
    await init('production', {
      ...ANSWERS,
      HETZNER_TOKEN: 'token_x1',
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'key_x1',
    });
    expect(secrets()).toMatchObject({ hetzner_token: 'token_x1', aws_secret_access_key: 'key_x1', vultr_api_key: '' });
    expect(settings()).toMatchObject({
      HETZNER_TOKEN_FILE: '/run/secrets/hetzner_token',
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
    });
    expect(settings()).not.toHaveProperty('VULTR_API_KEY_FILE');
    expect(text('.env')).not.toMatch(/token_x1|key_x1/);
    expect(parseSettings(environment(), 'provisioner')).toMatchObject({ HETZNER_TOKEN: 'token_x1' });
  });

  it('uses values of the environment, except those a stack sets itself', async () => {
    const own = { LOG_LEVEL: 'debug', ADMIN_PASSWORD: 'Correct-horse-1', GATEWAY_ADDRESS: '0.0.0.0', PATH: '/bin' };
    await init('demo', {
      ...own,
      PORT: '80',
      OPERATIONS_PORT: '9',
      DATABASE_URL: 'postgres://x',
      REDIS_URL: 'redis://x',
    });
    expect(settings()).toMatchObject({ LOG_LEVEL: 'debug', GATEWAY_ADDRESS: '0.0.0.0' });
    for (const name of ['ADMIN_PASSWORD', 'PATH', 'PORT', 'OPERATIONS_PORT', 'DATABASE_URL', 'REDIS_URL'])
      expect(settings()).not.toHaveProperty(name);
    expect(secrets().admin_password).toBe('Correct-horse-1');
  });

  it('prompts for the values production needs, and marks secrets', async () => {
    const prompted: string[] = [];
    const { PUBLIC_URL, ...rest } = ANSWERS;
    const prompt = (question: string) => {
      const name = question.slice(0, question.indexOf(':')) as keyof typeof rest;
      prompted.push(name);
      return Promise.resolve(` ${rest[name]} `);
    };
    await init('production', { PUBLIC_URL }, prompt);
    expect(prompted).toEqual(Object.keys(rest));
    expect(settings().ADMIN_EMAIL).toBe('admin@example.com');
    expect(secrets().stripe_secret_key).toBe('sk_live_x1');
  });

  it('lists everything that production lacks without input, and writes nothing', async () => {
    const message = await init('production', { MAIL_FROM: ANSWERS.MAIL_FROM }).catch((error: Error) => error.message);
    const named = String(message)
      .split('\n')
      .slice(1)
      .map((line) => line.split(':')[0]);
    expect(named).toEqual(Object.keys(ANSWERS).filter((name) => name !== 'MAIL_FROM'));
    expect(isWritten()).toBe(false);
  });

  it.each([
    [
      'a Stripe key for test cards',
      { STRIPE_SECRET_KEY: 'sk_test_x1' },
      /^STRIPE_SECRET_KEY: live clouds need a live key/,
    ],
    [
      'an address without https',
      { PUBLIC_URL: 'http://console.example.com:443' },
      'PUBLIC_URL: must be https, which the gateway uses',
    ],
    [
      'a name that is not public',
      { PUBLIC_URL: 'https://console' },
      'PUBLIC_URL: certificate authorities issue no certificate for console',
    ],
    [
      'an IP address',
      { PUBLIC_URL: 'https://203.0.113.5' },
      'PUBLIC_URL: certificate authorities issue no certificate for 203.0.113.5',
    ],
    [
      'a port other than that of the gateway',
      { PUBLIC_URL: 'https://console.example.com:8443' },
      'has port 8443, but GATEWAY_HTTPS_PORT is 443',
    ],
    ['a path', { PUBLIC_URL: 'https://console.example.com/' }, 'PUBLIC_URL: must be https and a name, without a path'],
    ['an empty port', { GATEWAY_HTTP_PORT: 'eighty' }, 'GATEWAY_HTTP_PORT: is not a port'],
    ['the same port twice', { GATEWAY_HTTP_PORT: '443' }, 'GATEWAY_HTTP_PORT: is the same as GATEWAY_HTTPS_PORT'],
    ['a value that .env cannot represent', { BRAND_NAME: `Jane's "$x"` }, 'BRAND_NAME: .env cannot contain'],
  ])('refuses %s for production, and writes nothing', async (_what, wrong, message) => {
    await expect(init('production', { ...ANSWERS, ...wrong })).rejects.toThrow(message);
    expect(isWritten()).toBe(false);
  });
});

/** Reads a line of `.env` by the rules of Docker Compose 2.40, as observed with `docker compose config`. */
function asComposeReads(line: string): string {
  const value = line.slice(line.indexOf('=') + 1);
  const quote = value[0];
  if (quote !== "'" && quote !== '"') return interpolated(value.replace(/ #.*/, '').trimEnd());
  const content = value.slice(1, -1);
  if (value.at(-1) !== quote || /\\$/.test(content)) throw new Error('unterminated');
  const bare = content.replaceAll(`\\${quote}`, quote);
  return quote === "'" ? bare : interpolated(bare.replace(/\\([nrt"$\\])/g, '<escape>'));
}
const interpolated = (value: string): string => value.replace(/\$\w+|\$\{[^}]*\}/g, '');

describe('value in .env', () => {
  const written = (value: string): string => envText({ BRAND_NAME: value }, 'demo').split('\n').at(-2) ?? '';

  it.each([
    'plain',
    'https://console.example.com:8443',
    'Moorage <no-reply@example.com>',
    ' spaces around ',
    'a $HOME and ${HOME} and $$',
    'a #hash and a # comment',
    'say "hello"',
    "it's here",
    "it's a # hash",
    String.raw`back\slash and \n and \"`,
    '"',
    "'",
    'ä ö €',
    '',
  ])('is read the same by Node.js and Compose: %j', (value) => {
    expect(parseEnv(written(value))).toEqual({ BRAND_NAME: value });
    expect(asComposeReads(written(value))).toBe(value);
  });

  it.each(['two\nlines', 'ends with \\', `it's "both"`, "it's $HOME", String.raw`it's a \ `])(
    'is rejected if the two would read it differently: %j',
    (value) => {
      expect(() => written(value)).toThrow(/^BRAND_NAME: \.env cannot contain/);
    },
  );
});
