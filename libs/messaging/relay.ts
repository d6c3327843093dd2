import { type Clock, type Db, iso, prepared } from '@moorage/server';
import { ENVELOPE_COLUMNS, envelopeOf, type EnvelopeRow } from './envelope';
import type { EventTransport } from './types';

/**
 * Publishes what the outbox holds, in id order within each shard. One relay per shard at a time: the advisory lock ends
 * with its transaction, so a crashed relay never keeps it, and a frozen one loses it when the database ends its session.
 * A crash between sending and marking sends again: arrival ignores what it knows.
 */
export interface Relay {
  /** Shards that hold unsent events. */
  shards(): Promise<number[]>;
  /** Sends one batch of those shards that no other relay is at. `more`: shards that hold more than fitted. */
  publish(shards: readonly number[]): Promise<{ sent: number; more: number[] }>;
  /** One batch of all shards; the number of events sent. */
  readonly tick: () => Promise<number>;
}

const BATCH = 500;
/** How long a session may stand still with a shard's lock: longer than any publish takes. */
const IDLE_IN_TX_TIMEOUT = '30s';

export function createRelay({
  db,
  clock,
  transport,
  batch = BATCH,
}: {
  db: Db;
  clock: Clock;
  transport: Pick<EventTransport, 'publish'>;
  batch?: number;
}): Relay {
  const shards: Relay['shards'] = async () =>
    (await db.read('relay.read', (tx) => tx.query<{ shard: number }>(PENDING_SHARDS))).map(({ shard }) => shard);

  const publish: Relay['publish'] = (wanted) =>
    db.tx('relay.publish', async (tx) => {
      const limit = Math.ceil(batch / wanted.length);
      const rows = await tx.query<EnvelopeRow & { id: string; shard: number }>(LOCK_AND_UNSENT, [
        wanted,
        limit,
        IDLE_IN_TX_TIMEOUT,
      ]);
      if (rows.length === 0) return { sent: 0, more: [] };
      await transport.publish(rows.map(envelopeOf));
      await db.checkpoints.at('relay.publish.sent');
      await tx.execute(SENT, [iso(await clock.now(tx)), rows.map(({ id }) => id)]);
      const more = wanted.filter((shard) => rows.filter((row) => row.shard === shard).length === limit);
      return { sent: rows.length, more };
    });

  return {
    shards,
    publish,
    async tick() {
      const wanted = await shards();
      return wanted.length === 0 ? 0 : (await publish(wanted)).sent;
    },
  };
}

/**
 * Of each shard whose lock is free so many, from the index of unsent events, however many more there are. One statement:
 * should a lock's last holder commit between our look and our lock, we send what it sent once more, in order.
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

/** Hops from shard to shard in the index of unsent events, however many there are of each. */
const PENDING_SHARDS = prepared(`
with recursive found as (
  (select shard from outbox where sent_at is null order by shard limit 1)
  union all
  select (select shard from outbox where sent_at is null and shard > found.shard order by shard limit 1)
  from found where found.shard is not null
)
select shard from found where shard is not null`);
