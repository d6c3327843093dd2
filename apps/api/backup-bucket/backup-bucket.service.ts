import {
  type BackupBucketAnswer,
  backupSecrets,
  BUCKET_KEY,
  BUCKET_KEY_ID,
  BUCKET_PASSWORD,
  BUCKET_SECRETS,
  COPY_TO_BUCKET,
  type NewBackupBucket,
  type Sent,
  toSent,
} from '@moorage/contracts';
import { type BackupBucketRow, type DeploymentRow, Deployments, findBucket } from '@moorage/database';
import { BACKUP_MESSAGES, type BucketPlace, DomainError, PASSWORD_LETTERS, refusalOfBucket } from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, Db, Random, Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { backedUp, refuse } from '../backups/backed-up';
import { bucketAnswer } from '../backups/backup-answers';
import { BackupPromises } from '../backup-policy/backup-promises.policy';
import { type DeploymentAct, DeploymentActs } from '../deployments/deployment-acts.service';
import { notFound } from '../deployments/deployment-view';
import type { Caller } from '../http/call-input';

const PASSWORD_LENGTH = 43;

/**
 * Saves a bucket. A new location starts without copies. New keys for the same location leave existing copies unchanged.
 */
const SAVE = `
insert into backup_buckets (deployment_id, endpoint, region, bucket, folder, state) values ($1, $2, $3, $4, $5, 'checking')
on conflict (deployment_id) do update set revision = backup_buckets.revision + 1, endpoint = $2, region = $3, bucket = $4,
  folder = $5, state = 'checking', checked_at = null, copying_since = null, failures = 0, retry_at = null,
  copied_at = case when $6 then null else backup_buckets.copied_at end,
  copied_backup_id = case when $6 then null else backup_buckets.copied_backup_id end,
  failure_reason = null, failure_code = null, failure_facts = null`;

const RECHECK = `
update backup_buckets set state = 'checking', failures = 0, retry_at = null, failure_reason = null, failure_code = null,
  failure_facts = null where deployment_id = $1`;

/** The customer's own bucket for the backups of a deployment. Only the owner sets, checks and removes it. */
@Injectable()
export class BackupBucket {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly secrets: Secrets,
    private readonly work: WorkSchedule,
    private readonly acts: DeploymentActs,
    private readonly deployments: Deployments,
    private readonly promises: BackupPromises,
  ) {}

  /**
   * Stores a bucket. The password is returned until a first copy is complete, so that a lost response can be repeated.
   */
  set(
    caller: Caller,
    id: number,
    { access_key_id, secret_access_key, ...place }: NewBackupBucket,
  ): Promise<{ bucket: BackupBucketAnswer; password: string | null }> {
    return this.db.tx('backup-bucket.set', async (tx) => {
      const { endpoint, region, bucket, folder } = place;
      const deployment = await this.begin(tx, caller, id, 'deployment.backup_bucket_set', { endpoint, bucket });
      refuse(refusalOfBucket(await backedUp(tx, deployment, this.promises)));
      const before = await findBucket(tx, id);
      const isNew = before === null || isElsewhere(before, place);
      await tx.execute(SAVE, [id, endpoint, region, bucket, folder, isNew]);
      const put = (name: string, value: string) => this.secrets.put(tx, backupSecrets(id), name, value);
      await put(BUCKET_KEY_ID, access_key_id);
      await put(BUCKET_KEY, secret_access_key);
      if (isNew) await put(BUCKET_PASSWORD, this.random.text(PASSWORD_LENGTH, PASSWORD_LETTERS));
      const row = await this.scheduled(tx, id);
      const password = row.copied_at === null ? await this.secrets.get(tx, backupSecrets(id), BUCKET_PASSWORD) : null;
      return { bucket: bucketAnswer(row, deployment.ref), password };
    });
  }

  /** Throws BACKUP_STATE without a bucket, and during a check or a copy. */
  check(caller: Caller, id: number): Promise<BackupBucketAnswer> {
    return this.db.tx('backup-bucket.check', async (tx) => {
      const deployment = await this.begin(tx, caller, id, 'deployment.backup_bucket_checked');
      const row = await findBucket(tx, id);
      if (row === null) throw noBucket();
      if (row.state === 'checking' || row.copying_since !== null) refuse(BACKUP_MESSAGES.bucket_busy);
      await tx.execute(RECHECK, [id]);
      return bucketAnswer(await this.scheduled(tx, id), deployment.ref);
    });
  }

  remove(caller: Caller, id: number): Promise<Sent> {
    return this.db.tx('backup-bucket.remove', async (tx) => {
      await this.begin(tx, caller, id, 'deployment.backup_bucket_removed');
      const removed = await tx.query('delete from backup_buckets where deployment_id = $1 returning 1', [id]);
      if (removed.length === 0) throw noBucket();
      for (const name of BUCKET_SECRETS) await this.secrets.removeOne(tx, backupSecrets(id), name);
      return toSent(BACKUP_MESSAGES.bucket_removed);
    });
  }

  /** Ignores administrator rights, because only the owner decides where the data goes. */
  private async begin(
    tx: Tx,
    { userId }: Caller,
    id: number,
    action: DeploymentAct,
    facts: object = {},
  ): Promise<DeploymentRow> {
    await this.acts.begin(tx, { id, viewer: { userId, isAdmin: false }, action, facts });
    const deployment = await this.deployments.lock(tx, id);
    if (deployment === null) throw notFound();
    return deployment;
  }

  private async scheduled(tx: Tx, id: number): Promise<BackupBucketRow> {
    await this.work.schedule(tx, { kind: COPY_TO_BUCKET, key: String(id), due_at: await this.clock.now(tx) });
    const row = await findBucket(tx, id);
    if (row === null) throw new Error('the backup bucket does not exist');
    return row;
  }
}

const isElsewhere = (before: BackupBucketRow, { endpoint, bucket, folder }: BucketPlace): boolean =>
  before.endpoint !== endpoint || before.bucket !== bucket || before.folder !== folder;

const noBucket = (): DomainError => new DomainError('BACKUP_STATE', BACKUP_MESSAGES.bucket_none);
