import { join } from 'node:path';
import type { SupportLevel } from '@moorage/domain';
import { z } from 'zod';

const text = z.string().trim().min(1);
const whole = (min: number, max: number) => z.coerce.number().pipe(z.int().min(min).max(max));

/** Parses a restic address without credentials in it, for example `rest:https://host/`. */
function repositoryUrl(context: z.RefinementCtx, given: string, kinds: readonly ('rest' | 's3')[]): RepositoryUrl {
  const [, kind, address = ''] = /^(rest|s3):(https?:\/\/.+)$/.exec(given) ?? [];
  const known = kinds.find((one) => one === kind);
  const wrong =
    known === undefined || !URL.canParse(address)
      ? `use ${kinds.map((one) => (one === 'rest' ? 'rest:https://host/' : 's3:https://host/bucket')).join(' or ')}`
      : problemOf(known, new URL(address));
  if (wrong === null && known !== undefined) {
    const bare = address.replace(/\/+$/, '');
    return { kind: known, url: new URL(known === 'rest' ? `${bare}/` : bare) };
  }
  context.addIssue({ code: 'custom', message: wrong ?? 'is not an address' });
  return z.NEVER;
}

function problemOf(kind: 'rest' | 's3', { username, password, search, hash, pathname }: URL): string | null {
  if (username !== '' || password !== '') return 'must not contain a login: set it with the settings for it';
  if (search !== '' || hash !== '') return 'use an address without ? and #';
  return kind === 's3' && pathname === '/' ? 'must name the bucket: s3:https://host/bucket' : null;
}

/** Address of a backup repository. It ends with a slash for a rest-server, and without a slash for a bucket. */
export interface RepositoryUrl {
  readonly kind: 'rest' | 's3';
  readonly url: URL;
}

/** Settings for the target of backups, how servers reach it, and how much space backups may use. */
export const BACKUP_SETTINGS = {
  BACKUP_TARGET: text
    .transform((given, context) => repositoryUrl(context, given, ['rest', 's3']))
    .optional()
    .describe(
      'where backups go: `rest:https://host/`, a rest-server with all rights, or `s3:https://host/bucket/prefix`; without it only simulated servers have backups, which are simulated',
    ),
  BACKUP_TARGET_USER: text.optional().describe('username for a `rest:` target'),
  BACKUP_TARGET_PASSWORD: text.optional().describe('password of `BACKUP_TARGET_USER`'),
  BACKUP_S3_ACCESS_KEY_ID: text.optional().describe('access key id for an `s3:` target'),
  BACKUP_S3_SECRET_ACCESS_KEY: text.optional().describe('secret access key for an `s3:` target'),
  BACKUP_S3_REGION: text.default('us-east-1').describe('region of an `s3:` target'),
  BACKUP_HOSTS_URL: text
    .transform((given, context) => repositoryUrl(context, given, ['rest']))
    .optional()
    .describe(
      '`rest:https://host/`: address at which servers reach the backup target; it must be append-only and restrict each server to its own repository (`rest-server` or `rclone serve restic` with `--append-only --private-repos`)',
    ),
  BACKUP_HTPASSWD_FILE: text
    .optional()
    .describe(
      'htpasswd file, written by the provisioner and read by the server at `BACKUP_HOSTS_URL`, that grants servers access',
    ),
  RESTIC_PATH: text.default('restic').describe('path of restic (0.17 or newer) on the provisioner machine'),
  BACKUP_IMAGE: text
    .default('docker.io/restic/restic:0.19.1')
    .describe('image with restic that servers use for backups'),
  BACKUP_QUOTA_LEVEL_2_GB: whole(1, 100_000)
    .default(20)
    .describe('storage limit in GB for the backups of a level 2 deployment; the oldest backups are deleted above it'),
  BACKUP_QUOTA_LEVEL_3_GB: whole(1, 100_000)
    .default(100)
    .describe('storage limit in GB for the backups of a level 3 deployment'),
  BACKUP_CPUS: z
    .string()
    .regex(/^(\d{1,2}\.)?\d{1,2}$/, 'use a number like 0.5')
    .refine((cpus) => Number(cpus) > 0, 'must be more than 0')
    .default('0.5')
    .describe('number of CPUs of a server that a backup or restore may use'),
  BACKUP_MEMORY_MB: whole(128, 65_536).default(512).describe('memory in MB that a backup or restore may use'),
  BACKUP_UPLOAD_KIB: whole(0, 10_000_000)
    .default(0)
    .describe('upload limit of a backup in KiB per second; 0: no limit'),
  BACKUP_DOWNLOAD_KIB: whole(0, 10_000_000)
    .default(0)
    .describe('download limit of a restore in KiB per second; 0: no limit'),
  BACKUP_DOWNLOADS_DIR: text
    .optional()
    .describe(
      'folder, shared by provisioner and api, for the archives that owners download, each kept for a day; default: DATA_DIR/downloads',
    ),
  BACKUP_TESTS: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      '`on`: each month the newest backup of each deployment is restored on the provisioner machine, into a folder below DATA_DIR, and read; simulated backups are always tested',
    ),
  BACKUP_TEST_MAX_GB: whole(1, 10_000)
    .default(20)
    .describe('size limit of a restore test in GB; larger backups are not tested'),
} as const;

type BackupSettings = z.infer<z.ZodObject<typeof BACKUP_SETTINGS>>;
type BackupSetting = keyof BackupSettings;

export const BACKUP_SECRETS = [
  'BACKUP_TARGET_PASSWORD',
  'BACKUP_S3_SECRET_ACCESS_KEY',
] as const satisfies readonly BackupSetting[];

const CREDENTIALS = {
  rest: ['BACKUP_TARGET_USER', 'BACKUP_TARGET_PASSWORD'],
  s3: ['BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY'],
} as const satisfies Readonly<Record<RepositoryUrl['kind'], readonly BackupSetting[]>>;

/** Target of the backups of real servers, with full permissions. */
export type BackupTarget = { readonly url: URL } & (
  | { readonly kind: 'rest'; readonly user: string; readonly password: string }
  | { readonly kind: 's3'; readonly keyId: string; readonly key: string; readonly region: string }
);

/**
 * Returns whether real servers are backed up by this installation. Every service can check this, but only the
 * provisioner has the credentials.
 */
export const hasBackupTarget = (settings: BackupSettings): boolean => settings.BACKUP_TARGET !== undefined;

/** Returns the restic repository name of a deployment at the target. */
export const repositoryAt = ({ kind, url }: RepositoryUrl, ref: string): string =>
  kind === 'rest' ? `rest:${new URL(`${ref}/`, url).href}` : `s3:${url.href}/${ref}`;

/** Returns the repository of a deployment, or null if there is no target. */
export const repositoryOf = ({ BACKUP_TARGET: target }: BackupSettings, ref: string): string | null =>
  target === undefined ? null : repositoryAt(target, ref);

/** Returns the backup target, or null if there is none or this service does not have its credentials. */
export function backupTargetOf(settings: BackupSettings): BackupTarget | null {
  const { BACKUP_TARGET: target } = settings;
  if (target === undefined) return null;
  const [name, secret] = CREDENTIALS[target.kind].map((setting) => settings[setting]);
  if (name === undefined || secret === undefined) return null;
  return target.kind === 'rest'
    ? { kind: 'rest', url: target.url, user: name, password: secret }
    : { kind: 's3', url: target.url, keyId: name, key: secret, region: settings.BACKUP_S3_REGION };
}

/**
 * Returns the maximum size in bytes of a deployment's backups. Level 1 has no backups, but keeps the quota of level 2
 * for those made before.
 */
export const backupQuota = (settings: BackupSettings, level: SupportLevel): number =>
  (level === 3 ? settings.BACKUP_QUOTA_LEVEL_3_GB : settings.BACKUP_QUOTA_LEVEL_2_GB) * 1_000_000_000;

/** Returns an error for each incomplete combination of settings. */
export function backupRefusals(settings: BackupSettings): string[] {
  const { BACKUP_TARGET: target } = settings;
  const refusals: string[] = [];
  for (const kind of ['rest', 's3'] as const) {
    for (const name of CREDENTIALS[kind]) {
      if (kind === target?.kind && settings[name] === undefined)
        refusals.push(`${name}: is required with a BACKUP_TARGET that begins with ${kind}:`);
      if (kind !== target?.kind && settings[name] !== undefined)
        refusals.push(`${name}: has no effect without a BACKUP_TARGET that begins with ${kind}:`);
    }
  }
  for (const [name, why] of [
    ['BACKUP_HOSTS_URL', 'servers could not reach it'],
    ['BACKUP_HTPASSWD_FILE', 'servers would not get access'],
  ] as const) {
    if (target !== undefined && settings[name] === undefined)
      refusals.push(`${name}: is required with BACKUP_TARGET, or ${why}`);
    if (target === undefined && settings[name] !== undefined)
      refusals.push(`${name}: has no effect without BACKUP_TARGET`);
  }
  if (settings.BACKUP_TESTS === 'on' && target === undefined)
    refusals.push('BACKUP_TESTS: has no effect without BACKUP_TARGET');
  return refusals;
}

/** Returns the folder where the provisioner writes backup archives for download, and the api reads them. */
export const backupDownloadsFolder = (settings: BackupSettings & { readonly DATA_DIR: string }): string =>
  settings.BACKUP_DOWNLOADS_DIR ?? join(settings.DATA_DIR, 'downloads');
