import { iso, type SqlValue, type Tx } from '@moorage/server';
import { ENVELOPE_COLUMNS, envelopeOf, type EnvelopeRow } from './envelope';
import type { Envelope } from './types';

/**
 * Published events that a consumer never got: neither in its inbox nor behind its position. The outbox is the log that
 * every transport is measured by.
 */
export async function missedBy(
  tx: Tx,
  {
    consumer,
    streams,
    from,
    to,
    after,
    limit,
  }: {
    consumer: string;
    streams: readonly string[];
    /** Sent at or after; null: however long ago. */
    from: number | null;
    /** Sent before. */
    to: number;
    /** The last outbox id of the page before, '0' at first. */
    after: string;
    limit: number;
  },
): Promise<{ envelopes: Envelope[]; last: string; complete: boolean }> {
  const params: SqlValue[] = [consumer, streams, from === null ? '-infinity' : iso(from), iso(to), after, limit];
  const rows = await tx.query<EnvelopeRow & { id: string }>(MISSED, params);
  return { envelopes: rows.map(envelopeOf), last: rows.at(-1)?.id ?? after, complete: rows.length < limit };
}

const MISSED = `
select o.id, ${ENVELOPE_COLUMNS}
from outbox o
where o.stream = any($2) and o.sent_at >= $3::timestamptz and o.sent_at < $4::timestamptz and o.id > $5
  and not exists (select from inbox i where i.consumer = $1 and i.event_id = o.event_id)
  and not exists (
    select from inbox_positions p
    where p.consumer = $1 and p.stream = o.stream and p.aggregate_id = o.aggregate_id and p.last_sequence >= o.sequence
  )
order by o.id limit $6`;
