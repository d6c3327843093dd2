import { isIP } from 'node:net';
import { CLOUD_NAMES, type CloudName } from '@moorage/domain';
import { z } from 'zod';
import { CLOUD_LAB_SETTINGS, cloudModeName, cloudSetupOf } from './cloud-settings';
import { SETTINGS, type Settings } from './settings';

/**
 * Effect of a broken rule on the start of a production process. `never`: it is refused. `lab`: it is refused unless
 * ALLOW_LAB_SETTINGS=yes, and then logged. `note`: it is logged.
 */
export type Strictness = 'never' | 'lab' | 'note';

type Name = keyof typeof SETTINGS;

interface ProductionRule {
  readonly name: Name;
  readonly strictness: Strictness;
  /** Reason, as the rest of a sentence that begins with the name. */
  readonly reason: string;
  /** Returns true if the rule is broken, or the names to report in place of `name`. */
  readonly isBroken: (settings: Settings) => boolean | readonly Name[];
}

const LAB_REASON: Readonly<Partial<Record<Name, string>>> = {
  ACME_DIRECTORY_URL: "is a lab setting: browsers may not trust this authority's certificates",
};

/** Settings that describe themselves as lab settings, and the certificate authority, which tests replace as well. */
const LAB_SETTINGS: readonly Name[] = [
  ...(Object.keys(SETTINGS) as Name[]).filter((name) => SETTINGS[name].description?.startsWith('lab:') === true),
  'ACME_DIRECTORY_URL',
];

const DEFAULTS = z.object(SETTINGS).parse({});

/** Addresses of services to which credentials are sent. */
const BASE_URLS = ['STRIPE_API_BASE', ...CLOUD_LAB_SETTINGS, 'PLATFORM_DNS_BASE_URL', 'DNS_PROVIDER_BASE_URL'] as const;

const never = (name: Name, reason: string, isBroken: ProductionRule['isBroken']): ProductionRule => ({
  name,
  strictness: 'never',
  reason,
  isBroken,
});
const isMissing =
  (name: Name) =>
  (settings: Settings): boolean =>
    settings[name] === undefined;

/** Rules of decision 36, and for settings with which a process would start but silently be wrong. */
const NEVER: readonly ProductionRule[] = [
  never('STRIPE_SECRET_KEY', 'is required in production, for real payments', isMissing('STRIPE_SECRET_KEY')),
  never(
    'STRIPE_SECRET_KEY',
    'production needs a live key: a test key accepts test cards',
    (settings) => !sellsLive(settings) && isTestKey(settings.STRIPE_SECRET_KEY),
  ),
  never('STRIPE_WEBHOOK_SECRET', 'is required in production, for real payments', isMissing('STRIPE_WEBHOOK_SECRET')),
  never(
    'CLOUD_MODE',
    'simulated clouds are not allowed in production (unless SANDBOX_IN_PRODUCTION=yes)',
    (settings) => {
      const simulated = simulatedClouds(settings);
      if (simulated.length === 0 || settings.SANDBOX_IN_PRODUCTION === 'yes') return false;
      const chosen = simulated.map(cloudModeName).filter((name) => settings[name] === 'simulated');
      return chosen.length === simulated.length ? chosen : true;
    },
  ),
  never(
    'LAB_CLOCK_OFFSET_MS',
    'production uses the system clock',
    ({ LAB_CLOCK_OFFSET_MS: offset }) => offset !== undefined,
  ),
  never(
    'VPS_ALLOWED_CIDRS',
    "in production a user's server has a public address",
    ({ VPS_ALLOWED_CIDRS: ranges }) => ranges !== undefined,
  ),
  never('FAILPOINT', 'is not allowed in production', ({ FAILPOINT: place }) => place !== undefined),
  never('SECRETS_KEYS', 'is required in production: keys must be outside the data folder', isMissing('SECRETS_KEYS')),
  never(
    'ACCOUNT_SECRETS_KEYS',
    'is required in production: keys must be outside the data folder',
    isMissing('ACCOUNT_SECRETS_KEYS'),
  ),
  never(
    'ACCOUNT_SECRETS_KEYS',
    'shares a key with SECRETS_KEYS, which the provisioner has; secrets for the api alone need their own key',
    ({ SECRETS_KEYS: shared = '', ACCOUNT_SECRETS_KEYS: own = '' }) => {
      const known = new Set(keysIn(shared));
      return own !== '' && known.has(keysIn(own)[0] ?? '');
    },
  ),
  never('MAIL_URL', 'is required in production, to send emails', isMissing('MAIL_URL')),
  never(
    'JWT_SECRET',
    'with a database of its own (DATABASE_URL) there can be several api processes, and all must sign with one secret',
    ({ JWT_SECRET: secret, DATABASE_URL: url }) => secret === undefined && url !== undefined,
  ),
  never(
    'PUBLIC_URL',
    'links in emails would point to this machine; set the public address of the console',
    isMissing('PUBLIC_URL'),
  ),
  never(
    'TRUSTED_PROXIES',
    'a proxy terminates https, and without its address all clients behind it share one rate limit',
    ({ TRUSTED_PROXIES: proxies, PUBLIC_URL: url }) => proxies === undefined && url?.startsWith('https:') === true,
  ),
  never(
    'TRUSTED_PROXIES',
    'a range of half the internet is too large: every X-Forwarded-For would be trusted; name the proxies',
    ({ TRUSTED_PROXIES: proxies }) => proxies?.some(isTooWide) === true,
  ),
  ...BASE_URLS.map((name) =>
    never(name, 'must be https: credentials would cross a public network in plain text', (settings) =>
      isPlainHttp(settings[name], { isInside: false }),
    ),
  ),
];

const NEVER_NAMES = new Set(
  NEVER.filter(({ name }) => !(BASE_URLS as readonly Name[]).includes(name)).map(({ name }) => name),
);

const LAB: readonly ProductionRule[] = [
  ...LAB_SETTINGS.filter((name) => !NEVER_NAMES.has(name)).map((name): ProductionRule => ({
    name,
    strictness: 'lab',
    reason: LAB_REASON[name] ?? 'is a lab setting',
    isBroken: (settings) => settings[name] !== DEFAULTS[name],
  })),
  {
    name: 'PUBLIC_URL',
    strictness: 'lab',
    reason: 'must be https: passwords and tokens would cross the network in plain text',
    isBroken: ({ PUBLIC_URL: url }) => url !== undefined && new URL(url).protocol !== 'https:',
  },
  {
    name: 'KAFKA_USERNAME',
    strictness: 'lab',
    reason: 'is required with KAFKA_BROKERS, or anyone who can reach a broker could send events',
    isBroken: ({ KAFKA_BROKERS: brokers, KAFKA_USERNAME: user }) => brokers !== undefined && user === undefined,
  },
  {
    name: 'KAFKA_TLS',
    strictness: 'lab',
    reason: 'must be on: a broker has a public name, and login and events would cross the network in plain text',
    isBroken: (settings) => plainBrokers(settings).some((broker) => !isInside(hostOf(broker))),
  },
  {
    name: 'REDIS_PASSWORD',
    strictness: 'lab',
    reason: 'is required with REDIS_URL, or anyone who can reach Redis could change the queues',
    isBroken: ({ REDIS_URL: url, REDIS_PASSWORD: password }) =>
      url !== undefined && password === undefined && new URL(url).password === '',
  },
  {
    name: 'REDIS_URL',
    strictness: 'lab',
    reason: 'must be rediss: Redis has a public name, and login and queues would cross the network in plain text',
    isBroken: ({ REDIS_URL: url }) => isPlainRedis(url) && !isInside(hostnameOf(url)),
  },
  {
    name: 'DATABASE_URL',
    strictness: 'lab',
    reason:
      'must have ?sslmode=verify-full (or verify-ca, require): the database has a public name, and its login and all data would cross the network in plain text',
    isBroken: ({ DATABASE_URL: url }) => url !== undefined && isPlainDatabase(url),
  },
  {
    name: 'MAIL_URL',
    strictness: 'lab',
    reason:
      'must be smtps, or have ?requireTLS=true: the mail server has a public name, and links in emails would cross the network in plain text if it offers no TLS',
    isBroken: ({ MAIL_URL: url }) => url !== undefined && !isEncryptedMail(new URL(url)),
  },
  ...(['BACKUP_TARGET', 'BACKUP_HOSTS_URL'] as const).map((name): ProductionRule => ({
    name,
    strictness: 'lab',
    reason: 'must be https: it has a public name, and logins would cross the network in plain text',
    isBroken: ({ [name]: target }) => target?.url.protocol === 'http:' && !isInside(target.url.hostname),
  })),
  {
    name: 'ADMIN_PASSWORD',
    strictness: 'lab',
    reason: 'must have at least 12 characters, including letters, and must not be a common password',
    isBroken: ({ ADMIN_PASSWORD: password }) => password !== undefined && isGuessable(password),
  },
];

const NOTES: readonly ProductionRule[] = [
  {
    name: 'KAFKA_TLS',
    strictness: 'note',
    reason: 'is off: events cross the private network in plain text',
    isBroken: (settings) => {
      const brokers = plainBrokers(settings);
      return brokers.length > 0 && brokers.every((broker) => isInside(hostOf(broker)));
    },
  },
  {
    name: 'REDIS_URL',
    strictness: 'note',
    reason: 'is not rediss: queues cross the private network in plain text',
    isBroken: ({ REDIS_URL: url }) => isPlainRedis(url) && isInside(hostnameOf(url)),
  },
  ...(['OPERATOR_NAME', 'OPERATOR_ADDRESS'] as const).map((name): ProductionRule => ({
    name,
    strictness: 'note',
    reason: 'is not set: receipts do not name their issuer',
    isBroken: isMissing(name),
  })),
  {
    name: 'BACKUP_TARGET',
    strictness: 'note',
    reason: 'is not set: deployments are not backed up, and levels 2 and 3 state that',
    isBroken: isMissing('BACKUP_TARGET'),
  },
  ...(['ADMIN_EMAIL', 'BRAND_SUPPORT_EMAIL', 'MAIL_FROM'] as const).map((name): ProductionRule => ({
    name,
    strictness: 'note',
    reason: 'is not a deliverable email address',
    isBroken: (settings) => /@([a-z0-9.-]+\.)?localhost>?$/i.test(settings[name]),
  })),
];

/** Rules of MODE=production. The README's list is compared with them. */
export const PRODUCTION_RULES: readonly ProductionRule[] = [...NEVER, ...LAB, ...NOTES];

/** Returns a sentence for each rule that prevents a production process from starting. */
export function productionRefusals(settings: Settings): string[] {
  return broken(settings)
    .filter(({ strictness }) => strictness === 'never' || (strictness === 'lab' && !allowsLab(settings)))
    .map(({ names, strictness, reason }) => {
      const way = strictness === 'lab' ? ' (ALLOW_LAB_SETTINGS=yes allows it)' : '';
      return `${names.join(', ')}: ${reason}${way}`;
    });
}

/** Returns log lines for broken rules with which a production process starts anyway. */
export function productionWarnings(settings: Settings): string[] {
  const found = broken(settings);
  const passed = found.filter(({ strictness }) => strictness === 'lab').flatMap(({ names }) => names);
  return [
    ...(passed.length === 0 ? [] : [`ALLOW_LAB_SETTINGS=yes allows: ${[...new Set(passed)].join(', ')}`]),
    ...found.filter(({ strictness }) => strictness === 'note').map(({ names, reason }) => `${names.join()} ${reason}`),
  ];
}

function broken(settings: Settings): { names: readonly Name[]; strictness: Strictness; reason: string }[] {
  if (settings.MODE !== 'production') return [];
  return PRODUCTION_RULES.flatMap(({ name, strictness, reason, isBroken }) => {
    const found = isBroken(settings);
    if (found === false) return [];
    return [{ names: found === true ? [name] : found, strictness, reason }];
  });
}

const allowsLab = ({ ALLOW_LAB_SETTINGS: allowed }: Settings): boolean => allowed === 'yes';

/**
 * Returns whether a Stripe key only accepts test cards, so that any visitor could pay with a card from Stripe's
 * documentation.
 */
export function isTestKey(key: string | undefined): boolean {
  return key !== undefined && !/^[a-z]+_live_/.test(key);
}

/** Returns whether any provider is live. */
export function sellsLive(settings: Settings): boolean {
  const { modes } = cloudSetupOf(settings);
  return settings.CLOUD_MODE === 'live' || CLOUD_NAMES.some((name) => modes[name] === 'live');
}

function simulatedClouds(settings: Settings): readonly CloudName[] {
  const { modes } = cloudSetupOf(settings);
  return CLOUD_NAMES.filter((name) => modes[name] === 'simulated');
}

const plainBrokers = ({ KAFKA_BROKERS: brokers = [], KAFKA_TLS: tls }: Settings): readonly string[] =>
  tls === 'off' ? brokers : [];

/** Returns the host of `host`, `host:port` or `[address]:port`. */
const hostOf = (broker: string): string => new URL(`tcp://${broker}`).hostname;

function isPlainHttp(url: Settings[(typeof BASE_URLS)[number]], { isInside: inside }: { isInside: boolean }): boolean {
  return typeof url === 'string' && new URL(url).protocol === 'http:' && isInside(hostnameOf(url)) === inside;
}

function isEncryptedMail({ protocol, hostname, searchParams }: URL): boolean {
  if (isInside(hostname)) return true;
  const hasTls = protocol === 'smtps:' || searchParams.get('requireTLS') === 'true';
  return hasTls && searchParams.get('tls.rejectUnauthorized') !== 'false';
}

const isPlainRedis = (url: string | undefined): url is string =>
  url !== undefined && new URL(url).protocol === 'redis:';

/** Returns whether the connection is unencrypted. A server that is reached through a socket has no host. */
function isPlainDatabase(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  if (hostname === '' || isInside(hostname)) return false;
  return !['require', 'verify-ca', 'verify-full'].includes(searchParams.get('sslmode') ?? '');
}

const hostnameOf = (url: string): string => new URL(url).hostname;

/** Returns the keys of a ring without their ids. */
const keysIn = (ring: string): string[] => ring.split(',').map((part) => part.trim().split(':')[1] ?? '');

/** Returns whether a range is wider than any private network, which is /8 in IPv4 and /7 in IPv6. */
function isTooWide(range: string): boolean {
  const [address = '', bits] = range.split('/');
  if (bits === undefined) return false;
  const prefix = Number(bits);
  if (isIP(address) === 4) return prefix < 8;
  // An IPv4 range in IPv6 notation.
  return address.toLowerCase().startsWith('::ffff:') ? prefix < 96 + 8 : prefix < 7;
}

/**
 * Returns whether a host is known only in a private network. This is a name of one label, as containers have, a name in
 * a zone that is never public, or a private address.
 */
function isInside(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  const version = isIP(name);
  if (version === 4) return /^(127|10)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\./.test(name);
  if (version === 6) return /^::1$|^f[cd][0-9a-f]{2}:/.test(name);
  // A plain number is another notation of an address.
  return /^[a-z_][a-z0-9_-]*$/.test(name) || /\.(internal|local|localhost)$/.test(name);
}

const PASSWORD_LENGTH_MIN = 12;
const DIFFERENT_MIN = 5;
/** Typical content of lists of common passwords, after removing digits and symbols. */
const COMMON =
  /^(pass(word|wort)?|admin(istrator)?|root|user|login|welcome|letmein|secret|change(me)?|default|qwert[yz]\w*|asdf\w*|iloveyou|dragon|monkey|football|baseball|superman|sunshine|princess|test(ing)?|demo|moorage)*$/;

/** Returns whether a password would be found by a list or a short search. */
function isGuessable(password: string): boolean {
  const letters = password.toLowerCase().replace(/[^a-z]/g, '');
  return password.length < PASSWORD_LENGTH_MIN || new Set(password).size < DIFFERENT_MIN || COMMON.test(letters);
}
