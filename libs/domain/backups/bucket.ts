import { BACKUP_MESSAGES } from '../messages/backups';
import type { Message } from '../messages/message';
import { guardAddress } from '../servers/address-guard';
import { isDomainName, writtenText } from '../text';
import { HOUR_MS, type Instant, MINUTE_MS } from '../time';
import { BACKED_UP, hasBackups } from './backups';
import type { BackedUp } from './refusals';

/**
 * State of a customer's own bucket. `checking` means that a check is pending. `ready` and `failed` are the outcome of
 * the last check or copy.
 */
export const BUCKET_STATES = ['checking', 'ready', 'failed'] as const;
export type BucketState = (typeof BUCKET_STATES)[number];

/** Time limit of a copy. The next copy continues with what is already in the bucket. */
export const BUCKET_COPY_MAX_MS = 6 * HOUR_MS;

/** Pauses after failed copies. After the last pause, the next backup triggers a new attempt. */
const BUCKET_PAUSES_MS: readonly number[] = [5 * MINUTE_MS, 20 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS];

/**
 * Returns when a failed copy is retried.
 *
 * @param failures failures in a row, at least 1
 * @returns the time of the retry, or null if the copy waits for the next backup
 */
export function bucketRetryAt(failures: number, now: Instant): Instant | null {
  const pause = BUCKET_PAUSES_MS[failures - 1];
  return pause === undefined ? null : now + pause;
}

/** Location of a bucket, as its owner enters it. */
export interface BucketPlace {
  /** `https://host` or `https://host:port`. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Folder without leading and trailing slashes, or an empty string. */
  readonly folder: string;
}

/**
 * Adds the scheme and removes a trailing slash. Text that is not an address is left for `checkBucketEndpoint` to
 * reject.
 */
export function bucketEndpoint(text: string): string {
  const written = writtenText(text).replace(/\/$/, '').toLowerCase();
  return /^[a-z]+:\/\//.test(written) || written === '' ? written : `https://${written}`;
}

export const bucketFolder = (text: string): string => writtenText(text).replace(/^\/|\/$/g, '');

const ENDPOINT = /^https:\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/;
const ENDPOINT_LENGTH_MAX = 260;
const PORT_MAX = 65_535;

/** Returns the host and port of an endpoint, or null if the text is not an endpoint. */
export function bucketHost(endpoint: string): { readonly host: string; readonly port: number } | null {
  const [, host, port = '443'] = ENDPOINT.exec(endpoint) ?? [];
  if (host === undefined || endpoint.length > ENDPOINT_LENGTH_MAX) return null;
  const number = Number(port);
  return number === 0 || number > PORT_MAX ? null : { host: host.replace(/^\[|\]$/g, ''), port: number };
}

/**
 * Accepts https addresses of domain names and of public IP addresses. The provisioner checks what a name resolves to
 * each time it connects.
 */
export function checkBucketEndpoint(text: string): Message | null {
  const found = bucketHost(bucketEndpoint(text));
  if (found === null) return BACKUP_MESSAGES.bucket_endpoint;
  if (isDomainName(found.host)) return null;
  const guarded = guardAddress(found.host);
  if (guarded.ok) return null;
  return /^[\d.]+$|:/.test(found.host) ? BACKUP_MESSAGES.bucket_private : BACKUP_MESSAGES.bucket_endpoint;
}

/** Checks a bucket name (https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html). */
export const checkBucketName = (name: string): Message | null =>
  /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !name.includes('..') ? null : BACKUP_MESSAGES.bucket_name;

export const checkBucketRegion = (region: string): Message | null =>
  /^[a-z0-9][a-z0-9-]{0,39}$/.test(region) ? null : BACKUP_MESSAGES.bucket_region;

const FOLDER_LENGTH_MAX = 200;

export function checkBucketFolder(text: string): Message | null {
  const folder = bucketFolder(text);
  if (folder === '') return null;
  const isPlain = folder.split('/').every((part) => /^[\w.-]+$/.test(part) && part !== '.' && part !== '..');
  return isPlain && folder.length <= FOLDER_LENGTH_MAX ? null : BACKUP_MESSAGES.bucket_folder;
}

export const BUCKET_KEY_LENGTH_MAX = 200;

/** Checks an access key ID or a secret access key. */
export const checkBucketKey = (key: string): Message | null =>
  /^[\x21-\x7e]+$/.test(key) && key.length <= BUCKET_KEY_LENGTH_MAX ? null : BACKUP_MESSAGES.bucket_key;

/**
 * Returns the restic repository of a deployment in a bucket. Deployments that share a folder do not share a repository.
 */
export const bucketRepository = ({ endpoint, bucket, folder }: BucketPlace, ref: string): string =>
  ['s3:' + endpoint, bucket, ...(folder === '' ? [] : [folder]), ref].join('/');

/** Returns restic commands for the owner of a bucket. Each command prompts for the password. */
export function bucketCommands({ repository, region }: { readonly repository: string; readonly region: string }) {
  return {
    keys: `export AWS_DEFAULT_REGION=${region} AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=...`,
    list: `restic -r ${repository} snapshots`,
    restore: `restic -r ${repository} restore latest --target restored`,
    forget: `restic -r ${repository} forget --group-by host --keep-daily 30 --prune`,
  };
}

/** Returns why no bucket can be set for a deployment now, or null if it can. */
export function refusalOfBucket({
  mode,
  level,
  status,
  desired,
  copiesIn,
}: Omit<BackedUp, 'isBeingBackedUp' | 'isBeingCopied'>): Message | null {
  if (mode === 'off') return BACKUP_MESSAGES.off;
  if (!hasBackups(level)) return BACKUP_MESSAGES.level;
  if (desired === 'destroyed') return BACKUP_MESSAGES.bucket_gone;
  // The keys are removed together with the repository, so a repository must exist or be about to be planned.
  return copiesIn === null && !BACKED_UP.includes(status) ? BACKUP_MESSAGES.not_running : null;
}
