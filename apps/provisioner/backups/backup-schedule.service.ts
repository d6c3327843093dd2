import { MAINTAIN_COPIES_WORK } from '@moorage/contracts';
import { Alerts, countStaleBackups, Deployments, requestBackup } from '@moorage/database';
import { BACKED_UP, HOUR_MS, iso, nextBackupAt } from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { BackupPlans } from './backup-plans.service';

/** Maximum number of rows per tick. The remaining rows are handled by the next tick. */
const BATCH = 100;
const PAGE = 1_000;

/**
 * Finds due backups in any status of the deployment, because the backup itself waits while the server is being changed.
 * While another backup waits or runs, the daily backup stays due.
 */
const DUE = `
select d.id, d.ref from backup_repositories r join deployments d on d.id = r.deployment_id
where r.due_at <= $1 and not exists (
  select from backups b where b.deployment_id = d.id and b.state in ('waiting', 'running')
) order by r.due_at limit ${BATCH} for update of d`;

/**
 * Claims repositories that are due for maintenance. They become due again after an hour if the maintenance does not
 * finish.
 */
const TAKE = `
update backup_repositories set tend_at = $2 where deployment_id = any(array(
  select deployment_id from backup_repositories where tend_at <= $1 order by tend_at limit ${BATCH} for update skip locked
)) returning deployment_id as id`;

/** Finds deployments with data from before a restore on their server. */
const UNTIDY = `select deployment_id as id from restores where tidy_at <= $1 order by tidy_at limit ${BATCH}`;

/**
 * Reads one page of deployments without a plan. They were created by an earlier version, or before a backup target
 * existed.
 */
const TO_ADOPT = `
select id from deployments where id > $1 and id <= $1 + ${PAGE} and support_level > 1 and status = any($2)
  and not exists (select from backup_repositories where deployment_id = deployments.id and due_at is not null) order by id`;

/** Requests daily backups, schedules the maintenance of copies, and raises an alert for deployments without a recent copy. */
@Injectable()
export class BackupSchedule {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly work: WorkSchedule,
    private readonly alerts: Alerts,
    private readonly plans: BackupPlans,
  ) {}

  /** Runs every minute. */
  async run(): Promise<void> {
    await this.db.tx('backups.ask', (tx) => this.request(tx));
    await this.db.tx('backups.tend', (tx) => this.tend(tx));
    await this.db.tx('backups.stale', (tx) => this.evaluate(tx));
  }

  /** Plans backups at the start of the process for deployments that have no pending event. */
  async adopt(): Promise<void> {
    const [last] = await this.db.tx('backups.last', (tx) =>
      tx.query<{ id: number | null }>('select max(id) as id from deployments'),
    );
    for (let from = 0; from < (last?.id ?? 0); from += PAGE) {
      const page = await this.db.tx('backups.page', (tx) => tx.query<{ id: number }>(TO_ADOPT, [from, BACKED_UP]));
      for (const { id } of page)
        await this.db.tx('backups.adopt', async (tx) => {
          const row = await this.deployments.lock(tx, id);
          if (row !== null) await this.plans.follow(tx, row);
        });
    }
  }

  private async request(tx: Tx): Promise<void> {
    const now = await this.clock.now(tx);
    for (const { id, ref } of await tx.query<{ id: number; ref: string }>(DUE, [iso(now)])) {
      const backup = await requestBackup(tx, this.work, { deploymentId: id, kind: 'scheduled', at: now });
      if (backup === null) continue;
      await tx.execute('update backup_repositories set due_at = $2 where deployment_id = $1', [
        id,
        iso(nextBackupAt(ref, now)),
      ]);
    }
  }

  private async tend(tx: Tx): Promise<void> {
    const now = await this.clock.now(tx);
    const untended = await tx.query<{ id: number }>(TAKE, [iso(now), iso(now + HOUR_MS)]);
    const untidy = await tx.query<{ id: number }>(UNTIDY, [iso(now)]);
    await this.work.scheduleMany(
      tx,
      [...new Set([...untended, ...untidy].map(({ id }) => id))].map((id) => ({
        kind: MAINTAIN_COPIES_WORK,
        key: String(id),
        due_at: now,
      })),
    );
  }

  /** Raises one alert for all deployments. The administrators' page lists them. */
  private async evaluate(tx: Tx): Promise<void> {
    const now = await this.clock.now(tx);
    const count = await countStaleBackups(tx, now);
    if (count > 0) await this.alerts.raise(tx, { kind: 'backups_stale', facts: { deployments: count } });
    else await this.alerts.resolve(tx, { kind: 'backups_stale' });
  }
}
