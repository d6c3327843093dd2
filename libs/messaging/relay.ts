import { type Clock, type Db, iso } from '@moorage/server';
import { ENVELOPE_COLUMNS, envelopeOf, type EnvelopeRow } from './envelope';
import type { EventTransport } from './types';

/**
 * Publishes what the outbox holds, shard by shard, in id order. One relay per shard at a time: the advisory lock ends
 * with its transaction, so a crashed relay never keeps it, and a frozen one loses it when the database ends its session.
 * A crash between sending and marking sends again: arrival ignores what it knows.
 */
export interface Relay {
  /** Shards that hold unsent events. */
  shards(): Promise<number[]>;
  /** Sends one batch of the shard. `busy`: another relay is at it. */
  publish(shard: number): Promise<{ sent: number; more: boolean } | 'busy'>;
  /** One batch of every shard; the number of events sent. */
  tick(): Promise<number>;
}

export const RELAY_BATCH = 500;
/** How long a session may stand still with a shard's lock: longer than any publish takes. */
const FROZEN_AFTER = '30s';

export function createRelay({
  db,
  clock,
  transport,
  batch = RELAY_BATCH,
}: {
  db: Db;
  clock: Clock;
  transport: Pick<EventTransport, 'publish'>;
  batch?: number;
}): Relay {
  const shards: Relay['shards'] = async () =>
    (await db.tx('relay.look', (tx) => tx.query<{ shard: number }>(SHARDS_WITH_NEWS))).map(({ shard }) => shard);

  const publish: Relay['publish'] = (shard) =>
    db.tx('relay.publish', async (tx) => {
      const [lock] = await tx.query<{ got: boolean }>(LOCK, [FROZEN_AFTER, shard]);
      if (lock?.got !== true) return 'busy';
      const rows = await tx.query<EnvelopeRow & { id: string }>(
        `select id, ${ENVELOPE_COLUMNS} from outbox where shard = $1 and sent_at is null order by id limit $2`,
        [shard, batch],
      );
      if (rows.length === 0) return { sent: 0, more: false };
      await transport.publish(rows.map(envelopeOf));
      await db.checkpoints.at('relay.publish.sent');
      await tx.execute('update outbox set sent_at = $1 where id = any($2::bigint[])', [
        iso(await clock.now(tx)),
        rows.map(({ id }) => id),
      ]);
      return { sent: rows.length, more: rows.length === batch };
    });

  return {
    shards,
    publish,
    async tick() {
      let sent = 0;
      for (const shard of await shards()) {
        const result = await publish(shard);
        if (result !== 'busy') sent += result.sent;
      }
      return sent;
    },
  };
}

/** The lock and the read are two statements: the read must see what the lock's last holder committed. */
const LOCK = `
select set_config('idle_in_transaction_session_timeout', $1, true),
  pg_try_advisory_xact_lock(hashtextextended('moorage.relay', $2)) as got`;

/** Hops from shard to shard in the index of unsent events, however many there are of each. */
const SHARDS_WITH_NEWS = `
with recursive found as (
  (select shard from outbox where sent_at is null order by shard limit 1)
  union all
  select (select shard from outbox where sent_at is null and shard > found.shard order by shard limit 1)
  from found where found.shard is not null
)
select shard from found where shard is not null`;
