import { backupSecrets, deploymentSecrets, event, MAINTAIN_COPIES_WORK } from '@moorage/contracts';
import { Alerts, type DeploymentRow, Deployments } from '@moorage/database';
import {
  BACKED_UP,
  BACKUP_DAYS,
  BUCKET_COPY_MAX_MS,
  type BackupKind,
  copiesToRemove,
  type CopyToRemove,
  displayName,
  HOUR_MS,
  type Instant,
  iso,
} from '@moorage/domain';
import { assertLease, type Claim, Outbox, type Outcome } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, Log, Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { runningRun } from '../runs/run-store';
import { findServer, type ServerRow } from '../server-store/server-store';
import { BackupOptions } from './backup-options';
import { CopyStoreError } from './copy-store';
import { CopyStores } from './copy-stores';
import { HostCopies } from './host-copies.service';
import { type CopySet, type StoredCopy, ProveCopies } from './prove-copies.use-case';
import { Repositories } from './backup-repositories.service';

/** A deployment whose server still holds the data from before a restore although its retention period has ended. */
interface Untidy {
  readonly deployment: DeploymentRow;
  readonly server: ServerRow | null;
  readonly restoreId: number;
  readonly now: Instant;
}

interface Loaded extends CopySet {
  readonly isBusy: boolean;
}

const COPIES = `
select id, kind, started_at as "takenAt", snapshot_id as "snapshotId",
  coalesce(bytes, 0)::float8 as bytes, dumps from backups
where deployment_id = $1 and state = 'complete' order by id`;

/**
 * Finds a backup, a restore to this or another deployment, a move, an archive, or a copy into a customer's bucket in
 * progress. Nothing is removed while any of them uses the repository.
 */
const IN_USE = `
select 1 from backups where deployment_id = $1 and state in ('waiting', 'running')
union all
select 1 from restores r join backups b on b.id = r.backup_id where b.deployment_id = $1 and r.state = 'running'
union all
select 1 from moves where source_id = $1 and state = 'running'
union all
select 1 from backup_downloads where deployment_id = $1 and state = 'preparing'
union all
select 1 from backup_buckets where deployment_id = $1 and copying_since > $2
limit 1`;

/**
 * Maintains the copies of a deployment. Removes copies at the end of their retention by id and never by a restic
 * policy, because a compromised server may add copies with forged times. Verifies the remaining copies.
 */
@Injectable()
export class MaintainCopies {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly outbox: Outbox,
    private readonly secrets: Secrets,
    private readonly repositories: Repositories,
    private readonly stores: CopyStores,
    private readonly hostCopies: HostCopies,
    private readonly proofs: ProveCopies,
    private readonly alerts: Alerts,
    private readonly options: BackupOptions,
    private readonly log: Log,
  ) {}

  @HandlesWork(MAINTAIN_COPIES_WORK, { concurrency: 1 })
  async run(claim: Claim, signal: AbortSignal): Promise<Outcome> {
    const untidy = await this.db.tx('copies.tidy', (tx) => this.untidy(tx, claim));
    if (untidy !== null) return this.tidy(untidy, claim, signal);
    const loaded = await this.db.tx('copies.read', (tx) => this.load(tx, claim));
    if (loaded === null) return { done: true };
    const { now, isBusy } = loaded;
    if (isBusy) return { retry_at: now + HOUR_MS / 4, reason: 'the copies are in use' };
    try {
      return (
        (await this.removing(loaded, signal)) ??
        (await this.proofs.test(loaded, signal)) ??
        (await this.proofs.inspect(loaded, signal))
      );
    } catch (error) {
      if (signal.aborted) return { retry_at: now, reason: 'interrupted' };
      if (!(error instanceof CopyStoreError)) throw error;
      this.log.warn('copies could not be maintained', {
        deployment_id: loaded.deployment.id,
        problem: error.problem,
        reason: error.message,
      });
      return {
        retry_at: now + HOUR_MS,
        reason: `backup target: ${error.problem}`,
        commit: (tx) =>
          this.alerts.raise(tx, {
            kind: 'backup_target',
            facts: { problem: error.problem, deployment: loaded.deployment.id },
          }),
      };
    }
  }

  private async untidy(tx: Tx, claim: Claim): Promise<Untidy | null> {
    const id = Number(claim.key);
    const deployment = await this.deployments.lock(tx, id);
    const now = await this.clock.now(tx);
    const [restore] = await tx.query<{ id: number }>(
      'select id from restores where deployment_id = $1 and tidy_at <= $2 order by id limit 1',
      [id, iso(now)],
    );
    await assertLease(tx, claim);
    if (deployment === null || restore === undefined) return null;
    return { deployment, server: await findServer(tx, id), restoreId: restore.id, now };
  }

  private async load(tx: Tx, claim: Claim): Promise<Loaded | null> {
    const id = Number(claim.key);
    const deployment = await this.deployments.lock(tx, id);
    const found = await this.repositories.find(tx, id);
    if (deployment === null || found === null) return null;
    const now = await this.clock.now(tx);
    const inUse = await tx.query(IN_USE, [id, iso(now - BUCKET_COPY_MAX_MS)]);
    const run = await runningRun(tx, id);
    await assertLease(tx, claim);
    return {
      deployment,
      ...found,
      copies: await tx.query<StoredCopy>(COPIES, [id]),
      isBusy: inUse.length > 0 || run !== null,
      now,
    };
  }

  /**
   * Removes the data from before a restore from the server. If the server is gone, the data is gone with it. If the
   * server cannot be reached, removal is retried later and the maintenance of copies continues.
   */
  private async tidy(
    { deployment, server, restoreId, now }: Untidy,
    { fencingToken }: Claim,
    signal: AbortSignal,
  ): Promise<Outcome> {
    let isGone = !deployment.server_exists;
    if (BACKED_UP.includes(deployment.status)) {
      try {
        await this.hostCopies.forgetBefore({ deployment, server, fencingToken }, `r${restoreId}`, signal);
        isGone = true;
      } catch (error) {
        if (signal.aborted) return { retry_at: now, reason: 'interrupted' };
        const reason = error instanceof Error ? error.message : String(error);
        this.log.warn('data from before a restore could not be removed', { deployment_id: deployment.id, reason });
      }
    }
    return {
      retry_at: now,
      reason: 'the data from before a restore',
      commit: async (tx) => {
        await tx.execute(
          isGone
            ? 'update restores set undo_until = null, tidy_at = null where id = $1 and tidy_at <= $2'
            : `update restores set tidy_at = $2::timestamptz + interval '1 hour' where id = $1 and tidy_at <= $2`,
          [restoreId, iso(now)],
        );
      },
    };
  }

  /** Removes expired copies. Returns null if there is nothing to remove. */
  private async removing(loaded: Loaded, signal: AbortSignal): Promise<Outcome | null> {
    const { deployment, row, repository, copies, now } = loaded;
    const store = this.stores.of(repository.mode);
    const doomed = copiesToRemove({
      copies,
      days: BACKUP_DAYS[deployment.support_level],
      endsAt: row.ends_at,
      usedBytes: row.used_bytes,
      quotaBytes: this.options.quotaOf(deployment.support_level),
      now,
    });
    if (doomed.length > 0) {
      const snapshotIds = copies
        .filter(({ id }) => doomed.some((copy) => copy.id === id))
        .map((copy) => copy.snapshotId);
      await store.remove(repository, snapshotIds, signal);
      const usedBytes = await store.usedBytes(repository, signal);
      return {
        retry_at: now,
        reason: 'copies were removed',
        commit: (tx) => this.removed(tx, loaded, doomed, usedBytes),
      };
    }
    if (row.ends_at === null || now < row.ends_at || copies.length > 0) return null;
    await store.drop(repository, signal);
    return { done: true, commit: (tx) => this.dropped(tx, loaded) };
  }

  private async removed(
    tx: Tx,
    { deployment, row }: Loaded,
    doomed: readonly CopyToRemove[],
    used: number,
  ): Promise<void> {
    const at = await this.clock.now(tx);
    for (const { id, because } of doomed) {
      const [gone] = await tx.query<{ kind: BackupKind }>(
        `update backups set state = 'removed', removed_at = $2, removed_because = $3 where id = $1 and state = 'complete' returning kind`,
        [id, iso(at), because],
      );
      if (gone === undefined) continue;
      await this.outbox.append(
        tx,
        event('deployment.backup_changed', deployment.id, {
          deployment_id: deployment.id,
          user_id: deployment.user_id,
          client_name: displayName(deployment),
          backup_id: id,
          kind: gone.kind,
          state: 'removed',
          failure: null,
        }),
      );
    }
    await tx.execute('update backup_repositories set used_bytes = $2 where deployment_id = $1', [
      row.deployment_id,
      used,
    ]);
  }

  /**
   * Removes the keys after the last copy, including those of the customer's bucket, and the values intended for a new
   * deployment.
   */
  private async dropped(tx: Tx, { deployment }: Loaded): Promise<void> {
    const at = await this.clock.now(tx);
    const again = await this.deployments.lock(tx, deployment.id);
    await tx.execute(
      'update backup_repositories set removed_at = $2, used_bytes = 0, due_at = null, tend_at = null where deployment_id = $1 and ends_at <= $2',
      [deployment.id, iso(at)],
    );
    await tx.execute('delete from backup_buckets where deployment_id = $1', [deployment.id]);
    await this.secrets.remove(tx, backupSecrets(deployment.id));
    if (again?.status === 'DESTROYED' || again?.status === 'DELETED')
      await this.secrets.remove(tx, deploymentSecrets(deployment.id));
  }
}
