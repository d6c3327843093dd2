import {
  backupSecrets,
  BUCKET_KEY,
  BUCKET_KEY_ID,
  BUCKET_PASSWORD,
  COPY_TO_BUCKET,
  event,
  MAINTAIN_COPIES_WORK,
} from '@moorage/contracts';
import { type BackupBucketRow, type DeploymentRow, Deployments, findBucket, messageColumns } from '@moorage/database';
import { bucketRetryAt, displayName, HOUR_MS, type Instant, iso, type Message, MINUTE_MS } from '@moorage/domain';
import { assertLease, type Claim, Outbox, type Outcome } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, Log, Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { BackupOptions } from '../backup-options';
import { CopyStoreError, type Repository } from '../copy-store';
import { CopyStores } from '../copy-stores';
import { Repositories } from '../backup-repositories.service';
import { type Bucket, BucketError, BucketStores } from './bucket-store';

interface CopyOfBackup {
  readonly id: number;
  readonly snapshot_id: string;
}

interface Loaded {
  readonly deployment: DeploymentRow;
  readonly row: BackupBucketRow;
  readonly bucket: Bucket;
  readonly mode: Repository['mode'];
  /** The repository of the deployment, or null if it has no backups yet. */
  readonly repository: Repository | null;
  /** Sorted by age, oldest first. */
  readonly copies: readonly CopyOfBackup[];
  readonly now: Instant;
}

/** Maximum number of concurrent copies per process, so that slow buckets of some customers do not block the others. */
const CONCURRENCY = 3;
/** Maximum number of copies per command. The remaining copies follow immediately. */
const NAMED_MAX = 50;
const BUSY_PAUSE_MS = 5 * MINUTE_MS;

/**
 * Finds the complete backups since the last backup in the bucket, or only the newest backup if the bucket has no
 * copies.
 */
const TO_COPY = `
select id, snapshot_id from backups
where deployment_id = $1 and state = 'complete' and id > coalesce($2,
  (select max(id) - 1 from backups where deployment_id = $1 and state = 'complete'), 0)
order by id limit ${NAMED_MAX}`;

/** Checks whether the copies are being removed or checked, which needs exclusive access to the repository. */
const IS_KEPT = `select 1 from work where kind = '${MAINTAIN_COPIES_WORK}' and key = $1 and leased_until > $2`;

/** Checks the buckets of customers and copies each complete backup into them. Platform backups never wait for it. */
@Injectable()
export class CopyToBucket {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly outbox: Outbox,
    private readonly secrets: Secrets,
    private readonly repositories: Repositories,
    private readonly stores: CopyStores,
    private readonly buckets: BucketStores,
    private readonly options: BackupOptions,
    private readonly log: Log,
  ) {}

  @HandlesWork(COPY_TO_BUCKET, { concurrency: CONCURRENCY })
  async run(claim: Claim, signal: AbortSignal): Promise<Outcome> {
    const loaded = await this.db.tx('bucket.read', (tx) => this.load(tx, claim));
    if (loaded === null) return { done: true };
    if ('busyUntil' in loaded) return { retry_at: loaded.busyUntil, reason: 'the copies are being maintained' };
    const store = this.buckets.of(loaded.mode);
    try {
      await store.check(loaded.bucket, signal);
      await this.copying(loaded, signal);
      return this.succeeding(loaded);
    } catch (error) {
      if (signal.aborted) return { retry_at: loaded.now, reason: 'interrupted' };
      if (error instanceof BucketError) return this.failing(loaded, error);
      if (error instanceof CopyStoreError) return this.waiting(loaded, error);
      await this.db.tx('bucket.stopped', (tx) => this.stopCopying(tx, loaded));
      throw error;
    }
  }

  private async load(tx: Tx, claim: Claim): Promise<Loaded | { readonly busyUntil: Instant } | null> {
    const id = Number(claim.key);
    const deployment = await this.deployments.lock(tx, id);
    const row = await findBucket(tx, id);
    if (deployment === null || row === null) return null;
    const found = await this.repositories.find(tx, id);
    const mode = found?.row.mode ?? this.options.modeOf(deployment);
    const bucket = await this.opened(tx, row, deployment.ref);
    if (bucket === null || mode === 'off') return null;
    const now = await this.clock.now(tx);
    const copies = found === null ? [] : await tx.query<CopyOfBackup>(TO_COPY, [id, row.copied_backup_id]);
    const stored = await tx.query(IS_KEPT, [claim.key, iso(now)]);
    if (copies.length > 0 && stored.length > 0) return { busyUntil: now + BUSY_PAUSE_MS };
    await tx.execute('update backup_buckets set copying_since = $2 where deployment_id = $1', [
      id,
      copies.length > 0 ? iso(now) : null,
    ]);
    await assertLease(tx, claim);
    return { deployment, row, bucket, mode, repository: found?.repository ?? null, copies, now };
  }

  private async opened(tx: Tx, row: BackupBucketRow, ref: string): Promise<Bucket | null> {
    const read = (name: string) => this.secrets.get(tx, backupSecrets(row.deployment_id), name);
    const keyId = await read(BUCKET_KEY_ID);
    const key = await read(BUCKET_KEY);
    const password = await read(BUCKET_PASSWORD);
    return keyId === null || key === null || password === null ? null : { ...row, keyId, key, password, ref };
  }

  /**
   * Throws CopyStoreError if the platform's own storage failed, so that the owner is not notified of a bucket failure.
   */
  private async copying({ mode, bucket, repository, copies }: Loaded, signal: AbortSignal): Promise<void> {
    if (repository === null || copies.length === 0) return;
    const own = this.stores.of(mode);
    const isThere = async (): Promise<Set<string>> =>
      new Set((await own.list(repository, signal)).map(({ snapshotId }) => snapshotId));
    const there = await isThere();
    const snapshotIds = copies.map(({ snapshot_id }) => snapshot_id).filter((snapshotId) => there.has(snapshotId));
    if (snapshotIds.length === 0) throw new CopyStoreError('missing', 'the copies are not at the backup target');
    try {
      await this.buckets.of(mode).copy(bucket, { repository, snapshotIds }, signal);
    } catch (error) {
      if (error instanceof BucketError) await isThere();
      throw error;
    }
  }

  private succeeding(loaded: Loaded): Outcome {
    const { copies, row, now } = loaded;
    const last = copies.at(-1);
    return {
      ...(copies.length === NAMED_MAX ? { retry_at: now, reason: 'there are more copies' } : { done: true as const }),
      commit: this.ifUnchanged(loaded, async (tx, at) => {
        await tx.execute(
          `update backup_buckets set state = 'ready', checked_at = $2, copying_since = null, failures = 0, retry_at = null,
             copied_at = coalesce($3, copied_at), copied_backup_id = coalesce($4, copied_backup_id),
             failure_reason = null, failure_code = null, failure_facts = null where deployment_id = $1`,
          [row.deployment_id, iso(at), last === undefined ? null : iso(at), last?.id ?? null],
        );
        await this.notify(tx, loaded, 'ready', null);
      }),
    };
  }

  /** Schedules another attempt if there is something to copy. Otherwise the next backup triggers one. */
  private failing(loaded: Loaded, { reason, message }: BucketError): Outcome {
    const { deployment, row, copies, now } = loaded;
    this.log.warn('backups could not be copied to the bucket of a customer', {
      deployment_id: deployment.id,
      failure: reason.code,
      reason: message,
    });
    const failures = row.failures + 1;
    const retryAt = copies.length === 0 ? null : bucketRetryAt(failures, now);
    return {
      ...(retryAt === null ? { done: true as const } : { retry_at: retryAt, reason: reason.detail }),
      commit: this.ifUnchanged(loaded, async (tx, at) => {
        await tx.execute(
          `update backup_buckets set state = 'failed', checked_at = $2, copying_since = null, failures = $3, retry_at = $4,
             failure_reason = $5, failure_code = $6, failure_facts = $7 where deployment_id = $1`,
          [row.deployment_id, iso(at), failures, retryAt === null ? null : iso(retryAt), ...messageColumns(reason)],
        );
        await this.notify(tx, loaded, 'failed', reason);
      }),
    };
  }

  /**
   * The bucket passed its check, so its state stays unchanged. The copy is made when the platform's own storage
   * answers.
   */
  private waiting(loaded: Loaded, { problem, message }: CopyStoreError): Outcome {
    this.log.warn('backups could not be read for the bucket of a customer', {
      deployment_id: loaded.deployment.id,
      problem,
      reason: message,
    });
    return {
      retry_at: loaded.now + HOUR_MS,
      reason: `backup target: ${problem}`,
      commit: this.ifUnchanged(loaded, (tx) => this.stopCopying(tx, loaded)),
    };
  }

  private async stopCopying(tx: Tx, { row }: Loaded): Promise<void> {
    await tx.execute('update backup_buckets set copying_since = null where deployment_id = $1 and revision = $2', [
      row.deployment_id,
      row.revision,
    ]);
  }

  private notify(
    tx: Tx,
    { deployment, row }: Loaded,
    state: BackupBucketRow['state'],
    failure: Message | null,
  ): Promise<void> {
    return this.outbox.append(
      tx,
      event('deployment.backup_bucket_changed', deployment.id, {
        deployment_id: deployment.id,
        user_id: deployment.user_id,
        client_name: displayName(deployment),
        bucket: row.bucket,
        state,
        failure,
        worked_before: state === 'failed' && row.state === 'ready',
      }),
    );
  }

  /** Stores nothing if the owner changed or removed the bucket in the meantime. */
  private ifUnchanged({ row }: Loaded, act: (tx: Tx, at: Instant) => Promise<void>): (tx: Tx) => Promise<void> {
    return async (tx) => {
      await this.deployments.lock(tx, row.deployment_id);
      const again = await findBucket(tx, row.deployment_id);
      if (again?.revision === row.revision) await act(tx, await this.clock.now(tx));
    };
  }
}
