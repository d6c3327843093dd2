import {
  BRAND_TEXTS,
  type Cidr,
  COUNTRY_CODES,
  isDomainName,
  isTimeZone,
  parseCidr,
  parseSupportDays,
  parseTaxRate,
  type TaxRate,
  unprintedLetters,
} from '@moorage/domain';
import { z } from 'zod';
import { BACKUP_SECRETS, BACKUP_SETTINGS } from './backup-settings';
import { CALLBACK_SECRETS, CLOUD_SECRETS, CLOUD_SETTINGS } from './cloud-settings';
import { PLATFORM_SECRETS, PLATFORM_SETTINGS } from './platform-settings';

/**
 * Environment variables of the product, parsed once at the start. An invalid variable stops the start and is named.
 * `.env.example` and `docs/settings.md` are generated from this list.
 */
const text = z.string().trim().min(1);
const list = text.transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);
/** Address of a page that browsers of customers open. */
const webPage = z.url({ protocol: /^https$/ }).optional();
const printed = text.refine(
  (value) => unprintedLetters(value) === '',
  'contains letters that receipts cannot print: use Latin letters',
);
const whole = (min: number, max: number) => z.coerce.number().pipe(z.int().min(min).max(max));
const hostPort = z.string().regex(/^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+)(:\d{1,5})?$/, 'use host or host:port');
const cidr = z.string().transform((text, context): Cidr => {
  const range = parseCidr(text);
  if (range !== null) return range;
  context.addIssue({ code: 'custom', message: 'use address/bits' });
  return z.NEVER;
});
const zone = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'use zones in lower case, for example test,lab.internal');
const url = z.url({ protocol: /^https?$/ });
/** Format that the HTTP server accepts, which is an address, a range, or a name for a private range. */
const proxy = z
  .string()
  .regex(/^([0-9a-fA-F.:]+(\/\d{1,3})?|loopback|linklocal|uniquelocal)$/, 'use address, address/bits or loopback');

const ACME_DIRECTORY = 'https://acme-v02.api.letsencrypt.org/directory';

export const SETTINGS = {
  MODE: z
    .enum(['demo', 'production'])
    .default('demo')
    .describe('`production` enforces the requirements of a public service and refuses settings that would break them'),
  ALLOW_LAB_SETTINGS: z
    .literal('yes')
    .optional()
    .describe(
      '`yes`: allows the lab settings and plain-text connections that production otherwise refuses, and logs them at each start',
    ),
  PORT: whole(0, 65535).default(3000).describe('port of the HTTP server; 0: any free port'),
  HOST: text.default('127.0.0.1').describe('address the HTTP server listens on'),
  OPERATIONS_PORT: whole(0, 65535)
    .optional()
    .describe(
      'port, at HOST, for `/health/live`, `/health/ready` and `/metrics` of a service; for operators, not for the public',
    ),
  PUBLIC_URL: url.optional().describe('public address of the console; links in emails are built from it'),
  DATA_DIR: text.default('.moorage').describe('folder of the embedded database, email files and keys'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe(
      'PostgreSQL server; without it an embedded one is started. `npm start`, `db:init` and the other `ops` commands need the login of its owner, each service its own (`ops db:login`)',
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
      '`api:...,provisioner:...,billing:...`: database passwords of the services, for `db:init` and `ops`; without it they are generated and stored in DATA_DIR',
    ),
  KAFKA_BROKERS: list
    .pipe(z.array(hostPort).min(1))
    .optional()
    .describe('`host:port,...`: Kafka brokers for events; without it PostgreSQL is used'),
  KAFKA_USERNAME: text.optional().describe('username at the brokers; without it no login is used'),
  KAFKA_PASSWORD: text.optional().describe('password of `KAFKA_USERNAME`'),
  KAFKA_SASL_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'])
    .default('scram-sha-512')
    .describe('SASL mechanism of `KAFKA_USERNAME`: `plain`, `scram-sha-256` or `scram-sha-512`'),
  KAFKA_TLS: z.enum(['on', 'off']).default('off').describe('`on`: use TLS for broker connections'),
  KAFKA_TLS_CA_FILE: text
    .optional()
    .describe('PEM file of the authority that signed the broker certificates; default: the public authorities'),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .optional()
    .describe(
      'Redis for the Bull queues that signal work to workers (`redis://host:port`, with TLS `rediss:`, user as in `redis://user@host`); without it PostgreSQL is used',
    ),
  REDIS_PASSWORD: text.optional().describe('password at `REDIS_URL`'),
  REDIS_TLS_CA_FILE: text
    .optional()
    .describe('PEM file of the authority that signed the certificate of `REDIS_URL`; default: the public authorities'),
  DATABASE_CONNECTIONS_MAX: whole(2, 200).default(10).describe('maximum number of database connections per service'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info').describe('log level'),

  BRAND_NAME: text.default('Moorage').describe('name of the product on screens and in emails'),
  BRAND_TAGLINE: text.default(BRAND_TEXTS.tagline).describe('tagline of the landing page'),
  BRAND_INTRO_VIDEO_URL: z
    .url({ protocol: /^https$/ })
    .optional()
    .describe('player of the intro video on the landing page, loaded only on a click; without it no video is shown'),
  BRAND_SUPPORT_EMAIL: z.email().default('support@moorage.localhost').describe('email address of support'),
  SUPPORT_HOURS: text
    .refine(
      (hours) => parseSupportDays(hours) !== null,
      'must be days and hours like Mon-Thu 09:00-17:00, Fri 09:00-14:00',
    )
    .default('Mon-Fri 09:00-17:00')
    .describe('hours in which support answers; hours on other days do not count for level 2'),
  SUPPORT_TIMEZONE: text
    .refine(isTimeZone, 'must be a time zone like Europe/Berlin')
    .default('UTC')
    .describe('time zone of `SUPPORT_HOURS`'),
  SUPPORT_PHONE: text.optional().describe('phone number shown to customers of level 3'),
  SUPPORT_MANAGER_NAME: text.optional().describe('success manager shown to customers of level 3'),
  SUPPORT_MANAGER_EMAIL: z.email().optional().describe('email address of the success manager'),
  TERMS_URL: webPage.describe('terms of service, linked in the footer, in the menu and on the sign-up page'),
  PRIVACY_URL: webPage.describe('privacy policy, linked in the footer, in the menu and on the sign-up page'),
  IMPRINT_URL: webPage.describe('imprint, linked in the footer and in the menu'),
  STATUS_URL: webPage.describe('status page, linked in the footer and in the menu'),
  DOCS_URL: webPage.describe('documentation for customers, linked in the footer, in the menu and at support level 1'),
  FORUM_URL: webPage.describe('community forum, linked in the footer, in the menu and at support level 1'),
  CHANGELOG_URL: webPage.describe('changelog, linked in the footer and in the menu'),

  OPERATOR_NAME: printed
    .max(100)
    .optional()
    .describe('legal name of the issuer of receipts and statements; default: `BRAND_NAME`'),
  OPERATOR_ADDRESS: printed
    .max(400)
    .transform((address) => address.split('|').map((line) => line.trim()))
    .pipe(z.array(z.string().min(1)).max(6))
    .optional()
    .describe('address of the issuer on receipts: at most six lines, separated by vertical bars'),
  OPERATOR_COUNTRY: z
    .enum(COUNTRY_CODES, 'must be a two-letter country code, like DE')
    .optional()
    .describe('two-letter country code (ISO 3166-1) of the issuer, which determines the format of `OPERATOR_TAX_ID`'),
  OPERATOR_TAX_ID: text.max(40).optional().describe('tax number of the issuer on receipts'),
  TAX_RATE_PERCENT: text
    .transform((rate, context): TaxRate => {
      const parsed = parseTaxRate(rate);
      if (parsed !== null) return parsed;
      context.addIssue('must be a number from 0 to 100 with at most three decimals');
      return z.NEVER;
    })
    .optional()
    .describe('tax included in top-ups, as a percentage; without it receipts have no tax line'),
  TAX_TEXT: printed
    .max(100)
    .optional()
    .describe('text of the tax line of a receipt, like `VAT 19 % included`; requires `TAX_RATE_PERCENT`'),

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
    .describe('password of the first administrator; without it one is generated and printed once'),
  ADMIN_TWO_FACTOR: z
    .enum(['optional', 'required'])
    .default('optional')
    .describe('`required`: administrators need two-factor authentication for administration'),
  JWT_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe('key that signs session tokens; without it one is generated and stored in DATA_DIR'),
  SECRETS_KEYS: text
    .optional()
    .describe(
      '`id:base64,...` keys (32 bytes) that encrypt secrets, newest first; without it one is generated and stored in DATA_DIR',
    ),
  ACCOUNT_SECRETS_KEYS: text
    .optional()
    .describe(
      'like SECRETS_KEYS, for secrets that only the api decrypts (second factors, emails, links in emails); without it one is generated and stored in DATA_DIR',
    ),
  API_CLIENT_KEYS: list
    .optional()
    .describe('accepted values of the public X-API-Key header; without it the header is ignored'),
  TRUSTED_PROXIES: list
    .pipe(z.array(proxy).min(1))
    .optional()
    .describe('addresses or CIDRs of proxies whose X-Forwarded-For is trusted'),

  STRIPE_SECRET_KEY: text.optional().describe('key for real payments; without it checkout is a local test page'),
  STRIPE_WEBHOOK_SECRET: list.optional().describe('signing secrets of the Stripe webhook; two during a rotation'),
  STRIPE_API_BASE: url.optional().describe('lab: address of the Stripe API, instead of the public one'),
  CHECKOUT_MAX_CENTS: whole(100, 10_000_000).default(100_000).describe('largest single top-up in cents'),

  MAIL_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'SMTP server, as `smtps://...` or `smtp://...?requireTLS=true`; without it emails are written as `.eml` files to DATA_DIR/mail',
    ),
  MAIL_FROM: text.default('Moorage <no-reply@moorage.localhost>').describe('sender of emails'),

  ...CLOUD_SETTINGS,

  ...BACKUP_SETTINGS,

  ...PLATFORM_SETTINGS,

  PACKAGES_DIR: text.default('infra/packages').describe('folder of the package manifests'),
  REGISTRY_CHECKS: z
    .enum(['auto', 'on', 'off'])
    .default('auto')
    .describe(
      'daily comparison of the images of packages with their registries; `auto`: on unless all providers are simulated',
    ),
  HOST_SCRIPTS_DIR: text.default('infra/host').describe('folder of the scripts that run on servers'),

  CREDIT_ONLY_MAX_HOURLY: z.coerce
    .number()
    .min(0)
    .max(100)
    .default(0.1)
    .describe('maximum hourly price for credit-only accounts'),
  GRACE_PERIOD_MINUTES: whole(0, 1439)
    .default(60)
    .describe(
      'length of the grace period: time that an uncovered charge waits for a top-up before the deployment is destroyed',
    ),
  DELETE_UNDO_HOURS: whole(0, 72)
    .default(0)
    .describe(
      "hours for which the server of a deployment that its owner deletes is stopped and kept, so that the owner can restore it; 0: it is deleted at once. Nobody pays for this time, so you bear the cost of the server. Not for customers' own servers",
    ),

  LAB_CLOCK_OFFSET_MS: whole(-31_536_000_000, 315_360_000_000)
    .optional()
    .describe('lab: offset of the business clock (money and status)'),
  VPS_ALLOWED_CIDRS: z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .pipe(z.array(cidr))
    .optional()
    .describe("lab: addresses besides public ones that are allowed for a user's server"),
  DOMAIN_ALLOWED_ZONES: z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .pipe(z.array(zone).min(1))
    .optional()
    .describe('lab: zones outside the public DNS whose names may be ordered'),
  VPS_SSH_PORT: whole(1, 65535).default(22).describe("lab: SSH port of users' servers"),
  DNS_RESOLVERS: z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .pipe(z.array(hostPort).min(1))
    .optional()
    .describe('lab: resolvers queried instead of the public ones and the zone'),
  DOMAIN_CONNECT_PROVIDER_ID: text
    .refine(isDomainName, 'must be a domain in lower case')
    .optional()
    .describe(
      'provider id under which the Domain Connect templates of this installation are published; without it, customers see no links to their DNS provider',
    ),
  DOMAIN_CONNECT_KEY: text
    .regex(/^[A-Za-z0-9+/]{100,}={0,2}$/, 'use base64 of a PKCS#8 key in DER format')
    .optional()
    .describe(
      'RSA key that signs Domain Connect links, as base64 of PKCS#8 in DER format; without it they are unsigned',
    ),
  DOMAIN_CONNECT_KEY_NAME: text
    .regex(/^[a-z0-9_-]{1,63}$/, 'use one label')
    .default('_dck1')
    .describe('host of the TXT record with the public key of DOMAIN_CONNECT_KEY, below the provider id'),
  DNS_PROVIDER_BASE_URL: url
    .optional()
    .describe("lab: address of the API to which customers' DNS tokens are sent, instead of the providers' own"),
  CERTIFICATE_CA_FILE: text.optional().describe('lab: authority whose certificates count as issued'),
  ACME_DIRECTORY_URL: url
    .default(ACME_DIRECTORY)
    .describe('ACME directory of the authority that issues certificates for the stacks'),
  TRAEFIK_PLUGINS: z
    .enum(['on', 'off'])
    .default('on')
    .describe('lab: `off` renders stacks without router plugins, for servers that cannot fetch them'),
  LAB_DOCKER_MINIMUM: text
    .regex(/^\d{1,2}\.\d{1,2}$/)
    .optional()
    .describe('lab: minimum version of Docker Engine, instead of the one a package requires: `20.10`'),
  FAILPOINT: text
    .optional()
    .describe(
      'lab: `name[:nth]` kills the process at that failpoint, `new:file` at the first failpoint not listed in the file',
    ),
} as const;

/** Secrets that may also be given in a file, with its path in `<NAME>_FILE`. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'DATABASE_SERVICE_PASSWORDS',
  'KAFKA_PASSWORD',
  'REDIS_URL',
  'REDIS_PASSWORD',
  'ADMIN_PASSWORD',
  'JWT_SECRET',
  'SECRETS_KEYS',
  'ACCOUNT_SECRETS_KEYS',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'MAIL_URL',
  ...CLOUD_SECRETS,
  ...CALLBACK_SECRETS,
  ...BACKUP_SECRETS,
  ...PLATFORM_SECRETS,
  'DOMAIN_CONNECT_KEY',
] as const satisfies readonly (keyof typeof SETTINGS)[];

/** Former names. The start is refused if one of them is set, because the default would silently apply. */
export const RENAMED_SETTINGS: Readonly<Record<string, keyof typeof SETTINGS>> = {
  DEPLETION_HOLD_MINUTES: 'GRACE_PERIOD_MINUTES',
};

export type Settings = z.infer<z.ZodObject<typeof SETTINGS>>;
