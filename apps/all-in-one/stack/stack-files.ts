import { createHash } from 'node:crypto';
import { SCHEDULED_BY_THE_API, WORK_OF } from '@moorage/contracts';
import { loginUrl, type Service, SERVICES } from '@moorage/database';
import { BULL_PREFIX } from '@moorage/messaging';
import { BACKUP_SECRETS, CALLBACK_SECRETS, CLOUD_SECRETS, PLATFORM_SECRETS, SECRET_SETTINGS } from '@moorage/runtime';
import type { Random } from '@moorage/server';

export type StackMode = 'demo' | 'production';

/** A stack cannot be set up this way. The message has a line per setting. */
export class StackRefused extends Error {
  override readonly name = 'StackRefused';
}

/** Path at which Compose mounts a service's secrets. */
const INSIDE = '/run/secrets';
/** Folder of the secrets next to docker-compose.yml. Ignored by git. */
export const SECRETS_FOLDER = 'secrets';

/** Files that the stack reads: `.env`, without secrets, and a file per secret. */
export interface StackFiles {
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Settings that a public installation must answer. Those with `secret` are stored in files. */
export const QUESTIONS: readonly { readonly name: string; readonly what: string; readonly secret?: true }[] = [
  { name: 'PUBLIC_URL', what: 'public address of the console (https://console.example.com)' },
  { name: 'ACME_EMAIL', what: 'email address for messages from the certificate authority' },
  { name: 'ADMIN_EMAIL', what: 'email address of the first administrator' },
  { name: 'BRAND_SUPPORT_EMAIL', what: 'email address of support' },
  { name: 'MAIL_FROM', what: 'sender of emails (Moorage <no-reply@example.com>)' },
  { name: 'MAIL_URL', what: 'SMTP server (smtps://user:password@mail.example.com)', secret: true },
  { name: 'STRIPE_SECRET_KEY', what: "Stripe's secret key (sk_live_...)", secret: true },
  { name: 'STRIPE_WEBHOOK_SECRET', what: "signing secret of Stripe's webhook (whsec_...)", secret: true },
];

/** Optional secrets, with empty files if unused. Those of clouds and backups are not prompted for. */
const OPTIONAL_SECRETS: readonly string[] = [
  ...QUESTIONS.filter(({ secret }) => secret).map(({ name }) => name),
  ...CLOUD_SECRETS,
  ...CALLBACK_SECRETS,
  ...BACKUP_SECRETS,
  ...PLATFORM_SECRETS,
];

const DEMO: Readonly<Record<string, string>> = {
  MODE: 'demo',
  PUBLIC_URL: 'https://localhost:8443',
  GATEWAY_TLS: 'internal',
  // Simulated servers have their own host names.
  GATEWAY_SITE: 'https://',
  GATEWAY_ADDRESS: '127.0.0.1',
  GATEWAY_HTTP_PORT: '8080',
  GATEWAY_HTTPS_PORT: '8443',
};

/** The stack's own repository server, which runs with the profile `backups`. A demo includes it. */
export const OWN_BACKUPS = 'rest:http://backups:8000/';
const BACKUPS_PROFILE = 'backups';
/** File with the provisioner's login at that server. */
const BACKUPS_LOGIN = 'backup_target_htpasswd';

const PRODUCTION: Readonly<Record<string, string>> = {
  MODE: 'production',
  CLOUD_MODE: 'live',
  GATEWAY_TLS: 'acme',
  GATEWAY_ADDRESS: '0.0.0.0',
  GATEWAY_HTTP_PORT: '80',
  GATEWAY_HTTPS_PORT: '443',
};

/**
 * Returns the settings and secrets of a new stack. `answers` contains known settings by name, `kept` the existing
 * secrets by file, which are reused.
 */
export function stackFiles({
  mode,
  answers,
  stored = {},
  random,
}: {
  mode: StackMode;
  answers: Readonly<Record<string, string>>;
  stored?: Readonly<Record<string, string>>;
  random: Random;
}): StackFiles {
  const created = (name: string, make: () => string): string => stored[name] ?? make();
  const password = (name: string): string => created(name, () => random.text(40));
  const plain = mode === 'demo' ? DEMO : PRODUCTION;
  const backups = backupsOf({ ...plain, ...answers }, mode);
  const ownBackups = backups.BACKUP_TARGET === OWN_BACKUPS;
  const backupPassword = stored.backup_target_password ?? answers.BACKUP_TARGET_PASSWORD ?? random.text(40);
  const given = (name: string): string =>
    ownBackups && name === 'BACKUP_TARGET_PASSWORD' ? backupPassword : (stored[fileOf(name)] ?? answers[name] ?? '');
  const postgres = password('postgres_password');
  const kafka = password('kafka_password');
  const redis = password('redis_password');
  const ofServices = (server: 'kafka' | 'redis'): ServicePasswords =>
    Object.fromEntries(
      SERVICES.map((service) => [service, password(`${server}_password_${service}`)]),
    ) as ServicePasswords;
  const kafkaLogins = ofServices('kafka');
  const redisLogins = ofServices('redis');
  const owner = `postgres://moorage:${postgres}@postgres:5432/moorage`;
  const logins = created('database_service_passwords', () =>
    SERVICES.map((service) => `${service}:${random.text(40)}`).join(),
  );
  const urls = Object.fromEntries(
    logins.split(',').map((login) => {
      const [service = '', word = ''] = login.split(':');
      return [`database_url_${service}`, loginUrl(owner, service as (typeof SERVICES)[number], word)];
    }),
  );
  const secrets = {
    postgres_password: postgres,
    database_url: owner,
    ...urls,
    database_service_passwords: logins,
    kafka_password: kafka,
    ...named('kafka_password', kafkaLogins),
    'kafka.properties': kafkaProperties(kafka, kafkaLogins),
    'kafka-admin.properties': kafkaAdminProperties(kafka),
    redis_password: redis,
    ...named('redis_password', redisLogins),
    'redis.conf': redisConf(redis, redisLogins),
    secrets_keys: created('secrets_keys', () => answers.SECRETS_KEYS ?? `k1:${random.bytes(32).toString('base64')}`),
    account_secrets_keys: created(
      'account_secrets_keys',
      () => answers.ACCOUNT_SECRETS_KEYS ?? `a1:${random.bytes(32).toString('base64')}`,
    ),
    jwt_secret: created('jwt_secret', () => answers.JWT_SECRET ?? random.text(64)),
    admin_password: created('admin_password', () => answers.ADMIN_PASSWORD ?? random.text(20)),
    grafana_password: password('grafana_password'),
    // Empty if unused, because Compose requires every file to exist.
    ...Object.fromEntries(OPTIONAL_SECRETS.map((name) => [fileOf(name), given(name)])),
    [BACKUPS_LOGIN]: ownBackups ? passwordFile(backups, backupPassword) : '',
    tls_certificate: stored.tls_certificate ?? '',
    tls_key: stored.tls_key ?? '',
  };
  const own = Object.entries(answers).filter(([name]) => !isSecret(name));
  const files = OPTIONAL_SECRETS.filter((name) => given(name) !== '' && isUsed(name, backups.BACKUP_TARGET));
  return {
    settings: {
      ...plain,
      // An existing certificate is used.
      ...(secrets.tls_certificate === '' ? {} : { GATEWAY_TLS: 'certificate' }),
      ...backups,
      ...Object.fromEntries(own),
      ...Object.fromEntries(files.map((name) => [`${name}_FILE`, `${INSIDE}/${fileOf(name)}`])),
    },
    secrets,
  };
}

/** Returns the backup settings of the stack, or nothing if backups are off. */
function backupsOf(answers: Readonly<Record<string, string>>, mode: StackMode): Readonly<Record<string, string>> {
  const target = answers.BACKUP_TARGET ?? (mode === 'demo' ? OWN_BACKUPS : undefined);
  if (target === undefined) return {};
  const shared = { BACKUP_TARGET: target, BACKUP_HTPASSWD_FILE: '/access/htpasswd' };
  if (target !== OWN_BACKUPS) return shared;
  return {
    ...shared,
    COMPOSE_PROFILES: BACKUPS_PROFILE,
    BACKUP_TARGET_USER: answers.BACKUP_TARGET_USER ?? 'platform',
    // The gateway forwards to it.
    BACKUP_HOSTS_URL: `rest:${answers.PUBLIC_URL ?? ''}/restic/`,
  };
}

/** Returns whether a login applies to this kind of backup target. Its file may exist from an earlier setup. */
const isUsed = (name: string, target = ''): boolean =>
  name === 'BACKUP_TARGET_PASSWORD'
    ? target.startsWith('rest:')
    : name !== 'BACKUP_S3_SECRET_ACCESS_KEY' || target.startsWith('s3:');

/** Returns an htpasswd entry. The password is random, so an unsalted hash is enough. */
const passwordFile = ({ BACKUP_TARGET_USER: user = '' }: Readonly<Record<string, string>>, password: string): string =>
  `${user}:{SHA}${createHash('sha1').update(password).digest('base64')}`;

/** Returns the environment of a process in the stack, with the secrets instead of their files. */
export function environmentOf({ settings, secrets }: StackFiles): Record<string, string> {
  const plain = Object.entries(settings).filter(([name]) => !isSecret(name.replace(/_FILE$/, '')));
  const given = SECRET_SETTINGS.flatMap((name) => {
    const value = mayBeEmpty(settings, fileOf(name)) ? '' : secrets[fileOf(name)];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(plain),
    ...Object.fromEntries(given),
    KAFKA_BROKERS: 'kafka:9092',
    KAFKA_USERNAME: 'moorage',
    KAFKA_SASL_MECHANISM: 'plain',
    REDIS_URL: 'redis://redis:6379',
    TRUSTED_PROXIES: settings.STACK_SUBNET ?? '172.30.99.0/24',
  };
}

/** Returns whether this file belongs to a secret that the stack does not use according to `.env`. */
export function mayBeEmpty(settings: StackFiles['settings'], file: string): boolean {
  const optional = OPTIONAL_SECRETS.find((name) => fileOf(name) === file);
  if (file === BACKUPS_LOGIN) return settings.BACKUP_TARGET !== OWN_BACKUPS;
  return optional === undefined ? file.startsWith('tls_') : (settings[`${optional}_FILE`] ?? '') === '';
}

/** Returns the text of `.env`. Throws StackRefused for a value that it cannot represent. */
export function envText(settings: StackFiles['settings'], mode: StackMode): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${quoted(name, value)}`);
  return [
    `# Written by \`npm run ops -- stack:init --${mode}\`; docker-compose.yml reads it. Every setting of .env.example can be`,
    '# added. No secrets: those are in secrets/.',
    ...lines,
    '',
  ].join('\n');
}

/**
 * Quotes a value so that Compose and Node.js read it alike. Both take single-quoted text literally, but only Compose
 * supports `\'`.
 */
function quoted(name: string, value: string): string {
  if (/^[\w:/.,@-]*$/.test(value)) return value;
  if (!/['\n]|\\$/.test(value)) return `'${value}'`;
  if (!/["$\\\n]/.test(value)) return `"${value}"`;
  throw new StackRefused(
    `${name}: .env cannot contain a line break, a backslash at the end, or a single quote together with ", $ or \\`,
  );
}

/** Returns the file name of a secret setting. */
export const fileOf = (setting: string): string => setting.toLowerCase();
const isSecret = (name: string): boolean => (SECRET_SETTINGS as readonly string[]).includes(name);

type ServicePasswords = Readonly<Record<Service, string>>;
const named = (file: string, passwords: ServicePasswords): Record<string, string> =>
  Object.fromEntries(Object.entries(passwords).map(([service, word]) => [`${file}_${service}`, word]));

const PLAIN_LOGIN = 'org.apache.kafka.common.security.plain.PlainLoginModule required';

/**
 * Configures a single broker that is its own controller. Clients must log in, and only the stack's network reaches it.
 * The services' permissions are in infra/docker/kafka/access.sh. The broker's own login has all permissions, as does
 * its controller, which only the broker itself can reach.
 */
function kafkaProperties(password: string, services: ServicePasswords): string {
  const users = Object.entries({ moorage: password, ...services }).map(([name, word]) => `user_${name}="${word}"`);
  const login = `${PLAIN_LOGIN} username="moorage" password="${password}" ${users.join(' ')};`;
  return lines({
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': '1@localhost:9093',
    listeners: 'CLIENT://:9092,CONTROLLER://localhost:9093',
    'advertised.listeners': 'CLIENT://kafka:9092',
    'listener.security.protocol.map': 'CLIENT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'CLIENT',
    'controller.listener.names': 'CONTROLLER',
    'sasl.enabled.mechanisms': 'PLAIN',
    'sasl.mechanism.inter.broker.protocol': 'PLAIN',
    'listener.name.client.plain.sasl.jaas.config': login,
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': 'User:moorage;User:ANONYMOUS',
    'log.dirs': '/var/lib/kafka/data',
    'offsets.topic.replication.factor': '1',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'group.initial.rebalance.delay.ms': '0',
    'auto.create.topics.enable': 'false',
  });
}

/** Configures the login with which the broker's container sets the services' permissions. */
function kafkaAdminProperties(password: string): string {
  return lines({
    'security.protocol': 'SASL_PLAINTEXT',
    'sasl.mechanism': 'PLAIN',
    'sasl.jaas.config': `${PLAIN_LOGIN} username="moorage" password="${password}";`,
  });
}

const lines = (properties: Readonly<Record<string, string>>): string =>
  Object.entries(properties)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');

/** Returns keys and channels of the queues for these kinds of work. */
const ofQueues = (kinds: readonly string[], mark: '~' | '&'): string[] =>
  kinds.map((kind) => `${mark}${BULL_PREFIX}:${kind}:*`);
/** Commands that Bull needs. Excludes all that read or change other keys or the server. */
const BULL_COMMANDS =
  '-@all +@read +@write +@blocking +@scripting +@pubsub +@transaction +@connection -@dangerous +info';

/**
 * Permissions of each service's user, limited to the queues of its own work. The API also requests some of the
 * provisioner's, and its board reads all queues. Billing has no work and may only check that Redis responds.
 */
const REDIS_RIGHTS: Readonly<Record<Service, readonly string[]>> = {
  api: [
    BULL_COMMANDS,
    ...ofQueues([...WORK_OF.api, ...SCHEDULED_BY_THE_API], '~'),
    `%R~${BULL_PREFIX}:*`,
    `&${BULL_PREFIX}:*`,
  ],
  provisioner: [BULL_COMMANDS, ...ofQueues(WORK_OF.provisioner, '~'), ...ofQueues(WORK_OF.provisioner, '&')],
  billing: ['-@all +@connection +info'],
};

/**
 * Configures Redis for signals only. Nothing is written to disk, and data that does not fit is refused instead of
 * evicted. The default user is for operators.
 */
function redisConf(password: string, services: ServicePasswords): string {
  return [
    `requirepass ${password}`,
    ...SERVICES.map((service) => `user ${service} on >${services[service]} ${REDIS_RIGHTS[service].join(' ')}`),
    'save ""',
    'appendonly no',
    'dir /tmp',
    'maxmemory 192mb',
    'maxmemory-policy noeviction',
  ].join('\n');
}
