import { createHash, createHmac } from 'node:crypto';
import type { BackupTarget } from '@moorage/runtime';
import type { Clock } from '@moorage/server';
import { z } from 'zod';
import { CopyStoreError } from './copy-store';

const ANSWERS_WITHIN_MS = 60_000;

/**
 * Removes every file of a repository at the target, regardless of its state. restic would have to open the repository,
 * and would leave its keys and configuration behind. `config` is removed last, so that an interrupted removal leaves a
 * repository.
 */
export abstract class TargetFiles {
  abstract removeAll(ref: string, signal: AbortSignal): Promise<void>;
}

export const targetFilesOf = (target: BackupTarget, clock: Clock): TargetFiles =>
  target.kind === 'rest' ? new RestFiles(target) : new S3Files(target, clock);

/** Sends a request. Throws CopyStoreError if it fails or the status is not 2xx or 404. */
async function request(
  url: URL,
  options: { readonly method: 'GET' | 'DELETE'; readonly headers: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<{ readonly found: boolean; readonly text: string }> {
  try {
    const answer = await fetch(url, {
      ...options,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWERS_WITHIN_MS)]),
    });
    const text = await answer.text();
    if (answer.ok || answer.status === 404) return { found: answer.ok, text };
    const problem = [401, 403].includes(answer.status) ? 'refused' : answer.status >= 500 ? 'silent' : 'failed';
    throw new CopyStoreError(problem, `the target responded with ${answer.status} to ${options.method}`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CopyStoreError) throw error;
    throw new CopyStoreError('silent', `the target did not respond to ${options.method}`);
  }
}

/** https://restic.readthedocs.io/en/stable/100_references.html#rest-backend */
const REST_TYPES = ['locks', 'snapshots', 'index', 'data', 'keys'];
const restNames = z.array(z.object({ name: z.string().regex(/^[0-9a-f]{64}$/) }));

class RestFiles extends TargetFiles {
  private readonly url: URL;
  private readonly login: string;

  constructor({ url, user, password }: Extract<BackupTarget, { kind: 'rest' }>) {
    super();
    this.url = url;
    this.login = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  }

  async removeAll(ref: string, signal: AbortSignal): Promise<void> {
    for (const type of REST_TYPES) {
      const { found, text } = await this.send('GET', `${ref}/${type}/`, signal);
      if (!found) continue;
      for (const { name } of namesIn(text)) await this.send('DELETE', `${ref}/${type}/${name}`, signal);
    }
    await this.send('DELETE', `${ref}/config`, signal);
  }

  private send(method: 'GET' | 'DELETE', path: string, signal: AbortSignal): ReturnType<typeof request> {
    const headers = { authorization: this.login, accept: 'application/vnd.x.restic.rest.v2' };
    return request(new URL(path, this.url), { method, headers }, signal);
  }
}

function namesIn(text: string): { name: string }[] {
  try {
    // An empty list is returned as `null`.
    return restNames.parse(JSON.parse(text) ?? []);
  } catch {
    throw new CopyStoreError('failed', 'the response of the target is not a list of files');
  }
}

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html, with path-style addresses, which every S3 API
 * accepts.
 */
class S3Files extends TargetFiles {
  constructor(
    private readonly target: Extract<BackupTarget, { kind: 's3' }>,
    private readonly clock: Clock,
  ) {
    super();
  }

  async removeAll(ref: string, signal: AbortSignal): Promise<void> {
    const [, bucket = '', ...folders] = this.target.url.pathname.split('/').map(decodeURIComponent);
    const prefix = [...folders, ref, ''].join('/');
    for (;;) {
      const { text } = await this.send('GET', bucket, { 'list-type': '2', 'max-keys': '1000', prefix }, signal);
      const files = [...text.matchAll(/<Key>([^<]*)<\/Key>/g)]
        .map(([, key = '']) => key.slice(key.lastIndexOf(`/${ref}/`) + ref.length + 2))
        .filter((file) => file !== 'config');
      for (const file of files.length === 0 ? ['config'] : files) {
        if (!/^[\w/-]+$/.test(file))
          throw new CopyStoreError('failed', 'the target lists a file that does not belong to restic');
        await this.send('DELETE', `${bucket}/${prefix}${file}`, {}, signal);
      }
      if (files.length === 0) return;
    }
  }

  private send(
    method: 'GET' | 'DELETE',
    path: string,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): ReturnType<typeof request> {
    const url = new URL(this.target.url);
    url.pathname = path.split('/').map(encoded).join('/');
    url.search = Object.entries(query)
      .map(([name, value]) => `${name}=${encoded(value)}`)
      .join('&');
    return request(url, { method, headers: signed(method, url, this.target, this.clock.systemNow()) }, signal);
  }
}

/** Percent-encodes everything except letters, digits and `-._~`, as AWS signatures require. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * Returns the headers of a request signed with AWS Signature Version 4:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html
 */
export function signed(
  method: string,
  { pathname, search, host }: URL,
  { keyId, key, region }: Pick<Extract<BackupTarget, { kind: 's3' }>, 'keyId' | 'key' | 'region'>,
  now: number,
  content = '',
): Record<string, string> {
  const at = `${new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  const scope = `${at.slice(0, 8)}/${region}/s3/aws4_request`;
  const body = sha256(content);
  const headers = `host:${host}\nx-amz-content-sha256:${body}\nx-amz-date:${at}\n`;
  const names = 'host;x-amz-content-sha256;x-amz-date';
  const canonical = [method, pathname, search.slice(1), headers, names, body].join('\n');
  const signingKey = scope.split('/').reduce<string | Buffer>((so, part) => hmac(so, part), `AWS4${key}`);
  const signature = hmac(signingKey, `AWS4-HMAC-SHA256\n${at}\n${scope}\n${sha256(canonical)}`).toString('hex');
  return {
    'x-amz-content-sha256': body,
    'x-amz-date': at,
    authorization: `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}
