import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES } from '@moorage/database';
import { parseSettings, SETTINGS, startWarnings } from '@moorage/runtime';
import { systemRandom } from '@moorage/server';
import { addressProblems, type Resolve, stackProblems } from './stack-check';
import {
  envText,
  environmentOf,
  fileOf,
  QUESTIONS,
  SECRETS_FOLDER,
  stackFiles,
  type StackMode,
  StackRefused,
} from './stack-files';

export interface StackInit {
  /** Folder of docker-compose.yml. */
  readonly folder: string;
  readonly mode: StackMode;
  /** Settings given by the environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prompts for a missing setting. Undefined if there is no terminal. */
  readonly prompt?: ((question: string, options: { secret: boolean }) => Promise<string>) | undefined;
  readonly print: (line: string) => void;
  /** Resolves a name in the DNS. */
  readonly resolve?: Resolve;
}

/**
 * Writes `.env` and `secrets/`. Existing secrets are kept, existing settings are not changed. Writes nothing if there
 * is a problem, but throws StackRefused or SettingsError with the settings concerned.
 */
export async function initStack({ folder, mode, env, prompt, print, resolve }: StackInit): Promise<void> {
  const settingsFile = join(folder, '.env');
  if (existsSync(settingsFile))
    throw new StackRefused('.env already exists: change it, or move it away to start again (secrets/ is kept)');
  const stored = storedSecrets(folder);
  const answers = await answersOf({ mode, env, stored, prompt });
  const files = stackFiles({ mode, answers, stored, random: systemRandom() });
  const wrong = addressProblems(files.settings);
  if (wrong.length > 0) throw new StackRefused(wrong.join('\n'));
  const settings = parseSettings(environmentOf(files));
  const text = envText(files.settings, mode);
  const secretsFolder = join(folder, SECRETS_FOLDER);
  mkdirSync(secretsFolder, { recursive: true, mode: 0o700 });
  chmodSync(secretsFolder, 0o700);
  for (const [name, value] of Object.entries(files.secrets)) {
    if (stored[name] !== undefined && (CREATED_FROM[name] ?? []).every((source) => stored[source] !== undefined))
      continue;
    const path = join(secretsFolder, name);
    rmSync(path, { force: true });
    // The containers' users can read the file, and the folder keeps out everyone else.
    writeFileSync(path, value === '' ? '' : `${value}\n`, { mode: 0o444, flag: 'wx' });
  }
  writeFileSync(settingsFile, text, { flag: 'wx' });
  print(
    `Wrote .env and ${SECRETS_FOLDER}/. Store a copy of ${SECRETS_FOLDER}/ separately from the backups of the database.`,
  );
  const unused = Object.keys(answers).filter((name) => (stored[fileOf(name)] ?? answers[name]) !== answers[name]);
  for (const name of unused) print(`note: ${SECRETS_FOLDER}/${fileOf(name)} is unchanged; ${name} is not used`);
  for (const warning of startWarnings(settings)) print(`note: ${warning}`);
  for (const problem of await stackProblems(folder, resolve)) print(`not yet: ${problem}`);
  print(`administrator: ${settings.ADMIN_EMAIL}, password in ${SECRETS_FOLDER}/admin_password`);
  print('next: docker compose up -d --wait');
}

/** Files that contain passwords from other files, and are regenerated when those change. */
const CREATED_FROM: Readonly<Record<string, readonly string[]>> = {
  'kafka.properties': ['kafka_password', ...SERVICES.map((service) => `kafka_password_${service}`)],
  'kafka-admin.properties': ['kafka_password'],
  'redis.conf': ['redis_password', ...SERVICES.map((service) => `redis_password_${service}`)],
  database_url: ['postgres_password'],
  backup_target_htpasswd: ['backup_target_password'],
  ...Object.fromEntries(SERVICES.map((service) => [`database_url_${service}`, ['database_service_passwords']])),
};

/** Settings that the stack determines itself, whatever the environment contains. */
const SETTLED =
  /^(MODE|PORT|HOST|OPERATIONS_PORT|DATA_DIR|DATABASE_(URL|SERVICE_PASSWORDS)|TRUSTED_PROXIES|KAFKA_.*|REDIS_.*)$/;

async function answersOf({
  mode,
  env,
  stored,
  prompt,
}: Pick<StackInit, 'mode' | 'env' | 'prompt'> & { stored: Readonly<Record<string, string>> }): Promise<
  Record<string, string>
> {
  const answers: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const isOurs = (name in SETTINGS && !SETTLED.test(name)) || /^(GATEWAY|ACME|STACK)_/.test(name);
    if (isOurs && value !== undefined && value !== '') answers[name] = value;
  }
  if (mode === 'demo') return answers;
  const hasCertificate = stored.tls_certificate !== undefined || (answers.GATEWAY_TLS ?? 'acme') !== 'acme';
  const missing: string[] = [];
  for (const { name, what, secret = false } of QUESTIONS) {
    if (answers[name] !== undefined || (secret && stored[fileOf(name)] !== undefined)) continue;
    if (name === 'ACME_EMAIL' && hasCertificate) continue;
    const answer = (await prompt?.(`${name}: ${what}: `, { secret }))?.trim() ?? '';
    if (answer === '') missing.push(`${name}: ${what}`);
    else answers[name] = answer;
  }
  if (missing.length > 0) throw new StackRefused(['Production needs', ...missing].join('\n'));
  return answers;
}

function storedSecrets(folder: string): Record<string, string> {
  const secrets = join(folder, SECRETS_FOLDER);
  if (!existsSync(secrets)) return {};
  const read = readdirSync(secrets).map((name) => [name, readFileSync(join(secrets, name), 'utf8').trim()] as const);
  return Object.fromEntries(read.filter(([, value]) => value !== ''));
}
