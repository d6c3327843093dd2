import { backupSecrets, deploymentSecrets, event, KEEP_COPIES_WORK } from '@moorage/contracts';
import { Alerts, Deployments } from '@moorage/database';
import {
  BACKED_UP,
  BACKUP_DAYS,
  type BackupKind,
  copiesToRemove,
  type CopyToRemove,
  displayName,
  HOUR_MS,
  iso,
} from '@moorage/domain';
import { assertLease, type Claim, Outbox, type Outcome } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, Log, Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { runningRun } from '../runs/run-store';
import { findServer, type ServerRow } from '../servers/servers';
import { BackupOptions } from './backup-options';
import { CopyStoreError } from './copy-store';
import { CopyStores } from './copy-stores';
import { HostCopies } from './host-copies';
import { type KeptCopies, type KeptCopy, ProveCopies } from './prove-copies';
import { Repositories } from './repositories';

interface Loaded extends KeptCopies {
  readonly server: ServerRow | null;
  /** A restore whose data from before is no longer kept. */
  readonly toTidy: number | null;
  readonly isBusy: boolean;
}

const COPIES = `
select id, kind, started_at as "takenAt", snapshot_id as "snapshotId",
  coalesce(bytes, 0)::float8 as bytes, dumps from backups
where deployment_id = $1 and state = 'complete' order by id`;

/** A backup, a restore onto this deployment or another one, or an archive: nothing is removed from under them. */
const IN_USE = `
select 1 from backups where deployment_id = $1 and state in ('waiting', 'running')
union all
select 1 from restores r join backups b on b.id = r.backup_id where b.deployment_id = $1 and r.state = 'running'
union all
select 1 from backup_downloads where deployment_id = $1 and state = 'preparing'
limit 1`;

/**
 * Looks after the copies of a deployment: removes those that are no longer kept, by their ids and never by a policy of
 * restic's, because a server that was taken over may add copies with invented times. Has the rest proven.
 */
@Injectable()
export class KeepCopies {
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

  @HandlesWork(KEEP_COPIES_WORK, { concurrency: 1 })
  async run(claim: Claim, signal: AbortSignal): Promise<Outcome> {
    const loaded = await this.db.tx('copies.read', (tx) => this.load(tx, claim));
    if (loaded === null) return { done: true };
    const { now, isBusy } = loaded;
    if (loaded.toTidy !== null) return this.tidy(loaded, loaded.toTidy, claim, signal);
    if (isBusy) return { retry_at: now + HOUR_MS / 4, reason: 'the copies are in use' };
    try {
      return (
        (await this.removing(loaded, signal)) ??
        (await this.proofs.test(loaded, signal)) ??
        (await this.proofs.look(loaded, signal))
      );
    } catch (error) {
      if (signal.aborted) return { retry_at: now, reason: 'interrupted' };
      if (!(error instanceof CopyStoreError)) throw error;
      this.log.warn('copies could not be looked after', {
        deployment_id: loaded.deployment.id,
        problem: error.problem,
        reason: error.message,
      });
      return {
        retry_at: now + HOUR_MS,
        reason: `the backup target: ${error.problem}`,
        commit: (tx) =>
          this.alerts.raise(tx, {
            kind: 'backup_target',
            facts: { problem: error.problem, deployment: loaded.deployment.id },
          }),
      };
    }
  }

  private async load(tx: Tx, claim: Claim): Promise<Loaded | null> {
    const id = Number(claim.key);
    const deployment = await this.deployments.lock(tx, id);
    const found = await this.repositories.find(tx, id);
    if (deployment === null || found === null) return null;
    const now = await this.clock.now(tx);
    const [restore] = await tx.query<{ id: number }>(
      'select id from restores where deployment_id = $1 and undo_until <= $2 and before_removed_at is null order by id limit 1',
      [id, iso(now)],
    );
    const inUse = await tx.query(IN_USE, [id]);
    const run = await runningRun(tx, id);
    await assertLease(tx, claim);
    return {
      deployment,
      server: await findServer(tx, id),
      ...found,
      copies: await tx.query<KeptCopy>(COPIES, [id]),
      toTidy: restore?.id ?? null,
      isBusy: inUse.length > 0 || run !== null,
      now,
    };
  }

  /** The data from before a restore is removed from the server; of one that is gone it went with it. */
  private async tidy(
    { deployment, server, now }: Loaded,
    restoreId: number,
    { fencingToken }: Claim,
    signal: AbortSignal,
  ): Promise<Outcome> {
    if (BACKED_UP.includes(deployment.status))
      await this.hostCopies.forgetBefore({ deployment, server, fencingToken }, `r${restoreId}`, signal);
    else if (deployment.server_exists) return { retry_at: now + HOUR_MS / 4, reason: 'the server is being changed' };
    return {
      retry_at: now,
      reason: 'the data from before a restore is gone',
      commit: (tx) =>
        tx
          .execute(
            `update restores set before_removed_at = $2, undo_until = null where id = $1 and state <> 'undoing'`,
            [restoreId, iso(now)],
          )
          .then(() => undefined),
    };
  }

  /** null: nothing is to be removed. */
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

  /** With the last copy the keys go, and what a new deployment would have been made of. */
  private async dropped(tx: Tx, { deployment }: Loaded): Promise<void> {
    const at = await this.clock.now(tx);
    const again = await this.deployments.lock(tx, deployment.id);
    await tx.execute(
      'update backup_repositories set removed_at = $2, used_bytes = 0, due_at = null, tend_at = null where deployment_id = $1 and ends_at <= $2',
      [deployment.id, iso(at)],
    );
    await this.secrets.remove(tx, backupSecrets(deployment.id));
    if (again?.status === 'DESTROYED' || again?.status === 'DELETED')
      await this.secrets.remove(tx, deploymentSecrets(deployment.id));
  }
}
