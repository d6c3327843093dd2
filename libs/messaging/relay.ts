import { type Clock, type Db, iso, prepared } from '@moorage/server';
import { ENVELOPE_COLUMNS, envelopeOf, type EnvelopeRow } from './envelope';
import type { EventTransport } from './types';

/**
 * Publishes the events of the outbox, in id order within each shard. Only one relay works on a shard at a time. The
 * advisory lock ends with its transaction, so a crashed relay cannot keep it, and a frozen relay loses it when the
 * database ends its session. A crash between sending and marking sends the events again, and the inbox ignores what it
 * already has.
 */
export interface Relay {
  /** Returns the shards that contain unsent events. */
  shards(): Promise<number[]>;
  /**
   * Sends one batch of the given shards, except those locked by another relay.
   *
   * @returns Number of events sent, and in `more` the shards that contain further unsent events.
   */
  publish(shards: readonly number[]): Promise<{ sent: number; more: number[] }>;
  /** Sends one batch of all shards and returns the number of events. */
  readonly tick: () => Promise<number>;
}

const BATCH = 500;
/** Maximum idle time of a session that holds a shard's lock. It is longer than any publish takes. */
const IDLE_IN_TX_TIMEOUT = '30s';

/**
 * Creates a relay.
 *
 * @param options `batch` is the maximum number of events per publish, 500 by default.
 */
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
