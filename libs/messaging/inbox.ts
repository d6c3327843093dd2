import { type Clock, correlated, type Db, iso, prepared, type Random, type Tx } from '@moorage/server';
import type { MessagingObserver } from './observer';
import { deliveryDelay, errorName } from './retries';
import type { Envelope, EventHandler, EventHandlers, KnownEvents, OnError } from './types';

export interface Aggregate {
  readonly stream: string;
  readonly aggregate_id: string;
}

/**
 * Result of a step. `idle`: nothing to do now (no event, a gap, a backoff or a parked event). `busy`: another process
 * is working on the aggregate.
 */
export interface Step {
  readonly events: number;
  readonly then: 'more' | 'idle' | 'busy';
}

interface NextDelivery {
  /** True if this transaction holds the aggregate's lock. */
  readonly got: boolean;
  /** Null in the single row of an aggregate that has nothing to do. */
  readonly event_id: string | null;
  readonly event_name: string;
  readonly version: number;
  /** Set only for an event that has a handler. */
  readonly envelope: Envelope | null;
  readonly sequence: string;
  readonly attempts: number;
  readonly due_at: number;
  readonly parked_at: number | null;
  readonly position: string;
  /** True if another event follows. */
  readonly more: boolean;
}

/** A step of an aggregate. `failure` is the handler that failed in its latest transaction. */
interface Attempt {
  failure: Failure | undefined;
}

interface Failure {
  readonly row: NextDelivery;
  readonly error: unknown;
  readonly began: number;
}

/** Thrown when another process advanced the aggregate between our read and our lock. Nothing is written. */
class ConcurrencyConflict extends Error {
  override readonly name = 'ConcurrencyConflict';
}

/** Number of events read ahead, so that many events without a handler are skipped at a time. */
const HEADS = 20;
const STEPS_MAX = 1_000;
/**
 * Maximum idle time of a session in a handler's transaction. The database then ends the session and releases the
 * aggregate.
 */
const IDLE_IN_TX_TIMEOUT = '60s';
export const UNKNOWN_EVENT = 'unknown event or version';

/** Returns whether this release knows the event in its version. */
export function knows(known: KnownEvents, event: Pick<Envelope, 'event_name' | 'version' | 'stream'>): boolean {
  const found = Object.hasOwn(known, event.event_name) ? known[event.event_name] : undefined;
  return found !== undefined && found.stream === event.stream && event.version <= found.version;
}

export interface InboxOptions<Known extends KnownEvents> {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly consumer: string;
  readonly known: Known;
  readonly handlers: EventHandlers<Known>;
  /** Receives the errors of handlers, which are retried. */
  readonly onError: OnError;
  readonly onHandled?: MessagingObserver['handled'] | undefined;
}

/**
 * The inbox of one consumer. Arrival stores events, and draining handles them. Every effect happens exactly once and in
 * order, because the handler runs in the same transaction that marks its event as handled and advances the aggregate's
 * position.
 */
export class Inbox<Known extends KnownEvents = KnownEvents> {
  private readonly options: Omit<InboxOptions<KnownEvents>, 'handlers'>;
  /** Names of the events that have a handler. */
  private readonly handled: readonly string[];
  private readonly handlerOf: (eventName: string) => EventHandler<object> | undefined;

  constructor({ handlers, ...options }: InboxOptions<Known>) {
    this.options = options;
    this.handled = Object.keys(handlers);
    // The data was parsed by the schema of this event name, so it matches the parameter type of its handler.
    this.handlerOf = (eventName) => handlers[eventName] as EventHandler<object> | undefined;
  }

  /**
   * Stores envelopes that are new. Envelopes that differ from the outbox are left out and reported as
   * `ForgedEnvelopes`.
   *
   * @returns The aggregates that received an event and have to be drained.
   */
  async arrived(envelopes: readonly Envelope[]): Promise<Aggregate[]> {
    const { db, clock, consumer, onError } = this.options;
    const { stored, forged } = await db.tx(
      'inbox.arrive',
      (tx) => storeArrived(tx, { consumer, envelopes, at: clock.localNow() }),
      { durable: false }, // what a crash of the database undoes, the sweep finds in the outbox
    );
    if (forged > 0)
      onError(new ForgedEnvelopes(`${forged} envelopes that are not in the outbox were rejected`), {
        at: 'inbox.arrive',
        consumer,
        forged,
      });
    return stored;
  }

  /** Handles at most one event that has a handler, and skips the events before it that have none. */
  async step(aggregate: Aggregate): Promise<Step> {
    const attempt: Attempt = { failure: undefined };
    try {
      return await this.options.db.tx('inbox.drain', (tx) => this.handleNext(tx, aggregate, attempt));
    } catch (error) {
      if (error instanceof ConcurrencyConflict) return { events: 0, then: 'busy' };
      if (attempt.failure === undefined) throw error;
      await this.countFailure(attempt.failure);
      return { events: 0, then: 'idle' };
    }
  }

  /**
   * Runs steps until nothing is left to do now.
   *
   * @param steps_max Maximum number of steps.
   * @returns Number of events handled or skipped.
   */
  async drain(stream: string, aggregate_id: string, steps_max = STEPS_MAX): Promise<number> {
    let events = 0;
    for (let steps = 0; steps < steps_max; steps++) {
      const result = await this.step({ stream, aggregate_id });
      events += result.events;
      if (result.then !== 'more') break;
    }
    return events;
  }

  /**
   * Returns aggregates whose next event has arrived and is due by this machine's clock, which saves a statement per poll.
   * The step decides by the clock of the database.
   */
  due(limit: number): Promise<Aggregate[]> {
    const { db, clock, consumer } = this.options;
    return db.read('inbox.read', (tx) => tx.query<Aggregate>(DUE, [consumer, iso(clock.localNow()), limit]));
  }

  /**
   * Drains aggregates that are due.
   *
   * @param limit Maximum number of aggregates.
   * @returns Number of events handled or skipped.
   */
  async tick(limit = 50): Promise<number> {
    let events = 0;
    for (const { stream, aggregate_id } of await this.due(limit)) events += await this.drain(stream, aggregate_id);
    return events;
  }

  /** Handles the next events under the aggregate's lock, and marks them in the same transaction. */
  private async handleNext(tx: Tx, aggregate: Aggregate, attempt: Attempt): Promise<Step> {
    const { consumer } = this.options;
    attempt.failure = undefined;
    const rows = await tx.query<NextDelivery>(LOCK_AND_HEADS, [
      consumer,
      aggregate.stream,
      aggregate.aggregate_id,
      HEADS,
      this.handled,
      IDLE_IN_TX_TIMEOUT,
      lockName(consumer, aggregate.stream, aggregate.aggregate_id),
    ]);
    if (rows[0]?.got !== true) return { events: 0, then: 'busy' };
    const heads = rows.filter(({ event_id }) => event_id !== null);
    const before = Number(heads[0]?.position ?? 0);
    const passed: NextDelivery[] = [];
    let stopped = false;
    for (const row of heads) {
      stopped = !(await this.isNext(tx, row, before + passed.length));
      if (!stopped && !knows(this.options.known, { ...row, stream: aggregate.stream })) {
        await this.park(tx, row, UNKNOWN_EVENT);
        stopped = true;
      }
      if (stopped) break;
      passed.push(row);
      if (row.envelope !== null) await this.handleRow(tx, { ...row, envelope: row.envelope }, aggregate, attempt);
    }
    if (passed.length > 0) await this.mark(tx, aggregate, before, passed);
    return { events: passed.length, then: !stopped && heads.at(-1)?.more === true ? 'more' : 'idle' };
  }

  private async isNext(tx: Tx, row: NextDelivery, position: number): Promise<boolean> {
    if (Number(row.sequence) !== position + 1 || row.parked_at !== null) return false;
    return row.attempts === 0 || row.due_at <= (await this.options.clock.now(tx));
  }

  /** Runs the handler under the correlation id of the event. A failure is noted in `attempt` and thrown. */
  private async handleRow(
    tx: Tx,
    row: NextDelivery & { envelope: Envelope },
    aggregate: Aggregate,
    attempt: Attempt,
  ): Promise<void> {
    const { db, clock } = this.options;
    const { envelope } = row;
    const began = clock.localNow();
    try {
      await correlated(envelope.correlation_id, () =>
        this.callHandler(tx, { ...envelope, ...asStored(row, aggregate) }),
      );
      tx.afterCommit(() => this.report(row, 'handled', began));
    } catch (error) {
      attempt.failure = { row, error, began };
      throw error;
    }
    await db.checkpoints.at('inbox.drain.handled');
  }

  private async callHandler(tx: Tx, envelope: Envelope): Promise<void> {
    const { event_name: name } = envelope;
    const data = this.options.known[name]?.data?.parse(envelope.data) ?? envelope.data;
    await this.handlerOf(name)?.(tx, { ...envelope, data });
  }

  private async mark(
    tx: Tx,
    { stream, aggregate_id }: Aggregate,
    before: number,
    passed: NextDelivery[],
  ): Promise<void> {
    const { clock, consumer } = this.options;
    const moved = await tx.execute(MARK, [
      consumer,
      stream,
      aggregate_id,
      before,
      before + passed.length,
      iso(clock.localNow()), // informational only, and saves a round trip per event
      passed.map(({ event_id }) => event_id),
    ]);
    if (moved !== 1) throw new ConcurrencyConflict();
  }

  private async park(tx: Tx, row: NextDelivery, reason: string): Promise<void> {
    const { clock, consumer } = this.options;
    await tx.execute(
      'update inbox set parked_at = $3, last_error = $4 where consumer = $1 and event_id = $2 and handled_at is null',
      [consumer, row.event_id, iso(await clock.now(tx)), reason],
    );
  }

  /** Reports a failed handler, and schedules the next attempt. */
  private async countFailure({ row, error, began }: Failure): Promise<void> {
    const { consumer, onError } = this.options;
    correlated(row.envelope?.correlation_id, () =>
      onError(error, { at: 'inbox.drain', consumer, event_name: row.event_name }),
    );
    this.report(row, await this.backOff(row, error), began);
  }

  /**
   * Records a failed attempt. The update compares `attempts`, so two processes that failed at the same attempt count it
   * once.
   */
  private backOff(row: NextDelivery, error: unknown): Promise<'retry' | 'parked'> {
    const { db, clock, random, consumer } = this.options;
    return db.tx('inbox.back-off', async (tx) => {
      const now = await clock.now(tx);
      const delay = deliveryDelay(row.attempts + 1, random);
      await tx.execute(
        `update inbox set attempts = attempts + 1, due_at = $4, parked_at = $5, last_error = $6
         where consumer = $1 and event_id = $2 and attempts = $3 and handled_at is null and parked_at is null`,
        [
          consumer,
          row.event_id,
          row.attempts,
          iso(now + (delay ?? 0)),
          delay === null ? iso(now) : null,
          errorName(error),
        ],
      );
      return delay === null ? 'parked' : 'retry';
    });
  }

  private report({ event_name: event }: NextDelivery, outcome: 'handled' | 'retry' | 'parked', began: number): void {
    this.options.onHandled?.({ event, outcome, took_ms: this.options.clock.localNow() - began });
  }
}

/**
 * Returns the fields that the row's columns hold. The row policy compares them with the outbox, regardless of which
 * role stored the row.
 */
function asStored(
  { event_id, event_name, version, sequence }: NextDelivery,
  { stream, aggregate_id }: Aggregate,
): Pick<Envelope, 'event_id' | 'stream' | 'event_name' | 'version' | 'aggregate_id' | 'sequence'> {
  if (event_id === null) throw new Error('delivery without an event');
  return { event_id, stream, event_name, version, aggregate_id, sequence: Number(sequence) };
}

/** Reported for envelopes that the outbox does not contain, which means that no authorised service wrote them. */
export class ForgedEnvelopes extends Error {
  override readonly name = 'ForgedEnvelopes';
}

interface Arrival extends Aggregate {
  /** Number of these envelopes that the outbox does not contain. It is 0 in a row for a stored envelope. */
  readonly forged: number;
}

/**
 * Stores envelopes and returns their aggregates. Envelopes that were stored or handled before are left out. So are
 * envelopes that differ from the outbox in any way, because a transport may only carry what the database contains,
 * regardless of who can write to that transport. Rows are inserted in a fixed order, so two arrivals cannot deadlock.
 *
 * @param at Time of arrival in milliseconds.
 * @returns The aggregates that received an event, and the number of envelopes that are not in the outbox.
 */
export async function storeArrived(
  tx: Tx,
  { consumer, envelopes, at }: { consumer: string; envelopes: readonly Envelope[]; at: number },
): Promise<{ readonly stored: Aggregate[]; readonly forged: number }> {
  const rows = await tx.query<Arrival>(ARRIVE, [
    consumer,
    iso(at),
    envelopes.map(({ event_id }) => event_id),
    envelopes.map(({ stream }) => stream),
    envelopes.map(({ event_name }) => event_name),
    envelopes.map(({ aggregate_id }) => aggregate_id),
    envelopes.map(({ sequence }) => sequence),
    envelopes.map(({ occurred_at }) => occurred_at),
    envelopes.map((envelope) => JSON.stringify(envelope)),
  ]);
  return {
    stored: rows.filter(({ forged }) => forged === 0).map(({ stream, aggregate_id }) => ({ stream, aggregate_id })),
    forged: rows.reduce((sum, { forged }) => sum + forged, 0),
  };
}

/**
 * An event is due from the time it occurred, so the oldest events are drained first. A parked delivery outlives its
 * event in the outbox. The inbox row distinguishes a repeated delivery of such an event from a forged event.
 */
const ARRIVE = prepared(`
with fresh as (
  select a.event_id, a.stream, a.event_name, a.aggregate_id, a.sequence, a.occurred_at, e.envelope, o.event_id is not null as genuine
  from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::timestamptz[], $9::text[])
    as a (event_id, stream, event_name, aggregate_id, sequence, occurred_at, envelope)
  cross join lateral (select a.envelope::jsonb) e (envelope)
  left join inbox_positions p on (p.consumer, p.stream, p.aggregate_id) = ($1, a.stream, a.aggregate_id)
  left join outbox o on o.event_id = a.event_id and o.stream = a.stream and o.event_name = a.event_name
    and o.aggregate_id = a.aggregate_id and o.sequence = a.sequence
    and o.version::text = e.envelope ->> 'version' and o.data = e.envelope -> 'data'
  where a.sequence > coalesce(p.last_sequence, 0)
), stored as (
  insert into inbox (consumer, event_id, stream, event_name, aggregate_id, sequence, envelope, arrived_at, due_at)
  select $1, event_id, stream, event_name, aggregate_id, sequence, envelope, $2, occurred_at
  from fresh where genuine
  order by stream, aggregate_id, sequence
  on conflict do nothing
  returning stream, aggregate_id
)
select distinct stream, aggregate_id, 0 as forged from stored
union all
select f.stream, f.aggregate_id, count(*)::int from fresh f
where not f.genuine and not exists (select from inbox i where i.consumer = $1 and i.event_id = f.event_id)
group by f.stream, f.aggregate_id`);

/** Returns the name of the advisory lock of an aggregate in a consumer's inbox. */
export function lockName(consumer: string, stream: string, aggregate_id: string): string {
  return `moorage.inbox/${consumer}/${stream}/${aggregate_id}`;
}

/**
 * Reads the next events up to the first that has a handler, under the aggregate's lock. This is one statement. If the
 * previous lock holder commits between the read and the lock, the compare-and-set of MARK finds that the position has
 * moved.
 */
const LOCK_AND_HEADS = prepared(`
with lock as materialized (
  select set_config('idle_in_transaction_session_timeout', $6, true),
    pg_try_advisory_xact_lock(hashtextextended($7, 0)) as got
)
select lock.got, h.*
from lock
left join lateral (
  select event_id, event_name, (envelope ->> 'version')::int as version, sequence, attempts, due_at, parked_at, position,
    case when event_name = any($5) then envelope end as envelope,
    lead(sequence) over (order by sequence) is not null or row_number() over (order by sequence) = $4 as more,
    count(*) filter (where event_name = any($5))
      over (order by sequence rows between unbounded preceding and 1 preceding) as handled_before
  from (
    select i.*, coalesce(p.last_sequence, 0) as position
    from (select $1::text as consumer, $2::text as stream, $3::text as aggregate_id) k
    left join inbox_positions p using (consumer, stream, aggregate_id)
    cross join lateral (
      select * from inbox i
      where i.consumer = $1 and i.stream = $2 and i.aggregate_id = $3 and i.sequence > coalesce(p.last_sequence, 0)
      order by i.sequence limit $4
    ) i
  ) ahead
) h on lock.got and h.handled_before = 0
order by h.sequence`);

/**
 * A transaction that began earlier may acquire the lock later. `greatest` keeps the times of one aggregate from running
 * backwards.
 */
const MARK = prepared(`
with marked as (
  update inbox set last_error = null, handled_at = greatest($6::timestamptz, (
    select b.handled_at from inbox b where b.consumer = $1 and b.stream = $2 and b.aggregate_id = $3 and b.sequence = $4
  ))
  where consumer = $1 and event_id = any($7::uuid[])
)
insert into inbox_positions as p (consumer, stream, aggregate_id, last_sequence) values ($1, $2, $3, $5)
on conflict (consumer, stream, aggregate_id) do update set last_sequence = excluded.last_sequence
where p.last_sequence = $4`);

/** Selects only the next event of each aggregate. Events behind a parked or a missing event cannot be handled yet. */
const DUE = `
select i.stream, i.aggregate_id from inbox i
left join inbox_positions p using (consumer, stream, aggregate_id)
where i.consumer = $1 and i.handled_at is null and i.parked_at is null and i.due_at <= $2
  and i.sequence = coalesce(p.last_sequence, 0) + 1
order by i.due_at limit $3`;
