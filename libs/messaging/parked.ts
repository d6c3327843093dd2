import { type Clock, type Db, iso, type Tx } from '@moorage/server';
import { lockName } from './inbox';

/**
 * A delivery that failed too often. Its aggregate waits for an operator's decision in this consumer, while all other
 * aggregates continue.
 */
export interface ParkedDelivery {
  readonly consumer: string;
  readonly event_id: string;
  readonly stream: string;
  readonly event_name: string;
  readonly aggregate_id: string;
  readonly sequence: number;
  readonly attempts: number;
  /** Time in milliseconds. */
  readonly parked_at: number;
  /** Class and code of the last error, without its message. */
  readonly last_error: string | null;
  /** Number of deliveries waiting behind this delivery, counted up to 1000. */
  readonly behind: number;
}

export interface Decision {
  readonly consumer: string;
  readonly event_id: string;
  /** Operator who decided. Operator and reason are recorded. */
  readonly by: string;
  readonly reason: string;
}

/**
 * Result of a decision. `not_parked`: there is no such delivery, or it is already running again. `not_first`: an
 * earlier event arrived in the meantime, so the delivery can be retried but not skipped.
 */
export type Decided = 'done' | 'not_parked' | 'not_first';

export interface DecisionRecord {
  readonly action: 'event.retried' | 'event.skipped';
  readonly subject: string;
  readonly facts: Readonly<Record<string, string>>;
  /** Time in milliseconds. */
  readonly at: number;
}

/** Writes the audit record in the transaction of the decision. */
export type Audit = (tx: Tx, record: DecisionRecord) => Promise<void>;

interface ParkedRow {
  readonly stream: string;
  readonly event_name: string;
  readonly aggregate_id: string;
  readonly sequence: string;
}

export const RETRY_ALL_MAX = 1_000;
const PAGE = 50;
const PAGE_MAX = 200;

/** Operations on parked deliveries. Every decision is audited in its own transaction. */
export class Parked {
  constructor(private readonly options: { readonly db: Db; readonly clock: Clock; readonly audit: Audit }) {}

  /**
   * Lists parked deliveries, oldest first.
   *
   * @param page `after` is the last delivery of the previous page. `limit` is 1 to 200, 50 by default.
   */
  list({
    consumer,
    after,
    limit = PAGE,
  }: {
    consumer?: string;
    after?: Pick<ParkedDelivery, 'parked_at' | 'event_id'>;
    limit?: number;
  } = {}): Promise<ParkedDelivery[]> {
    return this.options.db.tx('parked.list', async (tx) => {
      const rows = await tx.query<Omit<ParkedDelivery, 'sequence'> & { sequence: string }>(LIST, [
        consumer ?? null,
        after === undefined ? null : iso(after.parked_at),
        after?.event_id ?? null,
        Math.min(Math.max(limit, 1), PAGE_MAX),
      ]);
      return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }));
    });
  }

  /**
   * Allows ten new attempts from now. If an earlier event of the aggregate is lost for good, the delivery proceeds
   * without it.
   */
  retry(decision: Decision): Promise<Decided> {
    return this.decide('retry', decision);
  }

  /**
   * Retries a consumer's deliveries that were parked at or after `since` (milliseconds), at most `RETRY_ALL_MAX` per
   * call. Deliveries of one aggregate are retried in order, and each retry is audited separately. `left` is true if
   * more parked deliveries remain.
   */
  async retryAll({
    consumer,
    since,
    by,
    reason,
  }: {
    consumer: string;
    since: number;
    by: string;
    reason: string;
  }): Promise<{ retried: number; left: boolean }> {
    const found = await this.options.db.tx('parked.list', (tx) =>
      tx.query<{ event_id: string }>(SINCE, [consumer, iso(since), RETRY_ALL_MAX + 1]),
    );
    let retried = 0;
    for (const { event_id } of found.slice(0, RETRY_ALL_MAX)) {
      // Another operator may have decided in the meantime.
      if ((await this.retry({ consumer, event_id, by, reason })) === 'done') retried += 1;
    }
    return { retried, left: found.length > RETRY_ALL_MAX };
  }

  /** Skips the delivery for good. The deliveries waiting behind it continue. */
  skip(decision: Decision): Promise<Decided> {
    return this.decide('skip', decision);
  }

  private decide(action: 'retry' | 'skip', { consumer, event_id, by, reason }: Decision): Promise<Decided> {
    const { db, clock, audit } = this.options;
    return db.tx(`parked.${action}`, async (tx) => {
      const [row] = await tx.query<ParkedRow>(PARKED, [consumer, event_id]);
      if (row === undefined) return 'not_parked';
      const { stream, aggregate_id } = row;
      await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
        lockName(consumer, stream, aggregate_id),
      ]);
      const [still] = await tx.query<ParkedRow>(`${PARKED} for update`, [consumer, event_id]);
      if (still === undefined) return 'not_parked';
      const before = Number(still.sequence) - 1;
      const [earlier] = await tx.query(EARLIER, [consumer, stream, aggregate_id, still.sequence]);
      if (earlier !== undefined && action === 'skip') return 'not_first';
      const now = await clock.now(tx);
      if (earlier === undefined) {
        await tx.execute(MOVE_ON, [consumer, stream, aggregate_id, action === 'skip' ? before + 1 : before]);
      }
      await tx.execute(action === 'skip' ? SKIP : RETRY, [consumer, event_id, iso(now)]);
      await audit(tx, {
        action: action === 'skip' ? 'event.skipped' : 'event.retried',
        subject: `${stream} ${aggregate_id} ${still.sequence}`,
        facts: { consumer, event_id, event_name: still.event_name, by, reason },
        at: now,
      });
      return 'done';
    });
  }
}

const PARKED = `
select stream, event_name, aggregate_id, sequence from inbox
where consumer = $1 and event_id = $2 and parked_at is not null and handled_at is null`;

/** Selects an earlier event that is still to be handled, whether it is in the inbox or on its way. */
const EARLIER = `
select 1
from (select coalesce(max(last_sequence), 0) as position from inbox_positions
      where consumer = $1 and stream = $2 and aggregate_id = $3) p
where exists (
    select from inbox where consumer = $1 and stream = $2 and aggregate_id = $3
      and sequence > p.position and sequence < $4::bigint
  ) or exists (
    select from outbox where stream = $2 and aggregate_id = $3
      and sequence > p.position and sequence < $4::bigint
  )`;

const SINCE = `
select event_id from inbox
where consumer = $1 and parked_at is not null and handled_at is null and parked_at >= $2
order by stream, aggregate_id, sequence limit $3`;

const MOVE_ON = `
insert into inbox_positions as p (consumer, stream, aggregate_id, last_sequence) values ($1, $2, $3, $4)
on conflict (consumer, stream, aggregate_id) do update set last_sequence = greatest(p.last_sequence, excluded.last_sequence)`;

const RETRY =
  'update inbox set parked_at = null, attempts = 0, due_at = $3, last_error = null where consumer = $1 and event_id = $2';

const SKIP = 'update inbox set handled_at = $3 where consumer = $1 and event_id = $2';

const LIST = `
select i.consumer, i.event_id, i.stream, i.event_name, i.aggregate_id, i.sequence, i.attempts, i.parked_at, i.last_error,
  b.behind
from inbox i
cross join lateral (
  select count(*)::int as behind from (
    select from inbox b
    where b.consumer = i.consumer and b.stream = i.stream and b.aggregate_id = i.aggregate_id
      and b.sequence > i.sequence and b.handled_at is null
    limit 1000
  ) counted
) b
where i.parked_at is not null and i.handled_at is null and ($1::text is null or i.consumer = $1)
  and ($2::timestamptz is null or (i.parked_at, i.event_id) > ($2, $3::uuid))
order by i.parked_at, i.event_id limit $4`;
