import { addDays, type Day, dayOf, type Instant, iso } from '@moorage/domain';
import { Metrics } from '@moorage/runtime';
import { Clock, Db, Log } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { BillingOptions } from '../billing-options';
import { AccountSettler } from '../settling/account-settler.service';
import { SettlementSweep } from '../settling/settlement-sweep.service';
import { type Chunk, chargeChunk, type ChunkResult, dueUsers, isFaultOfRow, writeCheckpoint } from './charge-chunk';

export interface RunResult {
  readonly days: readonly Day[];
  /** Days for which this call was the first to try every account. */
  readonly passed: readonly Day[];
  /** Charges posted set-based. `settled` counts the accounts settled individually. */
  readonly charged: number;
  readonly settled: number;
  /** Accounts that threw. Their chunks stay open and are retried on the next call. */
  readonly failed: number;
}

type Totals = Pick<RunResult, 'charged' | 'settled' | 'failed'>;

/** Longer than any outage. Older days are charged by `settleAccount`, account by account. */
const DAYS_MAX = 400;

@Injectable()
export class DailyRun {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly settler: AccountSettler,
    private readonly sweep: SettlementSweep,
    private readonly options: BillingOptions,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Charges every unfinished day due by `at` (by default the database's time), oldest first. Safe to call at any time,
   * repeatedly and concurrently. A finished day costs a single query. An account that throws keeps its day open, but
   * does not block other accounts on the next day. A chunk charges only accounts that have paid the day before, and
   * `settleAccount` charges the others day by day.
   */
  async runDays({ at }: { at?: Instant | undefined } = {}): Promise<RunResult> {
    const days = await this.db.tx('billing.days', async (tx) => {
      const today = dayOf(at ?? (await this.clock.now(tx)));
      const oldest = addDays(today, -DAYS_MAX);
      const open = await tx.query<{ day: Day }>(
        'select day from billing_runs where finished_at is null and day between $1 and $2 order by day',
        [oldest, today],
      );
      const [last] = await tx.query<{ day: Day }>('select day from billing_runs order by day desc limit 1');
      const from = last === undefined ? today : addDays(last.day, 1);
      return [...open.map(({ day }) => day), ...daysFrom(from < oldest ? oldest : from, today)];
    });
    let total: RunResult = { days: [], passed: [], charged: 0, settled: 0, failed: 0 };
    if (days.length > 0) total = { ...total, ...(await this.sweep.settleClosed({ at })) };
    for (const day of days) {
      const result = await this.runDay(day, at);
      total = {
        days: [...total.days, day],
        passed: result.passed ? [...total.passed, day] : total.passed,
        charged: total.charged + result.charged,
        settled: total.settled + result.settled,
        failed: total.failed + result.failed,
      };
    }
    return total;
  }

  private async runDay(day: Day, at: Instant | undefined): Promise<Totals & { passed: boolean }> {
    const { chunkUsers, workers } = this.options;
    const chunks = await this.db.tx('billing.plan', async (tx) => {
      const now = at ?? (await this.clock.now(tx));
      await tx.execute('insert into billing_runs (day, started_at) values ($1, $2) on conflict (day) do nothing', [
        day,
        iso(now),
      ]);
      const rows = await tx.query<{ first_user_id: number }>(
        `select first_user_id from generate_series(1, (select coalesce(max(user_id), 0) from wallets), $2::int) first_user_id
         where not exists (select 1 from billing_run_chunks c where c.day = $1 and c.first_user_id = first_user_id.first_user_id)`,
        [day, chunkUsers],
      );
      return rows.map(({ first_user_id: firstUserId }) => ({ firstUserId, lastUserId: firstUserId + chunkUsers - 1 }));
    });
    const totals = { charged: 0, settled: 0, failed: 0 };
    const busy: Chunk[] = [];
    const work = async (queue: Chunk[], wait: boolean): Promise<void> => {
      for (let chunk = queue.shift(); chunk !== undefined; chunk = queue.shift()) {
        const result = await this.runChunk(day, chunk, { at, wait });
        if (result === 'busy') busy.push(chunk);
        else {
          totals.charged += result.charged;
          this.metrics.charges.inc({ how: 'daily' }, result.charged);
          totals.settled += result.settled;
          totals.failed += result.failed;
        }
      }
    };
    await Promise.all(Array.from({ length: workers }, () => work(chunks, false)));
    await work(busy.splice(0), true);
    const passed = await this.db.tx('billing.finish', async (tx) => {
      const params = [day, iso(at ?? (await this.clock.now(tx)))];
      const newly = await tx.execute(
        'update billing_runs set passed_at = $2 where day = $1 and passed_at is null',
        params,
      );
      if (totals.failed === 0) {
        await tx.execute('update billing_runs set finished_at = $2 where day = $1 and finished_at is null', params);
      }
      return newly > 0;
    });
    if (totals.failed === 0)
      this.log.info('daily run finished', { day, charged: totals.charged, settled: totals.settled });
    return { ...totals, passed };
  }

  private async runChunk(
    day: Day,
    chunk: Chunk,
    { at, wait }: { at: Instant | undefined; wait: boolean },
  ): Promise<Totals | 'busy'> {
    const result = await this.chargeOrName(day, chunk, { at, wait });
    if (result.state === 'busy') return 'busy';
    if (result.state === 'finished') return { charged: 0, settled: 0, failed: 0 };
    let failed = 0;
    for (const userId of result.others) if (!(await this.settler.settle(userId, at))) failed += 1;
    const settled = result.others.length - failed;
    const isWritten = result.others.length === 0 && !result.oneByOne;
    if (!isWritten && failed === 0) {
      await this.db.tx('billing.checkpoint', async (tx) => {
        const now = at ?? (await this.clock.now(tx));
        await writeCheckpoint(tx, { day, chunk, charged: result.charged, settled, now });
      });
    }
    return { charged: result.charged, settled, failed };
  }

  /** Falls back to settling the accounts individually, because a single row must not block a whole chunk. */
  private async chargeOrName(
    day: Day,
    chunk: Chunk,
    { at, wait }: { at: Instant | undefined; wait: boolean },
  ): Promise<Exclude<ChunkResult, { state: 'charged' }> | (ChunkResult & { state: 'charged'; oneByOne: boolean })> {
    try {
      const result = await chargeChunk({ db: this.db, clock: this.clock }, { day, chunk, at, wait });
      return result.state === 'charged' ? { ...result, oneByOne: false } : result;
    } catch (error) {
      if (!isFaultOfRow(error)) throw error;
      this.log.error('chunk could not be charged at once; settling its accounts individually', {
        day,
        first_user_id: chunk.firstUserId,
        error,
      });
      return { state: 'charged', charged: 0, others: await dueUsers(this.db, day, chunk), oneByOne: true };
    }
  }
}

function daysFrom(from: Day, to: Day): Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}
