import { type Clock, type Db, iso, prepared, type Tx } from '@moorage/server';
import { ENVELOPE_COLUMNS, envelopeOf, type EnvelopeRow } from './envelope';
import type { EventTransport } from './types';

const BATCH = 500;
/** Maximum idle time of a session that holds a shard's lock. It is longer than any publish takes. */
const IDLE_IN_TX_TIMEOUT = '30s';

export interface RelayOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly transport: Pick<EventTransport, 'publish'>;
  /** Maximum number of events per publish, 500 by default. */
  readonly batch?: number;
}

/**
 * Publishes the events of the outbox, in id order within each shard. Only one relay works on a shard at a time. The
 * advisory lock ends with its transaction, so a crashed relay cannot keep it, and a frozen relay loses it when the
 * database ends its session. A crash between sending and marking sends the events again, and the inbox ignores what it
 * already has.
 */
export class Relay {
  constructor(private readonly options: RelayOptions) {}

  /** Returns the shards that contain unsent events. */
  async shards(): Promise<number[]> {
    const rows = await this.options.db.read('relay.read', (tx) => tx.query<{ shard: number }>(PENDING_SHARDS));
    return rows.map(({ shard }) => shard);
  }

  /**
   * Sends one batch of the given shards, except those locked by another relay.
   *
   * @returns Number of events sent, and in `more` the shards that contain further unsent events.
   */
  publish(shards: readonly number[]): Promise<{ sent: number; more: number[] }> {
    const { db, clock, transport, batch = BATCH } = this.options;
    const publish = async (tx: Tx): Promise<{ sent: number; more: number[] }> => {
      const limit = Math.ceil(batch / shards.length);
      const rows = await tx.query<EnvelopeRow & { id: string; shard: number }>(LOCK_AND_UNSENT, [
        shards,
        limit,
        IDLE_IN_TX_TIMEOUT,
      ]);
      if (rows.length === 0) return { sent: 0, more: [] };
      // At the same time, because the database is idle while the transport sends.
      const [at] = await Promise.all([clock.now(tx), transport.publish(rows.map(envelopeOf))]);
      await db.checkpoints.at('relay.publish.sent');
      await tx.execute(SENT, [iso(at), rows.map(({ id }) => id)]);
      const more = shards.filter((shard) => rows.filter((row) => row.shard === shard).length === limit);
      return { sent: rows.length, more };
    };
    // Marks that a crash of the database undoes are made again, after the events were sent again.
    return db.tx('relay.publish', publish, { durable: false });
  }

  /** Sends one batch of all shards and returns the number of events. */
  async tick(): Promise<number> {
    const wanted = await this.shards();
    return wanted.length === 0 ? 0 : (await this.publish(wanted)).sent;
  }
}

/**
 * Selects a batch of unsent events from each unlocked shard, by the index of unsent events, so the size of the backlog
 * does not matter. This is one statement. If the previous lock holder commits between our read and our lock, we send
 * its events once more, in order.
 */
const LOCK_AND_UNSENT = prepared(`
with mine as materialized (
  select shard, set_config('idle_in_transaction_session_timeout', $3, true),
    pg_try_advisory_xact_lock(hashtextextended('moorage.relay', shard)) as got
  from unnest($1::smallint[]) as wanted (shard)
)
select o.id, o.shard, ${ENVELOPE_COLUMNS}
from mine
cross join lateral (
  select * from outbox where mine.got and shard = mine.shard and sent_at is null order by id limit $2
) o
order by o.id`);

const SENT = prepared('update outbox set sent_at = $1 where id = any($2::bigint[])');

/** Skips from shard to shard in the index of unsent events, regardless of the number of events in each shard. */
const PENDING_SHARDS = prepared(`
with recursive found as (
  (select shard from outbox where sent_at is null order by shard limit 1)
  union all
  select (select shard from outbox where sent_at is null and shard > found.shard order by shard limit 1)
  from found where found.shard is not null
)
select shard from found where shard is not null`);
