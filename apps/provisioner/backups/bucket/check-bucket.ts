import { request } from 'node:https';
import { BACKUP_MESSAGES, bucketHost, type Message } from '@moorage/domain';
import type { Clock, Random } from '@moorage/server';
import { encoded, signed } from '../target-files';
import { type Bucket, BucketError } from './bucket-store';
import { NotPublic, type PublicRoute } from '@moorage/dns';

const ANSWERS_WITHIN_MS = 30_000;
/** Errors of S3 storage are only a few hundred bytes. */
const ANSWER_LENGTH_MAX = 64 * 1024;
const CONTENT_LENGTH = 32;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Checks the buckets of customers by writing, reading and deleting one small object directly through the S3 API. */
export class BucketCheck {
  constructor(
    private readonly route: PublicRoute,
    private readonly clock: Clock,
    private readonly random: Random,
    /** Certificate authorities that replace the default ones in tests. */
    private readonly ca?: string,
  ) {}

  /** Throws BucketError with the reason if the check fails. */
  async run(bucket: Bucket, signal: AbortSignal): Promise<void> {
    const content = `moorage ${this.random.text(CONTENT_LENGTH)}`;
    const written = await this.send('PUT', bucket, signal, content);
    if (!isDone(written)) throw refusal(bucket, written, BACKUP_MESSAGES.bucket_no_write);
    const read = await this.send('GET', bucket, signal);
    if (!isDone(read)) throw refusal(bucket, read, BACKUP_MESSAGES.bucket_no_read);
    // For example, the host answers every request with the same page.
    if (read.text !== content) throw strange(bucket, read.status);
    const deleted = await this.send('DELETE', bucket, signal);
    if (!isDone(deleted)) throw refusal(bucket, deleted, BACKUP_MESSAGES.bucket_no_delete);
  }

  private async send(
    method: 'PUT' | 'GET' | 'DELETE',
    bucket: Bucket,
    signal: AbortSignal,
    body?: string,
  ): Promise<Answer> {
    const { endpoint, folder, ref } = bucket;
    // The name is always the same, so the next check removes the object that an interrupted check left behind.
    const path = [bucket.bucket, ...folder.split('/').filter(Boolean), `moorage-check-${ref}`];
    const url = new URL(`${endpoint}/${path.map(encoded).join('/')}`);
    try {
      this.route.check(hostOf(bucket));
      const headers = signed(method, url, bucket, this.clock.systemNow(), body);
      return await this.exchange(url, { method, headers, body, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw new BucketError(unreached(error)({ host: hostOf(bucket) }), `${method}: ${codeOf(error)}`);
    }
  }

  /** Sends one request on its own connection, to an address that passed the address rule. Does not follow redirects. */
  private exchange(url: URL, { method, headers, body, signal }: Sent): Promise<Answer> {
    const options = {
      method,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body ?? '')) },
      agent: false as const,
      lookup: this.route.lookup,
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWERS_WITHIN_MS)]),
      ...(this.ca === undefined ? {} : { ca: this.ca }),
    };
    return new Promise((resolve, reject) => {
      const requested = request(url, options, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => {
          text += part;
          if (text.length > ANSWER_LENGTH_MAX) requested.destroy(new Error('the response is too long'));
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
        answer.on('error', reject);
      });
      requested.on('error', reject);
      requested.end(body);
    });
  }
}

interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

const isDone = ({ status }: Answer): boolean => status >= 200 && status < 300;
const hostOf = ({ endpoint }: Bucket): string => bucketHost(endpoint)?.host ?? endpoint;

/** Error codes of node:tls for certificates that are not trusted or belong to another host. */
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/;

function unreached(error: unknown) {
  if (error instanceof NotPublic) return BACKUP_MESSAGES.bucket_not_public;
  return CERTIFICATE.test(codeOf(error)) ? BACKUP_MESSAGES.bucket_certificate : BACKUP_MESSAGES.bucket_silent;
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : String(error);
}

const strange = (bucket: Bucket, status: number): BucketError =>
  new BucketError(BACKUP_MESSAGES.bucket_strange({ host: hostOf(bucket), status }));

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
function refusal(bucket: Bucket, { status, text }: Answer, denied: Message): BucketError {
  const [, code = ''] = /<Code>(\w{1,60})<\/Code>/.exec(text) ?? [];
  const as = (reason: Message): BucketError => new BucketError(reason, `${status} ${code}`);
  switch (code) {
    case 'NoSuchBucket':
      return as(BACKUP_MESSAGES.bucket_unknown({ bucket: bucket.bucket }));
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
      return as(BACKUP_MESSAGES.bucket_refused);
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
      return as(BACKUP_MESSAGES.bucket_other_region({ region: bucket.region }));
    case 'QuotaExceeded':
    case 'XMinioStorageFull':
      return as(BACKUP_MESSAGES.bucket_full);
  }
  if (status === 401) return as(BACKUP_MESSAGES.bucket_refused);
  if (status === 403) return as(denied);
  if (status === 507) return as(BACKUP_MESSAGES.bucket_full);
  return strange(bucket, status);
}
