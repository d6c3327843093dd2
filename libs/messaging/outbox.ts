import { type Clock, correlationId, iso, prepared, type Random, type Tx } from '@moorage/server';
import type { PgNotify } from './pg-notify';
import type { NewEvent } from './types';

/** Channel that relays listen to. A payload lists the shards with pending events. */
export const OUTBOX_CHANNEL = 'moorage_outbox';

/**
 * Number of relays that can publish at the same time. Changing it is safe, because relays read the shards from the
 * table.
 */
const SHARDS = 8;
/**
 * Maximum size of event data in bytes. It is small enough for every transport, because an event that a transport
 * refused would block its shard.
 */
const DATA_BYTES_MAX = 256 * 1024;

/**
 * Publishes events from a transaction. An event is a row written in the same transaction as the change it describes.
 *
 * `sequence` comes from the aggregate's row in event_sequences, which stays locked until the end of the transaction.
 * The transaction that draws n+1 therefore continues only after the transaction that drew n has ended. If that
 * transaction committed, n was visible before n+1 was written. If it rolled back, n is drawn again. A reader that sees
 * an event sees all earlier events of its aggregate, and there are no gaps. The id is drawn under the same lock, so
 * within an aggregate it rises with the sequence. Between aggregates the order of ids is not the order of commits, and
 * nothing relies on it.
 */
export class Outbox {
  private readonly clock: Clock;
  private readonly random: Random;
  private readonly shards: number;
  private readonly pgNotify: PgNotify | undefined;

  /** `pgNotify` notifies relays of new events. Without it, relays find them at the next poll. */
  constructor({
    clock,
    random,
    shards = SHARDS,
    pgNotify,
  }: {
    clock: Clock;
    random: Random;
    shards?: number;
    pgNotify?: PgNotify;
  }) {
    this.clock = clock;
    this.random = random;
    this.shards = shards;
    this.pgNotify = pgNotify;
  }

  /**
   * Writes the event in the caller's transaction. It is published after the commit, in order per aggregate.
   *
   * @throws when the data exceeds 256 KiB.
   */
  append(tx: Tx, event: NewEvent): Promise<void> {
    return this.appendMany(tx, [event]);
  }

  /**
   * Writes many events in one statement. Events of one aggregate keep the order of the list.
   *
   * @throws when the data of an event exceeds 256 KiB.
   */
  async appendMany(tx: Tx, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const at = await this.clock.now(tx);
    const ids = events.map(() => this.random.uuid());
    const shards = events.map((event) => shardOf(event, this.shards));
    const written = await tx.execute(APPEND, [
      iso(at),
      ids,
      events.map((event) => event.stream),
      events.map((event) => event.event_name),
      events.map((event) => event.version),
      events.map((event) => event.aggregate_id),
      shards,
      events.map((event, index) => event.correlation_id ?? correlationId() ?? ids[index] ?? null),
      events.map(dataOf),
    ]);
    if (written !== events.length) throw new Error(`${written} of ${events.length} events were written`);
    this.notifyAfterCommit(tx, new Set(shards));
  }

  private notifyAfterCommit(tx: Tx, shards: ReadonlySet<number>): void {
    const { pgNotify } = this;
    if (pgNotify === undefined) return;
    tx.afterCommit(() => {
      for (const shard of shards) pgNotify.notify(OUTBOX_CHANNEL, String(shard));
    });
  }
}

/** Locks aggregates in a fixed order, independent of the order of the list, so two such statements cannot deadlock. */
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
  if (Buffer.byteLength(text) > DATA_BYTES_MAX) throw new Error(`the data of ${event_name} is too large for an event`);
  return text;
}

/** Returns the shard of an event by an FNV-1a hash, which is the same in every process and version. */
function shardOf({ stream, aggregate_id }: NewEvent, shards: number): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${stream}/${aggregate_id}`)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % shards;
}
