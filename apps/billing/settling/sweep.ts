import { type Instant, iso } from '@moorage/domain';
import type { Clock, Db } from '@moorage/server';
import type { SettleOne } from './settle-one';

export interface Sweep {
  /** Settles every account in which something is due by `at`: a hold's end, a credit's end. */
  settleDue(options?: { at?: Instant | undefined }): Promise<SweepResult>;
  /** Settles accounts with an interval that is closed and not reckoned up: what comes back may pay the next night. */
  settleClosed(options?: { at?: Instant | undefined }): Promise<SweepResult>;
  /** Settles what no event brought: a first charge not posted, a closed interval not reckoned up. */
  settleForgotten(options?: { at?: Instant | undefined }): Promise<SweepResult>;
}

export interface SweepResult {
  readonly settled: number;
  readonly failed: number;
}

const BATCH = 500;

/** Ends of holds and credits that the books do not show yet. */
const DUE = `
select distinct user_id from (
  select user_id from meters where held_on is not null and hold_ends_at <= $1
  union all
  select user_id from credits where expired_at is null and expires_at <= $1
) due
where user_id > $2 order by user_id limit ${BATCH}`;

/** A lost server of which billing has not heard yet. */
const CLOSED = `
select distinct m.user_id from meters m join deployments d on d.id = m.deployment_id
where not m.reckoned and d.billable_to <= $1 and m.user_id > $2
order by m.user_id limit ${BATCH}`;

/**
 * What should have been settled: a first charge or an end whose event is late or lost, and whatever lies behind a run
 * that is finished (an operator may have run days ahead before the deployment began).
 */
const FORGOTTEN = `
select distinct m.user_id from meters m join deployments d on d.id = m.deployment_id
left join billing_runs r on r.day = ($1::timestamptz at time zone 'UTC')::date and r.finished_at is not null
where not m.reckoned and m.user_id > $2
  and (d.billable_to <= $1
    or (m.held_on is null and d.billable_from <= $1 and (m.charged_through is null or m.charged_through < r.day)))
order by m.user_id limit ${BATCH}`;

export function createSweep({ db, clock, settleOne }: { db: Db; clock: Clock; settleOne: SettleOne }): Sweep {
  /** By user id, each once: an account that throws is met again in the next sweep, not in this one. */
  async function sweep(sql: string, at: Instant | undefined): Promise<SweepResult> {
    let settled = 0;
    let failed = 0;
    for (let after = 0; ;) {
      const users = await db.tx('billing.look', async (tx) => {
        const rows = await tx.query<{ user_id: number }>(sql, [iso(at ?? (await clock.now(tx))), after]);
        return rows.map(({ user_id }) => user_id);
      });
      for (const userId of users) {
        if (await settleOne(userId, at)) settled += 1;
        else failed += 1;
      }
      const last = users.at(-1);
      if (last === undefined || users.length < BATCH) return { settled, failed };
      after = last;
    }
  }

  return {
    settleDue: ({ at } = {}) => sweep(DUE, at),
    settleClosed: ({ at } = {}) => sweep(CLOSED, at),
    settleForgotten: ({ at } = {}) => sweep(FORGOTTEN, at),
  };
}
