import { KEEP_COPIES_WORK } from '@moorage/contracts';
import { Alerts, Deployments, requestBackup } from '@moorage/database';
import { BACKED_UP, BACKUP_STALE_MS, iso, nextBackupAt } from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { BackupPlans } from './backup-plans';

/** Rows looked at in one tick; the rest have their turn at the next. */
const BATCH = 100;
const PAGE = 1_000;

/** Due, whatever the deployment is doing: the backup itself waits for its turn. */
const DUE = `
select d.id, d.ref from backup_repositories r join deployments d on d.id = r.deployment_id
where r.due_at <= $1 order by r.due_at limit ${BATCH} for update of d`;

/** Repositories whose copies are looked after now, and servers that still hold the data from before a restore. */
const UNTENDED = `
(select deployment_id as id from backup_repositories where tend_at <= $1 order by tend_at limit ${BATCH})
union
(select deployment_id from restores where undo_until <= $1 and before_removed_at is null order by undo_until limit ${BATCH})`;

const STALE = `
select count(*)::int as count from backup_repositories where due_at is not null and coalesce(copied_at, created_at) < $1`;

/** By their ids, a page at a time: those that an earlier version made, or that had no backup target until now. */
const TO_ADOPT = `
select id from deployments where id > $1 and id <= $1 + ${PAGE} and support_level > 1 and status = any($2)
  and not exists (select from backup_repositories where deployment_id = deployments.id and due_at is not null) order by id`;

/** What the clock asks of backups: daily ones, a look after the copies, and whether a deployment has had none for too long. */
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

  /** Each minute. */
  async run(): Promise<void> {
    await this.db.tx('backups.ask', (tx) => this.ask(tx));
    await this.db.tx('backups.tend', (tx) => this.tend(tx));
    await this.db.tx('backups.stale', (tx) => this.judge(tx));
  }

  /** At the start: plans the backups of deployments that no event will speak of. */
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

  private async ask(tx: Tx): Promise<void> {
    const now = await this.clock.now(tx);
    for (const { id, ref } of await tx.query<{ id: number; ref: string }>(DUE, [iso(now)])) {
      await requestBackup(tx, this.work, { deploymentId: id, kind: 'scheduled', at: now });
      await tx.execute('update backup_repositories set due_at = $2 where deployment_id = $1', [
        id,
        iso(nextBackupAt(ref, now)),
      ]);
    }
  }

  private async tend(tx: Tx): Promise<void> {
    const now = await this.clock.now(tx);
    const rows = await tx.query<{ id: number }>(UNTENDED, [iso(now)]);
    await this.work.scheduleMany(
      tx,
      rows.map(({ id }) => ({ kind: KEEP_COPIES_WORK, key: String(id), due_at: now })),
    );
  }

  /** One alert for all of them: the page of administrators names each. */
  private async judge(tx: Tx): Promise<void> {
    const now = await this.clock.now(tx);
    const [row] = await tx.query<{ count: number }>(STALE, [iso(now - BACKUP_STALE_MS)]);
    const count = row?.count ?? 0;
    if (count > 0) await this.alerts.raise(tx, { kind: 'backups_stale', facts: { deployments: count } });
    else await this.alerts.resolve(tx, { kind: 'backups_stale' });
  }
}
