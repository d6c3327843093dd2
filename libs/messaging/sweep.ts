import { type Clock, type Db, iso, type Tx } from '@moorage/server';
import { ENVELOPE_COLUMNS, type EnvelopeRow, envelopeOf } from './envelope';
import { knows, storeArrived, UNKNOWN_EVENT } from './inbox';
import { BEGINNING, type Drawn, drawnBy, moveWatermark, pageAfter, type Place, watermarksOf } from './missed-events';
import type { KnownEvents, WorkTransport } from './types';

/** Streams that each consumer reads, by consumer. */
export type Subscriptions = Readonly<Record<string, readonly string[]>>;

const MINUTE = 60_000;
export const SWEEP_EVERY_MS = MINUTE;
/** Time a transport has to deliver an event before it counts as lost. */
const LOST_AFTER_MS = MINUTE;
const RETENTION_MS = 7 * 24 * 60 * MINUTE;
const PAGE = 500;
const PAGES_MAX = 20;
/** Maximum number of events checked per stream and subscriber in a tick, while catching up after a long outage. */
const READ_MAX = 100 * PAGE;
const MISSING = 'an earlier event is missing';

export interface SweepOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** Consumer of the parked deliveries that are compared with `known`. */
  readonly consumer: string;
  readonly known: KnownEvents;
  /** Subscriptions of all services, because one running service sweeps for all. */
  readonly subscriptions: Subscriptions;
  readonly relay: () => Promise<number>;
  readonly drain: () => Promise<number>;
  readonly work: Pick<WorkTransport, 'signal'>;
  /** Kinds of work that this service runs. Only these are signalled. */
  readonly kinds: readonly string[];
  /** Whether to sweep for all services, and not only this consumer's own rows. */
  readonly shared: boolean;
}

/**
 * Recovers lost messages and due work from PostgreSQL alone. Even if every topic and queue is emptied, each tick
 * recovers what was lost. It also deletes events and handled deliveries after seven days.
 */
export class Sweep {
  private readonly consumers: [consumer: string, streams: readonly string[]][];
  /** Snapshot of an earlier tick, of which some transactions had not ended. */
  private drawing: Drawn | undefined;

  constructor(private readonly options: SweepOptions) {
    this.consumers = Object.entries(options.subscriptions);
  }

  /** Runs one bounded pass and returns the number of rows recovered or deleted. */
  async tick(): Promise<number> {
    const { shared, relay, drain } = this.options;
    let rows = await this.unparkKnown();
    if (shared) {
      rows += await relay();
      rows += await this.redeliverMissed();
      rows += await this.repairGaps();
    }
    rows += await drain();
    if (shared) {
      rows += await pages(() => this.retireEvents());
      rows += await pages(() => this.retireHandled());
    }
    await this.signalDue(); // last, because the transport may be unavailable
    return rows;
  }

  /**
   * Stores events that a subscriber never received directly in its inbox. The watermark moves forward in the same
   * transaction, up to the place that no open transaction can add to any more, and events behind it are not read again.
   * Missing events beyond that place are also stored, but the next tick checks that range again.
   */
  private async redeliverMissed(): Promise<number> {
    const settled = await this.options.db.tx('sweep.missed', async (tx) =>
      (await alone(tx)) ? this.safeSequence(await drawnBy(tx)) : null,
    );
    if (settled === null) return 0;
    let delivered = 0;
    for (const [consumer, streams] of this.consumers)
      for (const stream of streams) delivered += await this.redeliverStream({ consumer, stream, settled });
    return delivered;
  }

  private async redeliverStream(of: { consumer: string; stream: string; settled: number }): Promise<number> {
    let delivered = 0;
    let after: Place | undefined;
    for (let checked = 0; checked < READ_MAX; checked += PAGE) {
      const page = await this.options.db.tx('sweep.missed', (tx) => this.redeliverPage(tx, { ...of, after }));
      if (page === null) break;
      delivered += page.delivered;
      after = page.after;
      if (page.complete) break;
    }
    return delivered;
  }

  /**
   * Redelivers a page of a stream, which begins after the watermark by default. Returns null if another sweep is
   * running.
   */
  private async redeliverPage(
    tx: Tx,
    of: { consumer: string; stream: string; settled: number; after: Place | undefined },
  ): Promise<{ delivered: number; after: Place; complete: boolean } | null> {
    const { clock } = this.options;
    const { consumer, stream, settled } = of;
    if (!(await alone(tx))) return null;
    const after = of.after ?? (await watermarksOf(tx, { consumer, streams: [stream] })).get(stream) ?? BEGINNING;
    const now = await clock.now(tx);
    const young = { from: now - LOST_AFTER_MS, to: now };
    const page = await pageAfter(tx, { consumer, stream, after, young, limit: PAGE });
    if (page.missed.length > 0) await storeArrived(tx, { consumer, envelopes: page.missed, at: clock.localNow() });
    const known = page.places.filter(({ no }) => no <= settled).at(-1);
    if (known !== undefined) await moveWatermark(tx, { consumer, stream, to: known });
    return { delivered: page.missed.length, after: page.places.at(-1) ?? after, complete: page.complete };
  }

  /**
   * Returns the number up to which no further event can appear. While relays publish continuously, this is the number
   * of the previous tick.
   */
  private safeSequence(drawn: Drawn): number {
    const { drawing } = this;
    const open = new Set(drawn.holders);
    const settled = open.size === 0 ? drawn : drawing?.holders.some((holder) => open.has(holder)) ? undefined : drawing;
    if (settled !== undefined || drawing === undefined) this.drawing = drawn;
    return settled?.no ?? 0;
  }

  /**
   * Resolves deliveries with a predecessor that can never arrive, because it is neither in the inbox nor in the outbox.
   * The outbox deletes an event only when every subscriber has it. A consumer without a position has therefore joined
   * late and begins here. A consumer with a position has lost an event, so the delivery is parked for an operator.
   */
  private repairGaps(): Promise<number> {
    return this.options.db.tx('sweep.gaps', async (tx) => {
      if (!(await alone(tx))) return 0;
      const now = await this.options.clock.now(tx);
      const params = [iso(now - LOST_AFTER_MS), PAGE];
      const begun = await tx.execute(`${GAPS} ${BEGIN_HERE}`, params);
      const parked = await tx.execute(`${GAPS} ${PARK}`, [...params, iso(now), MISSING]);
      return begun + parked;
    });
  }

  /** Retries deliveries that an earlier release parked as unknown and that this release knows. */
  private unparkKnown(): Promise<number> {
    const { db, clock, consumer, known } = this.options;
    return db.tx('sweep.unpark', async (tx) => {
      const kinds = await tx.query<{ stream: string; event_name: string; version: number }>(PARKED_KINDS, [
        consumer,
        UNKNOWN_EVENT,
      ]);
      const now = iso(await clock.now(tx));
      let unparked = 0;
      for (const kind of kinds.filter((found) => knows(known, found))) {
        unparked += await tx.execute(UNPARK, [
          consumer,
          UNKNOWN_EVENT,
          kind.stream,
          kind.event_name,
          kind.version,
          now,
        ]);
      }
      return unparked;
    });
  }

  private async signalDue(): Promise<void> {
    const { db, clock, kinds, work } = this.options;
    const due = await db.tx('sweep.work', async (tx) =>
      tx.query<{ kind: string; key: string; due_at: number }>(DUE_WORK, [
        iso((await clock.now(tx)) + MINUTE),
        PAGE * PAGES_MAX,
        kinds,
      ]),
    );
    for (const { kind, key, due_at } of due) await work.signal(kind, key, due_at);
  }

  /**
   * Deletes a page of events past the retention time. Subscribers that do not have them yet receive them in the same
   * transaction.
   */
  private retireEvents(): Promise<number> {
    const { db, clock } = this.options;
    return db.tx('sweep.retire', async (tx) => {
      if (!(await alone(tx))) return 0;
      const now = await clock.now(tx);
      const rows = await tx.query<EnvelopeRow & { id: string }>(
        `select id, ${ENVELOPE_COLUMNS} from outbox where sent_at < $1 order by sent_at, id limit $2`,
        [iso(now - RETENTION_MS), PAGE],
      );
      if (rows.length === 0) return 0;
      for (const [name, streams] of this.consumers) {
        const envelopes = rows.filter(({ stream }) => streams.includes(stream)).map(envelopeOf);
        if (envelopes.length > 0) await storeArrived(tx, { consumer: name, envelopes, at: clock.localNow() });
      }
      return tx.execute('delete from outbox where id = any($1::bigint[])', [rows.map(({ id }) => id)]);
    });
  }

  private retireHandled(): Promise<number> {
    const { db, clock } = this.options;
    return db.tx('sweep.retire', async (tx) =>
      (await alone(tx)) ? tx.execute(RETIRE_HANDLED, [iso((await clock.now(tx)) - RETENTION_MS), PAGE]) : 0,
    );
  }
}

/**
 * Allows one sweep at a time. Two sweeps would do the same work twice, and would leave gaps in an aggregate's history
 * if one of them rolled back.
 */
async function alone(tx: Tx): Promise<boolean> {
  const [lock] = await tx.query<{ got: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('moorage.sweep', 0)) as got`,
  );
  return lock?.got === true;
}

async function pages(one: () => Promise<number>): Promise<number> {
  let rows = 0;
  for (let page = 0; page < PAGES_MAX; page++) {
    const found = await one();
    rows += found;
    if (found < PAGE) break;
  }
  return rows;
}

/** Next events of aggregates that wait for an earlier event which is no longer stored anywhere. */
const GAPS = `
with gaps as (
  select i.consumer, i.event_id, i.stream, i.aggregate_id, i.sequence, p.last_sequence is not null as begun
  from inbox i
  left join inbox_positions p using (consumer, stream, aggregate_id)
  where i.handled_at is null and i.parked_at is null and i.arrived_at < $1
    and i.sequence > coalesce(p.last_sequence, 0) + 1
    and not exists (
      select from inbox b
      where b.consumer = i.consumer and b.stream = i.stream and b.aggregate_id = i.aggregate_id
        and b.sequence > coalesce(p.last_sequence, 0) and b.sequence < i.sequence
    )
    and not exists (
      select from outbox o
      where o.stream = i.stream and o.aggregate_id = i.aggregate_id
        and o.sequence > coalesce(p.last_sequence, 0) and o.sequence < i.sequence
    )
  limit $2
)`;

const BEGIN_HERE = `
insert into inbox_positions (consumer, stream, aggregate_id, last_sequence)
select consumer, stream, aggregate_id, sequence - 1 from gaps where not begun
on conflict do nothing`;

const PARK = `
update inbox i set parked_at = $3, last_error = $4
from gaps g where g.begun and i.consumer = g.consumer and i.event_id = g.event_id and i.handled_at is null`;

const PARKED_KINDS = `
select distinct stream, event_name, (envelope ->> 'version')::int as version from inbox
where consumer = $1 and parked_at is not null and handled_at is null and last_error = $2`;

const UNPARK = `
update inbox set parked_at = null, last_error = null, attempts = 0, due_at = $6
where consumer = $1 and parked_at is not null and handled_at is null and last_error = $2
  and stream = $3 and event_name = $4 and (envelope ->> 'version')::int = $5`;

/** Selects due work kind by kind, following the index, because most work is due in the future. */
const DUE_WORK = `
select w.kind, w.key, w.due_at
from unnest($3::text[]) k (kind)
cross join lateral (
  select kind, key, due_at from work
  where kind = k.kind and due_at <= $1 and (leased_until is null or leased_until <= $1)
  order by due_at limit $2
) w
order by w.due_at limit $2`;

const RETIRE_HANDLED = `
delete from inbox where (consumer, event_id) in (
  select consumer, event_id from inbox where handled_at < $1 order by handled_at, sequence limit $2
)`;
