import { KEEP_COPIES_WORK } from '@moorage/contracts';
import { Alerts, requestBackup } from '@moorage/database';
import {
  BACKED_UP,
  BACKUP_DAYS,
  BACKUP_STALE_MS,
  BACKUPS_KEPT_AFTER_LEAVING_MS,
  DAY_MS,
  type DeploymentStatus,
  type Instant,
  iso,
  nextBackupAt,
  type SupportLevel,
} from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { BackupOptions } from './backup-options';

/** Rows looked at in one tick; the rest have their turn at the next. */
const BATCH = 100;

interface Planned {
  readonly id: number;
  readonly ref: string;
  readonly support_level: SupportLevel;
  readonly status: DeploymentStatus;
  readonly deleted_account: boolean;
}

/** Deployments that have backups by their level and none planned. */
const UNPLANNED = `
select d.id, d.ref from deployments d left join backup_repositories r on r.deployment_id = d.id
where d.support_level > 1 and d.status = any($1) and d.desired = 'running' and coalesce(d.cloud_provider, 'own') = any($2)
  and (r.deployment_id is null or r.due_at is null or r.ends_at is not null)
order by d.id limit ${BATCH} for update of d`;

/** Repositories of deployments that have left backups. */
const LEAVING = `
select d.id, d.ref, d.support_level, d.status from backup_repositories r join deployments d on d.id = r.deployment_id
where r.removed_at is null and r.ends_at is null
  and (d.support_level = 1 or d.status in ('DESTROYED', 'DELETED'))
order by d.id limit ${BATCH} for update of d`;

/** Due, whatever the deployment is doing: the backup itself waits for its turn. */
const DUE = `
select d.id, d.ref, d.status from backup_repositories r join deployments d on d.id = r.deployment_id
where r.due_at <= $1 and r.ends_at is null order by r.due_at limit ${BATCH} for update of d`;

/** Repositories that nobody has looked after for a day, or whose time is over, or with data from before a restore. */
const UNTENDED = `
select r.deployment_id as id from backup_repositories r
where r.removed_at is null and (r.tended_at is null or r.tended_at < $2 or r.ends_at <= $1)
union
select deployment_id from restores where undo_until <= $1 and before_removed_at is null
order by 1 limit ${BATCH}`;

const STALE = `
select count(*)::int as count from backup_repositories r join deployments d on d.id = r.deployment_id
where r.due_at is not null and d.status = any($2) and r.created_at < $1 and not exists (
  select from backups b where b.deployment_id = d.id and b.state = 'complete' and b.finished_at >= $1)`;

/** What the clock asks of backups: plans the daily ones, ends those of deployments that left, and looks for old copies. */
@Injectable()
export class BackupSchedule {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly work: WorkSchedule,
    private readonly alerts: Alerts,
    private readonly options: BackupOptions,
  ) {}

  /** Each minute. It reads the rows alone, so no event and no change of level can be missed. */
  async run(): Promise<void> {
    await this.db.tx('backups.plan', (tx) => this.plan(tx));
    await this.db.tx('backups.leave', (tx) => this.leave(tx));
    await this.db.tx('backups.ask', (tx) => this.ask(tx));
    await this.db.tx('backups.tend', (tx) => this.tend(tx));
    await this.db.tx('backups.stale', (tx) => this.judge(tx));
  }

  private async plan(tx: Tx): Promise<void> {
    const now = await this.clock.now(tx);
    for (const mode of ['real', 'simulated'] as const) {
      const places = this.options.placesOf(mode);
      if (places.length === 0) continue;
      for (const { id, ref } of await tx.query<Planned>(UNPLANNED, [BACKED_UP, places]))
        await tx.execute(
          `insert into backup_repositories (deployment_id, mode, created_at, due_at) values ($1, $2, $3, $4)
           on conflict (deployment_id) do update set due_at = $4, ends_at = null, removed_at = null`,
          [id, mode, iso(now), iso(nextBackupAt(ref, now))],
        );
    }
  }

  private async leave(tx: Tx): Promise<void> {
    const now = await this.clock.now(tx);
    for (const row of await tx.query<Planned>(LEAVING))
      await tx.execute('update backup_repositories set due_at = null, ends_at = $2 where deployment_id = $1', [
        row.id,
        iso(endOf(row, now)),
      ]);
  }

  private async ask(tx: Tx): Promise<void> {
    const now = await this.clock.now(tx);
    for (const { id, ref, status } of await tx.query<Planned>(DUE, [iso(now)])) {
      if (BACKED_UP.includes(status))
        await requestBackup(tx, this.work, { deploymentId: id, kind: 'scheduled', at: now });
      await tx.execute('update backup_repositories set due_at = $2 where deployment_id = $1', [
        id,
        iso(nextBackupAt(ref, now)),
      ]);
    }
  }

  private async tend(tx: Tx): Promise<void> {
    const now = await this.clock.now(tx);
    const rows = await tx.query<{ id: number }>(UNTENDED, [iso(now), iso(now - DAY_MS)]);
    await this.work.scheduleMany(
      tx,
      rows.map(({ id }) => ({ kind: KEEP_COPIES_WORK, key: String(id), due_at: now })),
    );
  }

  /** One alert for all of them: the page of administrators names each. */
  private async judge(tx: Tx): Promise<void> {
    const now = await this.clock.now(tx);
    const [row] = await tx.query<{ count: number }>(STALE, [iso(now - BACKUP_STALE_MS), BACKED_UP]);
    const count = row?.count ?? 0;
    if (count > 0) await this.alerts.raise(tx, { kind: 'backups_stale', facts: { deployments: count } });
    else await this.alerts.resolve(tx, { kind: 'backups_stale' });
  }
}

/** Copies of a deployment that is gone are kept as its level says; one that left for a level without backups keeps them for a week. */
function endOf({ status, support_level }: Planned, now: Instant): Instant {
  const gone = status === 'DESTROYED' || status === 'DELETED';
  const days = BACKUP_DAYS[support_level];
  return now + (gone && days > 0 ? days * DAY_MS : BACKUPS_KEPT_AFTER_LEAVING_MS);
}
