import { readFileSync } from 'node:fs';
import type { Service } from '@moorage/database';
import {
  BRAND_TEXTS,
  type Cidr,
  CLOUD_NAMES,
  type CloudName,
  COUNTRY_CODES,
  isTimeZone,
  parseCidr,
  parseSupportDays,
  parseTaxRate,
  type ProviderMode,
  taxId,
  type TaxRate,
} from '@moorage/domain';
import { z } from 'zod';
import {
  CLOUD_LAB_SETTINGS,
  CLOUD_SECRETS,
  CLOUD_SETTINGS,
  cloudModeName,
  cloudSetupOf,
  credentialRefusals,
  withoutCredentials,
} from './cloud-settings';

/**
 * Every environment variable the product reads, parsed once at the start. A wrong one stops the start and is named.
 * `.env.example` and the README's table of settings are checked against this list.
 */
const text = z.string().trim().min(1);
const list = text.transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);
const whole = (min: number, max: number) => z.coerce.number().pipe(z.int().min(min).max(max));
const hostPort = z.string().regex(/^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+)(:\d{1,5})?$/, 'use host or host:port');
const cidr = z.string().transform((text, context): Cidr => {
  const range = parseCidr(text);
  if (range !== null) return range;
  context.addIssue({ code: 'custom', message: 'use address/bits' });
  return z.NEVER;
});
const url = z.url({ protocol: /^https?$/ });
/** As the HTTP server takes it: an address, a range, or one of its names for private ranges. */
const proxy = z
  .string()
  .regex(/^([0-9a-fA-F.:]+(\/\d{1,3})?|loopback|linklocal|uniquelocal)$/, 'use address, address/bits or loopback');

const ACME_DIRECTORY = 'https://acme-v02.api.letsencrypt.org/directory';

export const SETTINGS = {
  MODE: z
    .enum(['demo', 'production'])
    .default('demo')
    .describe('`production` keeps the promises of a public service and refuses what would break them'),
  PORT: whole(0, 65535).default(3000).describe('port of the HTTP server; 0 takes a free one'),
  HOST: text.default('127.0.0.1').describe('address the HTTP server listens on'),
  OPERATIONS_PORT: whole(0, 65535)
    .optional()
    .describe(
      'port, at HOST, where a service answers `/health/live`, `/health/ready` and `/metrics` to those who operate it; not for the public',
    ),
  PUBLIC_URL: url.optional().describe('address people reach the console at; links in mails are made from it'),
  DATA_DIR: text.default('.moorage').describe('folder of the embedded database, mail files and keys'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe(
      'a PostgreSQL server; without it an embedded one is started. `npm start`, `db:init` and the other `ops` commands take the login of its owner, each service its own (`ops db:login`)',
    ),
  DATABASE_SERVICE_PASSWORDS: text
    .transform((value, context) => {
      const pairs = value.split(',').map((pair) => /^ *(api|provisioner|billing):([^,\s]{16,}) *$/.exec(pair));
      const [api, provisioner, billing] = ['api', 'provisioner', 'billing'].map(
        (service) => pairs.find((pair) => pair?.[1] === service)?.[2],
      );
      if (pairs.length === 3 && api !== undefined && provisioner !== undefined && billing !== undefined)
        return { api, provisioner, billing };
      context.addIssue('use api:...,provisioner:...,billing:... with at least 16 characters each');
      return z.NEVER;
    })
    .optional()
    .describe(
      '`api:...,provisioner:...,billing:...`: passwords of the services at the database, for `db:init` and `ops`; without it they are kept in DATA_DIR',
    ),
  KAFKA_BROKERS: list
    .pipe(z.array(hostPort).min(1))
    .optional()
    .describe('`host:port,...`: Kafka brokers that carry events; without it PostgreSQL does'),
  KAFKA_USERNAME: text.optional().describe('login at the brokers; without it there is none'),
  KAFKA_PASSWORD: text.optional().describe('password of `KAFKA_USERNAME`'),
  KAFKA_SASL_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'])
    .default('scram-sha-512')
    .describe('how `KAFKA_USERNAME` logs in: `plain`, `scram-sha-256` or `scram-sha-512`'),
  KAFKA_TLS: z.enum(['on', 'off']).default('off').describe('`on`: the brokers are spoken to with TLS'),
  KAFKA_TLS_CA_FILE: text
    .optional()
    .describe('PEM file of the authority that signed the certificates of the brokers; without it the public ones'),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .optional()
    .describe(
      'Redis whose Bull queues bring work to workers (`redis://host:port`, with TLS `rediss:`, user as in `redis://user@host`); without it PostgreSQL does',
    ),
  REDIS_PASSWORD: text.optional().describe('password at `REDIS_URL`'),
  REDIS_TLS_CA_FILE: text
    .optional()
    .describe('PEM file of the authority that signed the certificate of `REDIS_URL`; without it the public ones'),
  DATABASE_CONNECTIONS_MAX: whole(2, 200).default(10).describe('connections of each service'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('how much is logged'),

  BRAND_NAME: text.default('Moorage').describe('name of the product on screens and in mails'),
  BRAND_TAGLINE: text.default(BRAND_TEXTS.tagline).describe('tagline of the landing page'),
  BRAND_INTRO_VIDEO_URL: z
    .url({ protocol: /^https$/ })
    .optional()
    .describe('player of the intro video on the landing page, loaded only on a click; without it there is none'),
  BRAND_SUPPORT_EMAIL: z.email().default('support@moorage.localhost').describe('address people may write to'),
  SUPPORT_HOURS: text
    .refine(
      (hours) => parseSupportDays(hours) !== null,
      'must be days and hours like Mon-Thu 09:00-17:00, Fri 09:00-14:00',
    )
    .default('Mon-Fri 09:00-17:00')
    .describe('when somebody answers support messages; hours of other days do not count for level 2'),
  SUPPORT_TIMEZONE: text
    .refine(isTimeZone, 'must be a time zone like Europe/Berlin')
    .default('UTC')
    .describe('time zone of `SUPPORT_HOURS`'),
  SUPPORT_PHONE: text.optional().describe('phone number shown to customers of level 3'),
  SUPPORT_MANAGER_NAME: text.optional().describe('success manager shown to customers of level 3'),
  SUPPORT_MANAGER_EMAIL: z.email().optional().describe('address of the success manager'),

  OPERATOR_NAME: text
    .max(100)
    .optional()
    .describe('who issues receipts and statements, as the law names it; without it `BRAND_NAME`'),
  OPERATOR_ADDRESS: text
    .max(400)
    .transform((address) => address.split('|').map((line) => line.trim()))
    .pipe(z.array(z.string().min(1)).max(6))
    .optional()
    .describe('its address on receipts: at most six lines, with vertical bars between them'),
  OPERATOR_COUNTRY: z
    .enum(COUNTRY_CODES, 'must be the two letters of a country, like DE')
    .optional()
    .describe('its country by two letters (ISO 3166-1), which decides what `OPERATOR_TAX_ID` looks like'),
  OPERATOR_TAX_ID: text.max(40).optional().describe('its tax number on receipts'),
  TAX_RATE_PERCENT: text
    .transform((rate, context): TaxRate => {
      const parsed = parseTaxRate(rate);
      if (parsed !== null) return parsed;
      context.addIssue('must be a number from 0 to 100 with at most three decimals');
      return z.NEVER;
    })
    .optional()
    .describe('the tax that top-ups include, as a percentage; without it receipts have no tax line'),
  TAX_TEXT: text
    .max(100)
    .optional()
    .describe('what the tax line of a receipt says, like `VAT 19 % included`; together with `TAX_RATE_PERCENT`'),

  ADMIN_EMAIL: z
    .string()
    .trim()
    .max(254)
    .regex(/^[^\s@]+@[^\s@]+$/, 'not an email address')
    .default('admin@moorage.localhost')
    .describe('first administrator'),
  ADMIN_PASSWORD: z
    .string()
    .min(6)
    .max(200)
    .optional()
    .describe('password of the first administrator; without it one is made and printed once'),
  ADMIN_TWO_FACTOR: z
    .enum(['optional', 'required'])
    .default('optional')
    .describe('`required`: administrators administer only with two-factor authentication'),
  JWT_SECRET: z.string().min(32).optional().describe('signs session tokens; without it one is kept in DATA_DIR'),
  SECRETS_KEYS: text
    .optional()
    .describe('`id:base64,...` keys (32 bytes) that seal secrets, newest first; without it one is kept in DATA_DIR'),
  API_CLIENT_KEYS: list
    .optional()
    .describe('accepted values of the public X-API-Key header; without it the header is not looked at'),
  TRUSTED_PROXIES: list
    .pipe(z.array(proxy).min(1))
    .optional()
    .describe('addresses or CIDRs of proxies whose X-Forwarded-For is believed'),

  STRIPE_SECRET_KEY: text.optional().describe('takes real payments; without it checkout is a local test page'),
  STRIPE_WEBHOOK_SECRET: list.optional().describe('signing secret(s) of the Stripe webhook; two during a rotation'),
  STRIPE_API_BASE: url.optional().describe('lab: another Stripe API address'),
  CHECKOUT_MAX_CENTS: whole(100, 10_000_000).default(100_000).describe('largest single top-up in cents'),

  MAIL_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe('SMTP server; without it mails are `.eml` files in DATA_DIR/mail'),
  MAIL_FROM: text.default('Moorage <no-reply@moorage.localhost>').describe('sender of mails'),

  ...CLOUD_SETTINGS,
  PACKAGES_DIR: text.default('infra/packages').describe('folder of the package manifests'),
  HOST_SCRIPTS_DIR: text.default('infra/host').describe('folder of the scripts that run on servers'),

  CREDIT_ONLY_MAX_HOURLY: z.coerce
    .number()
    .min(0)
    .max(100)
    .default(0.1)
    .describe('dearest hourly price an account may start on credits alone'),
  GRACE_PERIOD_MINUTES: whole(0, 1439)
    .default(60)
    .describe('how long a charge that is not covered waits for a top-up before the deployment is destroyed'),

  LAB_CLOCK_OFFSET_MS: whole(-31_536_000_000, 315_360_000_000)
    .optional()
    .describe('lab: moves the clock of money and status'),
  VPS_ALLOWED_CIDRS: z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .pipe(z.array(cidr))
    .optional()
    .describe("lab: addresses besides public ones that may be a user's server"),
  VPS_SSH_PORT: whole(1, 65535).default(22).describe("lab: SSH port of users' servers"),
  DNS_RESOLVERS: z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .pipe(z.array(hostPort).min(1))
    .optional()
    .describe('lab: resolvers asked instead of the public ones and the zone'),
  CERTIFICATE_CA_FILE: text.optional().describe('lab: an authority whose certificates count as issued'),
  ACME_DIRECTORY_URL: url.default(ACME_DIRECTORY).describe('authority the stacks get certificates from'),
  TRAEFIK_PLUGINS: z
    .enum(['on', 'off'])
    .default('on')
    .describe('lab: `off` renders stacks without router plugins, for servers that cannot fetch them'),
  LAB_DOCKER_MINIMUM: text
    .regex(/^\d{1,2}\.\d{1,2}$/)
    .optional()
    .describe('lab: oldest Docker Engine that will do, in place of what a package asks for: `20.10`'),
  FAILPOINT: text
    .optional()
    .describe(
      'lab: `name[:nth]` kills the process at a named place, `new:file` at the first that the file does not name',
    ),
} as const;

/** Settings that hold a secret may come as the path of a file that holds it, in `<NAME>_FILE`. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'DATABASE_SERVICE_PASSWORDS',
  'KAFKA_PASSWORD',
  'REDIS_URL',
  'REDIS_PASSWORD',
  'ADMIN_PASSWORD',
  'JWT_SECRET',
  'SECRETS_KEYS',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'MAIL_URL',
  ...CLOUD_SECRETS,
] as const satisfies readonly (keyof typeof SETTINGS)[];

/** Old names: a start with one of them set would silently take the default. */
const RENAMED_SETTINGS: Readonly<Record<string, keyof typeof SETTINGS>> = {
  DEPLETION_HOLD_MINUTES: 'GRACE_PERIOD_MINUTES',
};

const schema = z.object(SETTINGS);
export type Settings = z.infer<typeof schema>;

/** Thrown with one line per wrong variable; values are not repeated (they may be secrets). */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** Who reads the settings: a service is given only the secrets that it needs; `all`: a command, or all of them in one. */
export type SettingsReader = Service | 'all';

/** Secrets that not every service has. What must be there for the others is asked of those who use it. */
const READERS: Readonly<Partial<Record<keyof Settings, readonly Service[]>>> = {
  STRIPE_SECRET_KEY: ['api'],
  STRIPE_WEBHOOK_SECRET: ['api'],
  JWT_SECRET: ['api'],
  MAIL_URL: ['api'],
  SECRETS_KEYS: ['api', 'provisioner'],
  ...Object.fromEntries(CLOUD_SECRETS.map((name): [string, Service[]] => [name, ['provisioner']])),
};

/** Is a sentence that begins with the setting it is about for this reader? */
const concerns = (reader: SettingsReader, sentence: string): boolean =>
  reader === 'all' || READERS[sentence.slice(0, sentence.indexOf(':')) as keyof Settings]?.includes(reader) !== false;

/** Throws SettingsError with a line for every setting of this reader that is wrong or missing. */
export function parseSettings(env: Env, reader: SettingsReader = 'all'): Settings {
  const renamed = Object.entries(RENAMED_SETTINGS).filter(([old]) => env[old] !== undefined && env[old] !== '');
  if (renamed.length > 0)
    throw new SettingsError(renamed.map(([old, name]) => `${old}: this setting is called ${name} now`).join('\n'));
  const given = Object.fromEntries(
    Object.entries(withSecretFiles(env)).filter(
      ([name, value]) => name in SETTINGS && value !== undefined && value !== '',
    ),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    throw new SettingsError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'));
  }
  const settings = parsed.data;
  const refusals = refusalsOf(settings).filter((sentence) => concerns(reader, sentence));
  if (refusals.length > 0) throw new SettingsError(refusals.join('\n'));
  return settings;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The environment with what its `<NAME>_FILE` variables point to. */
function withSecretFiles(env: Env): Env {
  const read: Record<string, string> = {};
  const wrong: string[] = [];
  for (const name of SECRET_SETTINGS) {
    const path = env[`${name}_FILE`];
    if (path === undefined || path === '') continue;
    if (env[name] !== undefined && env[name] !== '') {
      wrong.push(`${name}_FILE: ${name} is set as well; keep one of them`);
      continue;
    }
    try {
      read[name] = readFileSync(path, 'utf8').trim();
      if (read[name] === '') wrong.push(`${name}_FILE: the file is empty`);
    } catch (error) {
      wrong.push(`${name}_FILE: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
    }
  }
  if (wrong.length > 0) throw new SettingsError(wrong.join('\n'));
  return { ...env, ...read };
}

/** What may not be together (decisions 36); empty when the start may go on. */
function refusalsOf(settings: Settings): string[] {
  const refusals: string[] = [];
  refusals.push(...transportRefusals(settings), ...receiptRefusals(settings), ...credentialRefusals(settings));
  const { modes } = cloudSetupOf(settings);
  const run = (mode: ProviderMode): CloudName[] => CLOUD_NAMES.filter((name) => modes[name] === mode);
  const isLive = settings.CLOUD_MODE === 'live' || run('live').length > 0;
  if (isLive && settings.STRIPE_SECRET_KEY === undefined) {
    refusals.push('STRIPE_SECRET_KEY: live clouds do not take test payments: anybody could buy real servers');
  }
  if (isLive && isTestKey(settings.STRIPE_SECRET_KEY)) {
    refusals.push('STRIPE_SECRET_KEY: a test key takes test cards: live clouds need a live key');
  }
  if (settings.STRIPE_SECRET_KEY !== undefined && settings.STRIPE_WEBHOOK_SECRET === undefined) {
    refusals.push('STRIPE_WEBHOOK_SECRET: is needed with STRIPE_SECRET_KEY, or no payment would ever arrive');
  }
  if (settings.MODE !== 'production') return refusals;
  const need = (set: boolean, sentence: string): void => void (set || refusals.push(sentence));
  need(settings.STRIPE_SECRET_KEY !== undefined, 'STRIPE_SECRET_KEY: production takes real payments');
  need(
    isLive || !isTestKey(settings.STRIPE_SECRET_KEY),
    'STRIPE_SECRET_KEY: production takes real payments, and a test key takes test cards',
  );
  need(settings.STRIPE_WEBHOOK_SECRET !== undefined, 'STRIPE_WEBHOOK_SECRET: production takes real payments');
  const simulated = run('simulated');
  const whichSay = simulated.filter((name) => settings[cloudModeName(name)] === 'simulated').map(cloudModeName);
  need(
    simulated.length === 0 || settings.SANDBOX_IN_PRODUCTION === 'yes',
    `${whichSay.length === simulated.length ? whichSay.join(', ') : 'CLOUD_MODE'}: production does not run on simulated clouds (unless SANDBOX_IN_PRODUCTION=yes as well)`,
  );
  need(settings.LAB_CLOCK_OFFSET_MS === undefined, 'LAB_CLOCK_OFFSET_MS: production uses the real time');
  need(
    settings.VPS_ALLOWED_CIDRS === undefined,
    "VPS_ALLOWED_CIDRS: in production a user's server has a public address",
  );
  need(settings.SECRETS_KEYS !== undefined, 'SECRETS_KEYS: production keeps its keys outside the data folder');
  need(settings.MAIL_URL !== undefined, 'MAIL_URL: production sends its mails');
  // each of these would start and be wrong without a word
  need(
    settings.JWT_SECRET !== undefined || settings.DATABASE_URL === undefined,
    'JWT_SECRET: with a database of its own (DATABASE_URL) there can be several api processes, and all must sign with one secret',
  );
  need(
    settings.PUBLIC_URL !== undefined,
    'PUBLIC_URL: links in mails would lead to this machine; set the address people reach the console at',
  );
  need(
    settings.TRUSTED_PROXIES !== undefined || settings.PUBLIC_URL?.startsWith('https:') !== true,
    'TRUSTED_PROXIES: https ends at a proxy, and without its address everybody behind it shares one rate limit',
  );
  need(
    settings.TRUSTED_PROXIES?.some((range) => range.endsWith('/0')) !== true,
    'TRUSTED_PROXIES: a range of all addresses believes every X-Forwarded-For; name the proxies',
  );
  need(settings.FAILPOINT === undefined, 'FAILPOINT: production does not kill itself');
  return refusals;
}

/** What would make receipts wrong. */
function receiptRefusals(settings: Settings): string[] {
  const refusals: string[] = [];
  const { OPERATOR_TAX_ID: number, OPERATOR_COUNTRY: country, TAX_RATE_PERCENT: rate, TAX_TEXT: words } = settings;
  if (rate !== undefined && words === undefined)
    refusals.push('TAX_TEXT: is needed with TAX_RATE_PERCENT, or receipts could not say which tax it is');
  if (words !== undefined && rate === undefined)
    refusals.push('TAX_RATE_PERCENT: is needed with TAX_TEXT, or receipts could not say how much tax it is');
  if (number !== undefined && country === undefined)
    refusals.push('OPERATOR_COUNTRY: is needed with OPERATOR_TAX_ID, which is checked by it');
  if (number !== undefined && country !== undefined && taxId(number, country) === null)
    refusals.push(`OPERATOR_TAX_ID: is no tax number of ${country}`);
  return refusals;
}

/** Logins and certificates that nothing would use. */
function transportRefusals(settings: Settings): string[] {
  const refusals: string[] = [];
  const only = (name: keyof Settings, used: boolean, sentence: string): void =>
    void (settings[name] === undefined || used || refusals.push(`${name}: ${sentence}`));
  const login = settings.KAFKA_BROKERS !== undefined && settings.KAFKA_USERNAME !== undefined;
  only('KAFKA_USERNAME', settings.KAFKA_BROKERS !== undefined, 'there are no KAFKA_BROKERS to log in at');
  only('KAFKA_USERNAME', settings.KAFKA_PASSWORD !== undefined, 'is not enough without KAFKA_PASSWORD');
  only('KAFKA_PASSWORD', login, 'is of no use without KAFKA_BROKERS and KAFKA_USERNAME');
  only('KAFKA_TLS_CA_FILE', settings.KAFKA_TLS === 'on', 'is of no use without KAFKA_TLS=on');
  only('REDIS_PASSWORD', settings.REDIS_URL !== undefined, 'there is no REDIS_URL to log in at');
  only(
    'REDIS_TLS_CA_FILE',
    settings.REDIS_URL?.startsWith('rediss:') === true,
    'is of no use without a REDIS_URL that begins with rediss:',
  );
  return refusals;
}

/** A Stripe key that takes test cards only, so that anybody could pay with one from Stripe's documentation. */
function isTestKey(key: string | undefined): boolean {
  return key !== undefined && !/^[a-z]+_live_/.test(key);
}

/**
 * What is taken but warned of: live providers without credentials (told to those who are given them), and in production
 * lab settings and defaults that are good for a demo only.
 */
export function startWarnings(settings: Settings, reader: SettingsReader = 'all'): string[] {
  const needsCredentials = reader === 'all' || reader === 'provisioner';
  return [...(needsCredentials ? withoutCredentials(settings) : []), ...productionWarnings(settings)];
}

function productionWarnings(settings: Settings): string[] {
  if (settings.MODE !== 'production') return [];
  const named: (keyof Settings)[] = ['DNS_RESOLVERS', 'CERTIFICATE_CA_FILE', 'LAB_DOCKER_MINIMUM', 'STRIPE_API_BASE'];
  const warnings = [...named, ...CLOUD_LAB_SETTINGS]
    .filter((name) => settings[name] !== undefined)
    .map((name) => `${name} is a lab setting`);
  if (settings.VPS_SSH_PORT !== 22) warnings.push('VPS_SSH_PORT is a lab setting');
  if (settings.TRAEFIK_PLUGINS === 'off') warnings.push('TRAEFIK_PLUGINS is a lab setting');
  if (settings.ACME_DIRECTORY_URL !== ACME_DIRECTORY) {
    warnings.push("ACME_DIRECTORY_URL is a lab setting: browsers may not trust this authority's certificates");
  }
  if (settings.PUBLIC_URL?.startsWith('https:') !== true) {
    warnings.push('PUBLIC_URL is not https: passwords and tokens cross the network in plain text');
  }
  if (settings.KAFKA_USERNAME !== undefined && settings.KAFKA_TLS === 'off') {
    warnings.push('KAFKA_TLS is off: events cross the network in plain text');
  }
  const unnamed = (['OPERATOR_NAME', 'OPERATOR_ADDRESS'] as const).filter((name) => settings[name] === undefined);
  for (const name of unnamed) warnings.push(`${name} is not set: receipts do not say who issues them`);
  const unreachable = (['ADMIN_EMAIL', 'BRAND_SUPPORT_EMAIL', 'MAIL_FROM'] as const).filter((name) =>
    /@([a-z0-9.-]+\.)?localhost>?$/i.test(settings[name]),
  );
  for (const name of unreachable) warnings.push(`${name} is an address that no mail reaches`);
  return warnings;
}
