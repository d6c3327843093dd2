import { type Clock, correlationId, iso, prepared, type Random, type Tx } from '@moorage/server';
import type { PgNotify } from './pg-notify';
import type { NewEvent, Outbox } from './types';

/** The channel that relays listen to; a payload lists shards with pending events. */
export const OUTBOX_CHANNEL = 'moorage_outbox';

/** How many relays can publish at a time. A change is harmless: relays find the shards in the table. */
const SHARDS = 8;
/** No transport may ever have to refuse an event: one that is never taken would stop its shard. */
const DATA_BYTES_MAX = 256 * 1024;

/**
 * The outbox: an event is a row written in the transaction that makes it true.
 *
 * `sequence` comes from the aggregate's row in event_sequences, whose lock is held until the end of the transaction.
 * So the transaction that draws n+1 goes on only after the one that drew n has ended: if it committed, n was visible
 * before n+1 was written; if it rolled back, n is drawn again. Whoever sees an event sees all earlier ones of its
 * aggregate, and there are no gaps. The id is drawn under the same lock, so per aggregate it rises with the sequence;
 * between aggregates id order is not commit order, and nothing relies on it.
 */
export function createOutbox({
  clock,
  random,
  shards = SHARDS,
  pgNotify,
}: {
  clock: Clock;
  random: Random;
  shards?: number;
  /** None: relays find new events when they next look. */
  pgNotify?: PgNotify;
}): Outbox {
  function notifyAfterCommit(tx: Tx, touched: ReadonlySet<number>): void {
    if (pgNotify === undefined) return;
    tx.afterCommit(() => {
      for (const shard of touched) pgNotify.notify(OUTBOX_CHANNEL, String(shard));
    });
  }

  async function appendMany(tx: Tx, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const at = await clock.now(tx);
    const ids = events.map(() => random.uuid());
    const shardOf = events.map((event) => shard(event, shards));
    const written = await tx.execute(APPEND, [
      iso(at),
      ids,
      events.map((event) => event.stream),
      events.map((event) => event.event_name),
      events.map((event) => event.version),
      events.map((event) => event.aggregate_id),
      shardOf,
      events.map((event, index) => event.correlation_id ?? correlationId() ?? ids[index] ?? null),
      events.map(dataOf),
    ]);
    if (written !== events.length) throw new Error(`${events.length} events, but ${written} were written`);
    notifyAfterCommit(tx, new Set(shardOf));
  }

  return { append: (tx, event) => appendMany(tx, [event]), appendMany };
}

/** Aggregates are locked in one order, whatever the order of the list, so two such statements cannot deadlock. */
const APPEND = prepared(`
with pending as (
  select * from unnest($2::uuid[], $3::text[], $4::text[], $5::smallint[], $6::text[], $7::smallint[], $8::text[], $9::text[])
    with ordinality as n (event_id, stream, event_name, version, aggregate_id, shard, correlation_id, data, place)
), counted as (
  select stream, aggregate_id, count(*) as events from pending group by stream, aggregate_id order by stream, aggregate_id
), drawn as (
  insert into event_sequences (stream, aggregate_id, last_sequence)
  select stream, aggregate_id, events from counted order by stream, aggregate_id
  on conflict (stream, aggregate_id) do update set last_sequence = event_sequences.last_sequence + excluded.last_sequence
  returning stream, aggregate_id, last_sequence
)
insert into outbox (event_id, stream, event_name, version, aggregate_id, sequence, shard, correlation_id, occurred_at, data)
select event_id, stream, event_name, version, aggregate_id,
  last_sequence - events + row_number() over (partition by stream, aggregate_id order by place),
  shard, correlation_id, $1::timestamptz, data::jsonb
from pending join counted using (stream, aggregate_id) join drawn using (stream, aggregate_id)
order by place`);

function dataOf({ event_name, data }: NewEvent): string {
  const text = JSON.stringify(data);
  if (Buffer.byteLength(text) > DATA_BYTES_MAX) throw new Error(`the data of ${event_name} is too large to travel`);
  return text;
}

/** FNV-1a: small, and the same in every process and version. */
function shard({ stream, aggregate_id }: NewEvent, shards: number): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${stream}/${aggregate_id}`)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % shards;
}
