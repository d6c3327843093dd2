import { type Instant, iso } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { AccountSettler } from './account-settler.service';

export interface SweepResult {
  readonly settled: number;
  readonly failed: number;
}

const BATCH = 500;
/**
 * Number of user IDs per statement, for queries without an index of what is due. Keeps the cost independent of the
 * number of accounts.
 */
const STRETCH = 5_000;

/** Users with grace periods and credits that have ended but are not posted yet. */
const DUE = `
select distinct user_id from (
  select user_id from meters where grace_period_day is not null and grace_period_ends_at <= $1
  union all
  select user_id from credits where expired_at is null and expires_at <= $1
) due
where user_id > $2 order by user_id limit ${BATCH}`;

/** Reads deployments individually by ID. A join would read all deployments ever created for each range. */
const DEPLOYMENT_OF_METER = `cross join lateral (
  select billable_from, billable_to from deployments where id = m.deployment_id limit 1
) d`;

/** Users with a lost server for which billing has not received the event. */
const CLOSED = `
select distinct m.user_id from meters m
${DEPLOYMENT_OF_METER}
where not m.reckoned and d.billable_to <= $1 and m.user_id between $2 and $3
order by m.user_id`;

/**
 * Users with a first charge or an end whose event is late or lost, or with anything before a finished run. An operator
 * may have run days ahead before the deployment began.
 */
const FORGOTTEN = `
select m.user_id from meters m
${DEPLOYMENT_OF_METER}
left join billing_runs r on r.day = ($1::timestamptz at time zone 'UTC')::date and r.finished_at is not null
where not m.reckoned and m.user_id between $2 and $3
  and (d.billable_to <= $1
    or (m.grace_period_day is null and d.billable_from <= $1 and (m.charged_through is null or m.charged_through < r.day)))
union
select user_id from billing_failures where user_id between $2 and $3
order by user_id`;

/** Settles accounts that have something due, each once. An account that throws is retried by the next sweep. */
@Injectable()
export class SettlementSweep {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly settler: AccountSettler,
  ) {}

  /** Settles every account with a grace period or a credit that ended by `at`. */
  settleDue({ at }: { at?: Instant | undefined } = {}): Promise<SweepResult> {
    return this.sweepPages(DUE, at);
  }

  /**
   * Settles accounts with an interval that has ended but is not closed out. Its refund may pay for the next daily run.
   */
  settleClosed({ at }: { at?: Instant | undefined } = {}): Promise<SweepResult> {
    return this.sweepStretches(CLOSED, at);
  }

  /**
   * Settles accounts whose events were lost, with a first charge that is not posted or an ended interval that is not
   * closed out. Retries accounts that could not be settled.
   */
  settleForgotten({ at }: { at?: Instant | undefined } = {}): Promise<SweepResult> {
    return this.sweepStretches(FORGOTTEN, at);
  }

  private async settleAll(users: readonly number[], at: Instant | undefined): Promise<SweepResult> {
    let settled = 0;
    for (const userId of users) if (await this.settler.settle(userId, at)) settled += 1;
    return { settled, failed: users.length - settled };
  }

  private find(sql: string, at: Instant | undefined, params: readonly number[]): Promise<number[]> {
    return this.db.tx('billing.read', async (tx) => {
      const rows = await tx.query<{ user_id: number }>(sql, [iso(at ?? (await this.clock.now(tx))), ...params]);
      return rows.map(({ user_id }) => user_id);
    });
  }

  /** Processes the users that an index returns, by user ID. */
  private async sweepPages(sql: string, at: Instant | undefined): Promise<SweepResult> {
    const total = { settled: 0, failed: 0 };
    for (let after = 0; ;) {
      const users = await this.find(sql, at, [after]);
      add(total, await this.settleAll(users, at));
      const last = users.at(-1);
      if (last === undefined || users.length < BATCH) return total;
      after = last;
    }
  }

  /** Processes all accounts, a range at a time. */
  private async sweepStretches(sql: string, at: Instant | undefined): Promise<SweepResult> {
    const total = { settled: 0, failed: 0 };
    const last = await lastUserId(this.db);
    for (let first = 1; first <= last; first += STRETCH)
      add(total, await this.settleAll(await this.find(sql, at, [first, first + STRETCH - 1]), at));
    return total;
  }
}

function add(total: { settled: number; failed: number }, more: SweepResult): void {
  total.settled += more.settled;
  total.failed += more.failed;
}

/** Returns the last user ID, where an iteration over all accounts ends. */
export async function lastUserId(db: Db): Promise<number> {
  const [row] = await db.read('billing.last', (tx) =>
    tx.query<{ last: number | null }>('select max(user_id) as last from wallets'),
  );
  return row?.last ?? 0;
}
