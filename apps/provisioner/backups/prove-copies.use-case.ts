import { event } from '@moorage/contracts';
import { Alerts, type BackupRepositoryRow, type DeploymentRow } from '@moorage/database';
import {
  BACKUP_MESSAGES,
  type BackupKind,
  DAY_MS,
  displayName,
  type Instant,
  iso,
  type Message,
  quotaNoticeDue,
  restoreTestDue,
} from '@moorage/domain';
import { Outbox, type Outcome } from '@moorage/messaging';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { BackupOptions } from './backup-options';
import { CopyStoreError, type CopyStoreProblem, type CopyToTest, type Repository } from './copy-store';
import { CopyStores } from './copy-stores';

export interface StoredCopy extends CopyToTest {
  readonly id: number;
  readonly kind: BackupKind;
  readonly takenAt: Instant;
}

/** The retained copies of a deployment and the state of their repository. */
export interface CopySet {
  readonly deployment: DeploymentRow;
  readonly row: BackupRepositoryRow;
  readonly repository: Repository;
  /** Sorted by age, oldest first. */
  readonly copies: readonly StoredCopy[];
  readonly now: Instant;
}

const CHECK_EVERY_MS = 7 * DAY_MS;
const CHECK_DATA_EVERY_MS = 28 * DAY_MS;

/** Problems that prove copies to be damaged. Any other problem is temporary and is retried. */
const FOUND_BY_CHECK: readonly CopyStoreProblem[] = ['damaged', 'password', 'missing'];
const FOUND_BY_TEST: readonly CopyStoreProblem[] = [...FOUND_BY_CHECK, 'failed'];

interface Proof {
  readonly name: 'check' | 'test';
  /** Finding of the previous proof. */
  readonly before: unknown;
  readonly failure: Message | null;
}

/** Proves that copies can be read: checks of the repository, and a restore of the newest copy. */
@Injectable()
export class ProveCopies {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly alerts: Alerts,
    private readonly stores: CopyStores,
    private readonly options: BackupOptions,
    private readonly log: Log,
  ) {}

  /** Runs the monthly restore test. Returns null if no test is due or possible. */
  async test(copySet: CopySet, signal: AbortSignal): Promise<Outcome | null> {
    const { deployment, row, repository, copies, now } = copySet;
    const newest = copies.at(-1);
    if (newest === undefined || !this.options.testsOf(repository.mode)) return null;
    const { created_at: createdAt, tested_at: testedAt, test_failure: failed } = row;
    if (!restoreTestDue({ createdAt, testedAt, failed: failed !== null, now })) return null;
    const began = this.clock.localNow();
    let bytes = 0;
    const failure = await this.found(copySet, FOUND_BY_TEST, BACKUP_MESSAGES.test_failed, async () => {
      const restored = await this.stores.of(repository.mode).test(repository, newest, signal);
      if (restored === null) return false;
      ({ bytes } = restored);
      return true;
    });
    if (failure === 'not_done') {
      this.log.warn('backup could not be tested', { deployment_id: deployment.id, bytes: newest.bytes });
      return null;
    }
    const ms = Math.max(0, Math.round(this.clock.localNow() - began));
    return {
      retry_at: now,
      reason: 'a copy was tested',
      commit: async (tx) => {
        await tx.execute(
          `update backup_repositories set tested_at = $2, test_failure = $3, test_bytes = $4, test_ms = $5
             where deployment_id = $1`,
          [deployment.id, iso(await this.clock.now(tx)), stored(failure), bytes, ms],
        );
        await this.notify(tx, copySet, { name: 'test', before: failed, failure });
      },
    };
  }

  /**
   * Runs the daily check for used bytes, lost copies and unknown copies. Once a week, also checks that the copies can
   * be read.
   */
  async inspect(copySet: CopySet, signal: AbortSignal): Promise<Outcome> {
    const { deployment, row, repository, copies, now } = copySet;
    const store = this.stores.of(repository.mode);
    const isDue = (last: Instant | null, every: number): boolean => now - (last ?? row.created_at) >= every;
    const data = isDue(row.data_checked_at, CHECK_DATA_EVERY_MS);
    const due = copies.length > 0 && (data || isDue(row.checked_at, CHECK_EVERY_MS));
    const checked = due
      ? await this.found(copySet, FOUND_BY_CHECK, BACKUP_MESSAGES.check_failed, async () => {
          await store.check(repository, { data }, signal);
          return true;
        })
      : 'not_done';
    const listed =
      copies.length === 0 ? [] : (await store.list(repository, signal)).map(({ snapshotId }) => snapshotId);
    const lost = copies.filter(({ snapshotId }) => !listed.includes(snapshotId));
    if (lost.length > 0)
      this.log.error('backups are missing at the target', { deployment_id: deployment.id, copies: lost.length });
    const failure = lost.length > 0 ? BACKUP_MESSAGES.check_failed : checked;
    const known = await this.db.tx('copies.known', (tx) => snapshotsOf(tx, deployment.id));
    const strange = listed.filter((snapshotId) => !known.includes(snapshotId)).length;
    const usedBytes = copies.length === 0 ? 0 : await store.usedBytes(repository, signal);
    const quotaBytes = this.options.quotaOf(deployment.support_level);
    const commit = async (tx: Tx): Promise<void> => {
      const subject = String(deployment.id);
      const at = iso(await this.clock.now(tx));
      await this.alerts.resolve(tx, { kind: 'backup_target' });
      await tx.execute(
        'update backup_repositories set used_bytes = $2, tend_at = least($3, ends_at) where deployment_id = $1',
        [deployment.id, usedBytes, iso(now + DAY_MS)],
      );
      if (strange > 0) await this.alerts.raise(tx, { kind: 'backup_strange', subject, facts: { copies: strange } });
      else await this.alerts.resolve(tx, { kind: 'backup_strange', subject });
      await this.alertQuota(tx, copySet, { usedBytes, quotaBytes });
      if (failure === 'not_done') return;
      await tx.execute(
        // Lost copies do not postpone the next check.
        `update backup_repositories set check_failure = $3,
           checked_at = case when $4 then $2 else coalesce(checked_at, $2) end,
           data_checked_at = case when $5 then $2 else data_checked_at end where deployment_id = $1`,
        [deployment.id, at, stored(failure), due, due && data],
      );
      await this.notify(tx, copySet, { name: 'check', before: row.check_failure, failure });
    };
    // The oldest copies are removed immediately, one at a time.
    return usedBytes > quotaBytes && copies.length > 1
      ? { retry_at: now, reason: 'the copies exceed the storage limit', commit }
      : { done: true, commit };
  }

  /** Returns the finding of a proof, or null if it passed. Rethrows temporary problems. */
  private async found(
    { deployment }: CopySet,
    problems: readonly CopyStoreProblem[],
    message: Message,
    prove: () => Promise<boolean>,
  ): Promise<Message | null | 'not_done'> {
    try {
      return (await prove()) ? null : 'not_done';
    } catch (error) {
      if (!(error instanceof CopyStoreError) || !problems.includes(error.problem)) throw error;
      const { problem, message: reason } = error;
      this.log.error('backups cannot be read', { deployment_id: deployment.id, problem, reason });
      return message;
    }
  }

  /** Alerts operators while the problem lasts, and notifies the owner when it begins. */
  private async notify(tx: Tx, { deployment, row }: CopySet, { name, before, failure }: Proof): Promise<void> {
    const subject = String(deployment.id);
    const other = name === 'check' ? row.test_failure : row.check_failure;
    if (failure !== null) await this.alerts.raise(tx, { kind: 'backup_damaged', subject, facts: { proof: name } });
    else if (other === null) await this.alerts.resolve(tx, { kind: 'backup_damaged', subject });
    if (failure === null || before !== null) return;
    await this.outbox.append(
      tx,
      event('deployment.backup_damaged', deployment.id, {
        deployment_id: deployment.id,
        user_id: deployment.user_id,
        client_name: displayName(deployment),
        failure,
      }),
    );
  }

  private async alertQuota(
    tx: Tx,
    { deployment, row }: CopySet,
    { usedBytes, quotaBytes }: { usedBytes: number; quotaBytes: number },
  ): Promise<void> {
    const now = await this.clock.now(tx);
    if (usedBytes <= quotaBytes || !quotaNoticeDue(row.quota_told_at, now)) return;
    await tx.execute('update backup_repositories set quota_told_at = $2 where deployment_id = $1', [
      deployment.id,
      iso(now),
    ]);
    await this.outbox.append(
      tx,
      event('deployment.backup_quota_exceeded', deployment.id, {
        deployment_id: deployment.id,
        user_id: deployment.user_id,
        client_name: displayName(deployment),
        used_bytes: usedBytes,
        quota_bytes: quotaBytes,
      }),
    );
  }
}

const stored = (failure: Message | null): string | null => (failure === null ? null : JSON.stringify(failure));

async function snapshotsOf(tx: Tx, deploymentId: number): Promise<string[]> {
  const rows = await tx.query<{ snapshot_id: string }>(
    'select snapshot_id from backups where deployment_id = $1 and snapshot_id is not null',
    [deploymentId],
  );
  return rows.map(({ snapshot_id }) => snapshot_id);
}
