import {
  BACKUP_MESSAGES,
  BUCKET_COPY_MAX_MS,
  bucketHost,
  bucketRepository,
  HOUR_MS,
  type Message,
} from '@moorage/domain';
import type { Clock, Random } from '@moorage/server';
import { CopyStoreError, type CopyStoreProblem, type Repository } from '../copy-store';
import type { Restic } from '../restic';
import type { ResticStore } from '../restic-store';
import { type Bucket, BucketError, BucketStore } from './bucket-store';
import { type BucketProxy, openBucketProxy } from './bucket-proxy';
import type { BucketCheck } from './check-bucket';
import type { PublicRoute } from '@moorage/dns';

const OPENS_WITHIN_MS = 2 * 60_000;

type Environment = Readonly<Record<string, string>>;

/** Copies between two repositories with real restic, on the platform. */
export class ResticBuckets extends BucketStore {
  constructor(
    private readonly restic: Restic,
    private readonly source: Pick<ResticStore, 'sourceOf'>,
    private readonly bucketCheck: BucketCheck,
    private readonly route: PublicRoute,
    private readonly parts: { readonly clock: Clock; readonly random: Random },
    /** Additional environment variables for restic in tests. */
    private readonly more: Environment = {},
  ) {
    super();
  }

  check(bucket: Bucket, signal: AbortSignal): Promise<void> {
    return this.bucketCheck.run(bucket, signal);
  }

  async copy(
    bucket: Bucket,
    { repository, snapshotIds }: { readonly repository: Repository; readonly snapshotIds: readonly string[] },
    signal: AbortSignal,
  ): Promise<void> {
    const from = await this.source.sourceOf(repository, signal);
    const host = bucketHost(bucket.endpoint)?.host ?? '';
    // Connections to the host of the source bypass the proxy and its address rule.
    if (isWithin(host, from.host)) throw new BucketError(BACKUP_MESSAGES.bucket_not_public({ host }));
    const until = this.parts.clock.localNow() + BUCKET_COPY_MAX_MS;
    const stop = new AbortController();
    // Without this, restic would retry for minutes.
    const proxy = await openBucketProxy(this.route, this.parts.random, () =>
      stop.abort(new BucketError(BACKUP_MESSAGES.bucket_not_public({ host }))),
    );
    const run = (args: readonly string[], timeoutMs: number): Promise<string> =>
      this.restic.run({
        args,
        timeoutMs,
        signal: AbortSignal.any([signal, stop.signal]),
        ref: bucket.ref,
        environment: { ...from.environment, ...environmentOf(bucket, proxy, from.host), ...this.more },
      });
    try {
      await open(run);
      await run(['copy', ...snapshotIds], BUCKET_COPY_MAX_MS);
    } catch (error) {
      if (!(error instanceof CopyStoreError)) throw error;
      const isSlow = this.parts.clock.localNow() >= until;
      const reason = isSlow
        ? BACKUP_MESSAGES.bucket_slow({ hours: BUCKET_COPY_MAX_MS / HOUR_MS })
        : REASONS[error.problem](host);
      throw new BucketError(reason, error.message);
    } finally {
      await proxy.close();
    }
  }
}

type Run = (args: readonly string[], timeoutMs: number) => Promise<string>;

async function isThere(run: Run): Promise<boolean> {
  try {
    await run(['cat', 'config', '--no-lock'], OPENS_WITHIN_MS);
    return true;
  } catch (error) {
    if (error instanceof CopyStoreError && error.problem === 'missing') return false;
    throw error;
  }
}

async function open(run: Run): Promise<void> {
  if (await isThere(run)) {
    // Locks of killed copies would prevent the owner from checking and pruning the repository.
    await run(['unlock'], OPENS_WITHIN_MS);
    return;
  }
  try {
    // With chunks of the same size, later copies add only what has changed.
    await run(['init', '--copy-chunker-params'], OPENS_WITHIN_MS);
  } catch (error) {
    // An interrupted attempt may have created it.
    if (!(error instanceof CopyStoreError) || !(await isThere(run))) throw error;
  }
}

/**
 * Builds restic's environment. The S3 client looks for cloud machine credentials with plain HTTP requests. These go to
 * the proxy and fail.
 */
function environmentOf(bucket: Bucket, proxy: BucketProxy, sourceHost: string): Environment {
  return {
    RESTIC_REPOSITORY: bucketRepository(bucket, bucket.ref),
    RESTIC_PASSWORD: bucket.password,
    AWS_ACCESS_KEY_ID: bucket.keyId,
    AWS_SECRET_ACCESS_KEY: bucket.key,
    AWS_DEFAULT_REGION: bucket.region,
    HTTPS_PROXY: proxy.url,
    HTTP_PROXY: proxy.url,
    NO_PROXY: sourceHost,
  };
}

/** Go's HTTP client bypasses the proxy for a host in NO_PROXY and for all its subdomains. */
const isWithin = (host: string, of: string): boolean => host === of || host.endsWith(`.${of}`);

/**
 * Messages for a problem of `restic copy`. The source was read shortly before, so the bucket is assumed to be at fault.
 */
const REASONS: Readonly<Record<CopyStoreProblem, (host: string) => Message>> = {
  silent: (host) => BACKUP_MESSAGES.bucket_silent({ host }),
  refused: () => BACKUP_MESSAGES.bucket_no_write,
  password: () => BACKUP_MESSAGES.bucket_password,
  missing: () => BACKUP_MESSAGES.bucket_failed,
  locked: () => BACKUP_MESSAGES.bucket_locked,
  full: () => BACKUP_MESSAGES.bucket_full,
  damaged: () => BACKUP_MESSAGES.bucket_damaged,
  failed: () => BACKUP_MESSAGES.bucket_failed,
};
