import { CHECK_VPS_WORK, DECIDE_LEAK_WORK, FIND_LEAKS_WORK, RECONCILE_WORK, RUN_WORK } from '@moorage/contracts';
import { Deployments, type Run, type Deployment } from '@moorage/database';
import { CLOUD_NAMES, type CloudName, DAY_MS, iso } from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { RunLifecycle } from './run-lifecycle.service';

/** Maximum number of rows per tick. The remaining rows are handled by the next tick. */
const BATCH = 100;

/** Retention of checks. A passed check is valid for a day, but its result may be queried for longer. */
const CHECKS_RETENTION_MS = 30 * DAY_MS;

/**
 * Ids increase over time, so only the oldest rows are read, regardless of the total number. The password for sudo on a
 * server that was checked but not ordered is removed with its check.
 */
const FORGET_CHECKS = `
with gone as (
  delete from vps_checks where id in (
    select id from (select id, answered_at from vps_checks order by id limit ${BATCH}) oldest where answered_at < $1
  ) returning id, user_id, address
)
delete from secrets s using gone g
where s.owner = 'own_server:' || g.user_id and s.name = 'sudo_password_' || host(g.address)
  and not exists (select 1 from vps_checks c where c.user_id = g.user_id and c.address = g.address and c.answered_at >= $1)
  and not exists (select 1 from deployments d where d.vps_ip_address = g.address and d.server_type = 'vps'
    and d.status not in ('DESTROYED', 'DELETED'))`;

/** Starts what events and work should have started. It reads only the rows, as if no event had ever arrived. */
@Injectable()
export class RecoverySweep {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly lifecycle: RunLifecycle,
    private readonly work: WorkSchedule,
  ) {}

  /**
   * Checks these providers immediately instead of minutes later, because their credentials may have changed with the
   * restart.
   */
  async checkAllNow(providers: readonly CloudName[]): Promise<void> {
    await this.db.tx('sweep.look-now', async (tx) => {
      const due_at = await this.clock.now(tx);
      await this.work.scheduleMany(
        tx,
        providers.map((key) => ({ kind: RECONCILE_WORK, key, due_at })),
      );
    });
  }

  /**
   * Finds deployments that need a run and have none, runs, checks and decisions about leaks without work, and
   * reconciliations and leak checks that are not scheduled. It only schedules what it finds. Deletes old checks.
   */
  async run(): Promise<void> {
    for (const id of await this.db.tx('sweep.read', untended)) {
      await this.db.tx('sweep.tend', async (tx) => {
        const row = await this.deployments.lock(tx, id);
        if (row !== null) await this.lifecycle.ensureRun(tx, row, await this.clock.now(tx));
      });
    }
    await this.db.tx('sweep.work', async (tx) => {
      const now = await this.clock.now(tx);
      const idle = await tx.query<Pick<Run, 'id'>>(
        `select r.id from runs r where r.state = 'running'
           and not exists (select 1 from work w where w.kind = $1 and w.key = r.id::text) order by r.id limit ${BATCH}`,
        [RUN_WORK],
      );
      await this.work.scheduleMany(
        tx,
        idle.map(({ id }) => ({ kind: RUN_WORK, key: String(id), due_at: now })),
      );
      const requested = await tx.query<Pick<Deployment, 'id'>>(
        `select c.id from vps_checks c where c.state = 'asked'
           and not exists (select 1 from work w where w.kind = $1 and w.key = c.id::text) order by c.id limit ${BATCH}`,
        [CHECK_VPS_WORK],
      );
      await this.work.scheduleMany(
        tx,
        requested.map(({ id }) => ({ kind: CHECK_VPS_WORK, key: String(id), due_at: now })),
      );
      const decided = await tx.query<{ id: number }>(
        `select l.id from cloud_leaks l where l.state in ('removing', 'adopting')
           and not exists (select 1 from work w where w.kind = $1 and w.key = l.id::text) order by l.id limit ${BATCH}`,
        [DECIDE_LEAK_WORK],
      );
      await this.work.scheduleMany(
        tx,
        decided.map(({ id }) => ({ kind: DECIDE_LEAK_WORK, key: String(id), due_at: now })),
      );
      const missing = await tx.query<{ kind: string; name: string }>(
        `select kind, name from unnest($1::text[]) name, unnest($2::text[]) kind
         where not exists (select 1 from work w where w.kind = kind.kind and w.key = name)`,
        [CLOUD_NAMES, [RECONCILE_WORK, FIND_LEAKS_WORK]],
      );
      await this.work.scheduleMany(
        tx,
        missing.map(({ kind, name }) => ({ kind, key: name, due_at: now })),
      );
      await tx.execute(FORGET_CHECKS, [iso(now - CHECKS_RETENTION_MS)]);
    });
  }
}

async function untended(tx: { query<R extends object>(sql: string): Promise<R[]> }): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select d.id from deployments d
     where (d.status in ('CREATING', 'PROVISIONING', 'DNS_VALIDATION', 'RESTARTING', 'DESTROYING')
         or (d.status = 'FAILED' and d.server_exists and d.lost_from is null
           and (d.server_type = 'new' or not exists
             (select 1 from runs c where c.deployment_id = d.id and c.plan = 'destroy' and c.memory ->> 'clean_up' = 'true')))
         or (d.status = 'DNS_FAILED' and not exists
           (select 1 from work w where w.kind = 'dns-check' and w.key = d.id::text)))
       and not exists (select 1 from runs r where r.deployment_id = d.id and r.state = 'running')
     order by d.id limit ${BATCH}`,
  );
  return rows.map(({ id }) => id);
}
