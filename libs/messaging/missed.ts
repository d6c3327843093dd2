import { iso, type SqlValue, type Tx } from '@moorage/server';
import { ENVELOPE_COLUMNS, envelopeOf, type EnvelopeRow } from './envelope';
import type { Envelope } from './types';

/**
 * Published events that a consumer never got: neither in its inbox nor behind its position. The outbox is the log that
 * every transport is measured by. Each event is looked up in both by index: how many others are kept costs nothing.
 */
const NOT_KNOWN = `
  (select i.event_id from inbox i where i.consumer = $1 and i.event_id = o.event_id) is null
  and coalesce((
    select p.last_sequence from inbox_positions p
    where p.consumer = $1 and p.stream = o.stream and p.aggregate_id = o.aggregate_id
  ), 0) < o.sequence`;

/** Events by their ids, for a transport that told only these; one that is gone from the outbox is left out. */
export async function eventsByIds(tx: Tx, ids: readonly string[]): Promise<Envelope[]> {
  const rows = await tx.query<EnvelopeRow>(`select ${ENVELOPE_COLUMNS} from outbox where event_id = any($1::uuid[])`, [
    ids,
  ]);
  return rows.map(envelopeOf);
}

/** Of what was sent within a stretch of time, a page. */
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
    /** Sent at or after. */
    from: number;
    /** Sent before. */
    to: number;
    /** The last outbox id of the page before, '0' at first. */
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

/** A place in the order of sending. What was sent before there was a number has 0 and goes by its id. */
export interface Place {
  readonly no: number;
  readonly id: number;
}

export const BEGINNING: Place = { no: 0, id: 0 };

/** Up to where each of these streams is known to have reached the consumer. */
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

/** A place only moves on, whoever comes later with an earlier one. */
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

/** One page of a stream in the order of sending, and what of it the consumer does not have. */
export interface SentPage {
  readonly places: readonly Place[];
  readonly missed: readonly Envelope[];
  /** Nothing lies behind it that is to be looked at now. */
  readonly complete: boolean;
}

/** `young`: sent in this stretch of time is still on its way; the page ends before the first of them. */
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

/** What may still be written with a number that is drawn: the numbers drawn so far, and who was drawing then. */
export interface Drawn {
  readonly no: number;
  readonly holders: readonly string[];
}

/**
 * Who draws a number takes a lock on the sequence first and keeps it until its transaction has ended, and its rows are
 * visible before the lock is gone. So once every holder seen after a look at the sequence has ended, no row will ever
 * appear with a number up to the one that was last then.
 */
export async function drawnBy(tx: Tx): Promise<Drawn> {
  const [row] = await tx.query<{ last: string }>(
    'select case when is_called then last_value else 0 end as last from outbox_sent_no',
  );
  if (row === undefined) throw new Error('a sequence without a row');
  // a statement of its own, after the look at the sequence
  const holders = await tx.query<{ holder: string }>(HOLDERS);
  return { no: Number(row.last), holders: holders.map(({ holder }) => holder) };
}

const HOLDERS = `
select virtualtransaction as holder from pg_locks
where locktype = 'relation' and relation = 'outbox_sent_no'::regclass and mode = 'RowExclusiveLock'
  and database = (select oid from pg_database where datname = current_database())`;
