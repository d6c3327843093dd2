import { iso, type SqlValue, type Tx } from '@moorage/server';
import { ENVELOPE_COLUMNS, envelopeOf, type EnvelopeRow } from './envelope';
import type { Envelope } from './types';

/**
 * Condition for a published event that a consumer never received. Such an event is neither in the consumer's inbox nor
 * behind its position. The outbox is the reference for every transport. Both checks use an index, so their cost does
 * not depend on the number of stored events.
 */
const NOT_KNOWN = `
  (select i.event_id from inbox i where i.consumer = $1 and i.event_id = o.event_id) is null
  and coalesce((
    select p.last_sequence from inbox_positions p
    where p.consumer = $1 and p.stream = o.stream and p.aggregate_id = o.aggregate_id
  ), 0) < o.sequence`;

/**
 * Reads events by their ids, for a transport that sent only the ids. Events that are no longer in the outbox are left
 * out.
 */
export async function eventsByIds(tx: Tx, ids: readonly string[]): Promise<Envelope[]> {
  const rows = await tx.query<EnvelopeRow>(`select ${ENVELOPE_COLUMNS} from outbox where event_id = any($1::uuid[])`, [
    ids,
  ]);
  return rows.map(envelopeOf);
}

/** Returns a page of the events that were sent in a time range and that the consumer never received. */
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
    /** Start of the range in milliseconds, inclusive. */
    from: number;
    /** End of the range in milliseconds, exclusive. */
    to: number;
    /** Last outbox id of the previous page, or '0' for the first page. */
    after: string;
    limit: number;
  },
): Promise<{ envelopes: Envelope[]; last: string; complete: boolean }> {
  const params: SqlValue[] = [consumer, streams, iso(from), iso(to), after, limit];
  const rows = await tx.query<EnvelopeRow & { id: string }>(MISSED, params);
  return { envelopes: rows.map(envelopeOf), last: rows.at(-1)?.id ?? after, complete: rows.length < limit };
}

const MISSED = `
select o.id, ${ENVELOPE_COLUMNS}
from outbox o
where o.stream = any($2) and o.sent_at >= $3::timestamptz and o.sent_at < $4::timestamptz and o.id > $5
  and ${NOT_KNOWN}
order by o.id limit $6`;

/** Position in the order of sending. Events sent before numbers were introduced have number 0 and are ordered by id. */
export interface Place {
  readonly no: number;
  readonly id: number;
}

export const BEGINNING: Place = { no: 0, id: 0 };

/** Returns the watermark of each stream, which is the place up to which the consumer is known to have every event. */
export async function watermarksOf(
  tx: Tx,
  { consumer, streams }: { consumer: string; streams: readonly string[] },
): Promise<ReadonlyMap<string, Place>> {
  const rows = await tx.query<{ stream: string; through_no: string; through_id: string }>(
    'select stream, through_no, through_id from inbox_watermarks where consumer = $1 and stream = any($2)',
    [consumer, streams],
  );
  return new Map(
    rows.map(({ stream, through_no, through_id }) => [stream, { no: Number(through_no), id: Number(through_id) }]),
  );
}

/**
 * Moves a watermark forward. An earlier place than the current one has no effect.
 *
 * @returns Number of rows changed (0 or 1).
 */
export function moveWatermark(
  tx: Tx,
  { consumer, stream, to }: { consumer: string; stream: string; to: Place },
): Promise<number> {
  return tx.execute(MOVE, [consumer, stream, to.no, to.id]);
}

const MOVE = `
insert into inbox_watermarks as w (consumer, stream, through_no, through_id) values ($1, $2, $3, $4)
on conflict (consumer, stream) do update set through_no = excluded.through_no, through_id = excluded.through_id
where (w.through_no, w.through_id) < (excluded.through_no, excluded.through_id)`;

/** Page of a stream in the order of sending, with the events the consumer does not have. */
export interface SentPage {
  readonly places: readonly Place[];
  readonly missed: readonly Envelope[];
  /** True if the page reached the end of the stream, or events that are still on their way. */
  readonly complete: boolean;
}

/**
 * Returns a page of a stream after a place.
 *
 * @param young Time range in which sent events are still on their way. The page ends before the first of them. Null
 * includes every event.
 * @param limit Maximum number of events.
 */
export async function pageAfter(
  tx: Tx,
  {
    consumer,
    stream,
    after,
    young,
    limit,
  }: { consumer: string; stream: string; after: Place; young: { from: number; to: number } | null; limit: number },
): Promise<SentPage> {
  const rows = await tx.query<{ id: string; sent_no: string; young: boolean; missed: boolean }>(PAGE_AFTER, [
    consumer,
    stream,
    after.no,
    after.id,
    limit,
    young === null ? null : iso(young.from),
    young === null ? null : iso(young.to),
  ]);
  const first = rows.findIndex(({ young }) => young);
  const old = first === -1 ? rows : rows.slice(0, first);
  const ids = old.filter(({ missed }) => missed).map(({ id }) => id);
  const missed =
    ids.length === 0
      ? []
      : await tx.query<EnvelopeRow>(
          `select ${ENVELOPE_COLUMNS} from outbox where id = any($1::bigint[]) order by sent_no, id`,
          [ids],
        );
  return {
    places: old.map(({ id, sent_no }) => ({ no: Number(sent_no), id: Number(id) })),
    missed: missed.map(envelopeOf),
    complete: first !== -1 || rows.length < limit,
  };
}

const PAGE_AFTER = `
select o.id, o.sent_no, coalesce(o.sent_at >= $6::timestamptz and o.sent_at <= $7::timestamptz, false) as young,
  ${NOT_KNOWN} as missed
from outbox o
where o.stream = $2 and o.sent_at is not null and (o.sent_no, o.id) > ($3::bigint, $4::bigint)
order by o.sent_no, o.id limit $5`;

/**
 * Snapshot of the send sequence, with the last number drawn and the transactions that were drawing numbers at that
 * moment.
 */
export interface Drawn {
  readonly no: number;
  readonly holders: readonly string[];
}

/**
 * Reads the send sequence and its current lock holders.
 *
 * A transaction takes a lock on the sequence before it draws a number, and holds the lock until it ends. Its rows
 * become visible before the lock is released. So once every holder that was seen after reading the sequence has ended,
 * no further row can appear with a number up to the one that was read.
 */
export async function drawnBy(tx: Tx): Promise<Drawn> {
  const [row] = await tx.query<{ last: string }>(
    'select case when is_called then last_value else 0 end as last from outbox_sent_no',
  );
  if (row === undefined) throw new Error('sequence query returned no row');
  // A separate statement, executed after the sequence was read.
  const holders = await tx.query<{ holder: string }>(HOLDERS);
  return { no: Number(row.last), holders: holders.map(({ holder }) => holder) };
}

const HOLDERS = `
select virtualtransaction as holder from pg_locks
where locktype = 'relation' and relation = 'outbox_sent_no'::regclass and mode = 'RowExclusiveLock'
  and database = (select oid from pg_database where datname = current_database())`;
