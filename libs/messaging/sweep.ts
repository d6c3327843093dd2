import { type Clock, type Db, iso, type Tx } from '@moorage/server';
import { ENVELOPE_COLUMNS, type EnvelopeRow, envelopeOf } from './envelope';
import { knows, storeArrived, UNKNOWN_EVENT } from './inbox';
import { BEGINNING, type Drawn, drawnBy, moveWatermark, pageAfter, type Place, watermarksOf } from './missed';
import type { KnownEvents, WorkTransport } from './types';

/**
 * The safety under the transports, from PostgreSQL alone: with every topic and queue flushed, each tick brings back what
 * was lost. It also ends what could grow: events and handled deliveries go after seven days.
 */
export interface Sweep {
  /** One bounded pass; the number of rows it brought on or took away. */
  readonly tick: () => Promise<number>;
}

/** Who reads which stream. */
export type Subscriptions = Readonly<Record<string, readonly string[]>>;

const MINUTE = 60_000;
export const SWEEP_EVERY_MS = MINUTE;
/** A transport has this long before an event counts as lost on the way. */
const LOST_AFTER_MS = MINUTE;
const KEPT_MS = 7 * 24 * 60 * MINUTE;
const PAGE = 500;
const PAGES_MAX = 20;
/** Of one stream for one subscriber: after a long outage a tick catches up with so many events. */
const LOOKED_AT_MAX = 100 * PAGE;
const MISSING = 'an earlier event is missing';

export function createSweep({
  db,
  clock,
  consumer,
  known,
  subscriptions,
  relay,
  drain,
  work,
  kinds,
  shared,
}: {
  db: Db;
  clock: Clock;
  /** Whose parked deliveries `known` judges. */
  consumer: string;
  known: KnownEvents;
  /** Of every service: one living service sweeps for all. */
  subscriptions: Subscriptions;
  relay: () => Promise<number>;
  drain: () => Promise<number>;
  work: Pick<WorkTransport, 'signal'>;
  /** The kinds of work this service does: it signals no other. */
  kinds: readonly string[];
  /** Sweeps for all services too, not only what is this consumer's own. */
  shared: boolean;
}): Sweep {
  const consumers = Object.entries(subscriptions);
  /** Numbers that were drawn at an earlier look, whose transactions had not all ended. */
  let drawing: Drawn | undefined;

  /**
   * Events that a subscriber never got go straight into its inbox. Behind the watermark nothing is read again; it moves
   * on over what every transaction that might still add to it has left behind, in the transaction that stored what was
   * missing. What lies beyond that is brought too, and looked at again.
   */
  async function bringMissed(): Promise<number> {
    const settled = await db.tx('sweep.missed', async (tx) =>
      (await alone(tx)) ? settledNo(await drawnBy(tx)) : null,
    );
    if (settled === null) return 0;
    let brought = 0;
    for (const [name, streams] of consumers) {
      for (const stream of streams) {
        let after: Place | undefined;
        for (let looked = 0, complete = false; looked < LOOKED_AT_MAX && !complete; looked += PAGE) {
          await db.tx('sweep.missed', async (tx) => {
            complete = true;
            if (!(await alone(tx))) return;
            after ??= (await watermarksOf(tx, { consumer: name, streams: [stream] })).get(stream) ?? BEGINNING;
            const now = await clock.now(tx);
            const young = { from: now - LOST_AFTER_MS, to: now };
            const page = await pageAfter(tx, { consumer: name, stream, after, young, limit: PAGE });
            if (page.missed.length > 0)
              await storeArrived(tx, { consumer: name, envelopes: page.missed, at: clock.localNow() });
            const known = page.places.filter(({ no }) => no <= settled).at(-1);
            if (known !== undefined) await moveWatermark(tx, { consumer: name, stream, to: known });
            brought += page.missed.length;
            after = page.places.at(-1) ?? after;
            complete = page.complete;
          });
        }
      }
    }
    return brought;
  }

  /** The number up to which no event will be sent any more. Where relays are at it all the time, it is that of the tick before. */
  function settledNo(drawn: Drawn): number {
    const open = new Set(drawn.holders);
    const settled = open.size === 0 ? drawn : drawing?.holders.some((holder) => open.has(holder)) ? undefined : drawing;
    if (settled !== undefined || drawing === undefined) drawing = drawn;
    return settled?.no ?? 0;
  }

  /**
   * A delivery whose predecessor is neither in the inbox nor in the outbox waits for nothing that could come. The outbox
   * lets go of an event only when every subscriber has it, so a consumer without a position has joined late and begins
   * here; one with a position has lost something, and people must look.
   */
  const mendGaps = (): Promise<number> =>
    db.tx('sweep.gaps', async (tx) => {
      if (!(await alone(tx))) return 0;
      const now = await clock.now(tx);
      const params = [iso(now - LOST_AFTER_MS), PAGE];
      const begun = await tx.execute(`${GAPS} ${BEGIN_HERE}`, params);
      const parked = await tx.execute(`${GAPS} ${PARK}`, [...params, iso(now), MISSING]);
      return begun + parked;
    });

  /** This deploy may know what an earlier one did not. */
  const unparkKnown = (): Promise<number> =>
    db.tx('sweep.unpark', async (tx) => {
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

  async function signalDue(): Promise<void> {
    const due = await db.tx('sweep.work', async (tx) =>
      tx.query<{ kind: string; key: string; due_at: number }>(DUE_WORK, [
        iso((await clock.now(tx)) + MINUTE),
        PAGE * PAGES_MAX,
        kinds,
      ]),
    );
    for (const { kind, key, due_at } of due) await work.signal(kind, key, due_at);
  }

  /** A page of events older than kept goes; whoever has not got one gets it in the same transaction. */
  const retireEvents = (): Promise<number> =>
    db.tx('sweep.retire', async (tx) => {
      if (!(await alone(tx))) return 0;
      const now = await clock.now(tx);
      const rows = await tx.query<EnvelopeRow & { id: string }>(
        `select id, ${ENVELOPE_COLUMNS} from outbox where sent_at < $1 order by sent_at, id limit $2`,
        [iso(now - KEPT_MS), PAGE],
      );
      if (rows.length === 0) return 0;
      for (const [name, streams] of consumers) {
        const envelopes = rows.filter(({ stream }) => streams.includes(stream)).map(envelopeOf);
        if (envelopes.length > 0) await storeArrived(tx, { consumer: name, envelopes, at: clock.localNow() });
      }
      return tx.execute('delete from outbox where id = any($1::bigint[])', [rows.map(({ id }) => id)]);
    });

  const retireHandled = (): Promise<number> =>
    db.tx('sweep.retire', async (tx) =>
      (await alone(tx)) ? tx.execute(RETIRE_HANDLED, [iso((await clock.now(tx)) - KEPT_MS), PAGE]) : 0,
    );

  return {
    async tick() {
      let rows = await unparkKnown();
      if (shared) {
        rows += await relay();
        rows += await bringMissed();
        rows += await mendGaps();
      }
      rows += await drain();
      if (shared) {
        rows += await pages(retireEvents);
        rows += await pages(retireHandled);
      }
      await signalDue(); // last: the transport may be away
      return rows;
    },
  };
}

/**
 * One sweep at a time: two would do the same twice, and cut holes into an aggregate's history if one of them rolled back.
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

/** Heads of inboxes that have waited for an earlier event which nobody keeps any more. */
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

/** Kind by kind, as the index is: most of the work there is lies in the future. */
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
