import { readFileSync } from 'node:fs';
import type { Service } from '@moorage/database';
import { isUsualTaxId, taxId } from '@moorage/domain';
import { z } from 'zod';
import { BACKUP_SECRETS, backupRefusals } from './backup-settings';
import { CALLBACK_SECRETS, CLOUD_SECRETS, credentialRefusals, withoutCredentials } from './cloud-settings';
import { PLATFORM_SECRETS, platformRefusals } from './platform-settings';
import { isTestKey, productionRefusals, productionWarnings, sellsLive } from './production-rules';
import { RENAMED_SETTINGS, SECRET_SETTINGS, SETTINGS, type Settings } from './settings';

const schema = z.object(SETTINGS);

/** Thrown with one line per invalid variable. Values are not repeated, because they may be secrets. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * Reader of the settings. A service receives only the secrets it needs. `all` stands for a command, or all services in
 * one process.
 */
export type SettingsReader = Service | 'all';

/**
 * Services that receive each secret and its related settings. The code that uses a setting checks that it is present.
 */
const READERS: Readonly<Partial<Record<keyof Settings, readonly Service[]>>> = {
  STRIPE_SECRET_KEY: ['api'],
  STRIPE_WEBHOOK_SECRET: ['api'],
  JWT_SECRET: ['api'],
  MAIL_URL: ['api'],
  SECRETS_KEYS: ['api', 'provisioner'],
  ACCOUNT_SECRETS_KEYS: ['api'],
  ...Object.fromEntries(CALLBACK_SECRETS.map((name): [string, Service[]] => [name, ['api']])),
  ...Object.fromEntries(
    [...CLOUD_SECRETS, ...BACKUP_SECRETS, ...PLATFORM_SECRETS].map((name): [string, Service[]] => [
      name,
      ['provisioner'],
    ]),
  ),
  BACKUP_TARGET_USER: ['provisioner'],
  BACKUP_S3_ACCESS_KEY_ID: ['provisioner'],
  BACKUP_HTPASSWD_FILE: ['provisioner'],
};

/** Returns whether a sentence, which begins with the name of a setting, applies to this reader. */
const concerns = (reader: SettingsReader, sentence: string): boolean =>
  reader === 'all' || READERS[sentence.slice(0, sentence.indexOf(':')) as keyof Settings]?.includes(reader) !== false;

/**
 * Parses the settings of a reader.
 *
 * @throws SettingsError with a line for every setting that is invalid or missing.
 */
export function parseSettings(env: Env, reader: SettingsReader = 'all'): Settings {
  const renamed = Object.entries(RENAMED_SETTINGS).filter(([old]) => env[old] !== undefined && env[old] !== '');
  if (renamed.length > 0)
    throw new SettingsError(renamed.map(([old, name]) => `${old}: this setting was renamed to ${name}`).join('\n'));
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

/** Returns the environment with the contents of the files in its `<NAME>_FILE` variables. */
function withSecretFiles(env: Env): Env {
  const read: Record<string, string> = {};
  const wrong: string[] = [];
  for (const name of SECRET_SETTINGS) {
    const path = env[`${name}_FILE`];
    if (path === undefined || path === '') continue;
    if (env[name] !== undefined && env[name] !== '') {
      wrong.push(`${name}_FILE: ${name} is set as well; remove one of them`);
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

/**
 * Returns an error for each forbidden combination of settings (decision 36), or an empty list if the start may
 * continue.
 */
function refusalsOf(settings: Settings): string[] {
  const refusals: string[] = [];
  refusals.push(...transportRefusals(settings), ...receiptRefusals(settings), ...credentialRefusals(settings));
  refusals.push(...backupRefusals(settings), ...platformRefusals(settings));
  const isLive = sellsLive(settings);
  if (isLive && settings.STRIPE_SECRET_KEY === undefined) {
    refusals.push('STRIPE_SECRET_KEY: is required with live clouds: with test payments anyone could buy real servers');
  }
  if (isLive && isTestKey(settings.STRIPE_SECRET_KEY)) {
    refusals.push('STRIPE_SECRET_KEY: live clouds need a live key: a test key accepts test cards');
  }
  if (settings.STRIPE_SECRET_KEY !== undefined && settings.STRIPE_WEBHOOK_SECRET === undefined) {
    refusals.push('STRIPE_WEBHOOK_SECRET: is required with STRIPE_SECRET_KEY, or payments would never arrive');
  }
  return [...refusals, ...productionRefusals(settings)];
}

/** Returns an error for each combination of settings that would make receipts wrong. */
function receiptRefusals(settings: Settings): string[] {
  const refusals: string[] = [];
  const { OPERATOR_TAX_ID: number, OPERATOR_COUNTRY: country, TAX_RATE_PERCENT: rate, TAX_TEXT: words } = settings;
  if (rate !== undefined && words === undefined)
    refusals.push('TAX_TEXT: is required with TAX_RATE_PERCENT, or receipts could not name the tax');
  if (words !== undefined && rate === undefined)
    refusals.push('TAX_RATE_PERCENT: is required with TAX_TEXT, or receipts could not state the amount of tax');
  if (number !== undefined && country === undefined)
    refusals.push('OPERATOR_COUNTRY: is required with OPERATOR_TAX_ID, to validate it');
  if (number !== undefined && country !== undefined && taxId(number, country) === null)
    refusals.push('OPERATOR_TAX_ID: must be 2 to 40 letters, digits and signs, with at least one digit');
  return refusals;
}

/** Returns an error for each login or certificate that would not be used. */
function transportRefusals(settings: Settings): string[] {
  const refusals: string[] = [];
  const only = (name: keyof Settings, used: boolean, sentence: string): void =>
    void (settings[name] === undefined || used || refusals.push(`${name}: ${sentence}`));
  const login = settings.KAFKA_BROKERS !== undefined && settings.KAFKA_USERNAME !== undefined;
  only('KAFKA_USERNAME', settings.KAFKA_BROKERS !== undefined, 'has no effect without KAFKA_BROKERS');
  only('KAFKA_USERNAME', settings.KAFKA_PASSWORD !== undefined, 'also requires KAFKA_PASSWORD');
  only('KAFKA_PASSWORD', login, 'has no effect without KAFKA_BROKERS and KAFKA_USERNAME');
  only('KAFKA_TLS_CA_FILE', settings.KAFKA_TLS === 'on', 'has no effect without KAFKA_TLS=on');
  only('REDIS_PASSWORD', settings.REDIS_URL !== undefined, 'has no effect without REDIS_URL');
  only(
    'REDIS_TLS_CA_FILE',
    settings.REDIS_URL?.startsWith('rediss:') === true,
    'has no effect without a REDIS_URL that begins with rediss:',
  );
  return refusals;
}

/**
 * Returns warnings about accepted settings. These are live providers without credentials (for readers that receive
 * them), and in production the rules that only note, or that ALLOW_LAB_SETTINGS overrides.
 */
export function startWarnings(settings: Settings, reader: SettingsReader = 'all'): string[] {
  const needsCredentials = reader === 'all' || reader === 'provisioner';
  return [
    ...(needsCredentials ? withoutCredentials(settings) : []),
    ...(reader === 'all' || reader === 'api' ? receiptWarnings(settings) : []),
    ...productionWarnings(settings),
  ];
}

function receiptWarnings({ OPERATOR_TAX_ID: number, OPERATOR_COUNTRY: country }: Settings): string[] {
  if (number === undefined || country === undefined || isUsualTaxId(number, country)) return [];
  return [`OPERATOR_TAX_ID: is not in the usual format of tax numbers of ${country}; receipts show it unchanged`];
}
