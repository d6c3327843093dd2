import { addDays, type Day, dayOf, type Instant, iso } from '@moorage/domain';
import type { Clock, Db, Reads, Tx } from '@moorage/server';
import { createHash } from 'node:crypto';

/** Seal of a night: the postings since the previous seal, and a hash that continues the chain of seals. */
export interface Seal {
  readonly day: Day;
  readonly afterId: number;
  readonly throughId: number;
  readonly accounts: number;
  readonly hash: string;
  readonly stretches: readonly Stretch[];
  readonly sealedAt: Instant;
}

/** Hash over the heads and facts of a range of accounts, small enough to search and few enough to store. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly accounts: number;
  readonly hash: string;
}

const STRETCHES_MAX = 200;
/** Maximum number of checks for the end of earlier transactions. The clock sleeps in between. */
const CHECKS_MAX = 600;
const CHECK_INTERVAL_MS = 100;

const CONTENTS = `
select user_id, 1 as kind, id, hash as content from (
  select distinct on (user_id) user_id, id, hash from ledger_transactions
  where id > $1 and id <= $2 and hash is not null order by user_id, id desc
) head
union all
select user_id, 2, through_id, hash || convert_to(state::text, 'UTF8') from ledger_checkpoints where through_id > $1 and through_id <= $2
union all
select user_id, 3, id, record_send(row(id, deployment_id, user_id, billable_from, billable_to, actor, reason, written_at))
from interval_changes where id > $1 and id <= $2
union all
select user_id, 4, id, record_send(row(id, credit_id, user_id, credit_type, amount_micros, expires_at, actor, actor_user_id, reason, written_at))
from credit_terms where id > $1 and id <= $2
union all
select d.user_id, 5, r.id, record_send(row(r.id, r.deployment_id, r.effective_from, r.support_level, r.hourly_micros, r.actor, r.actor_user_id, r.reason, r.written_at))
from deployment_rates r join deployments d on d.id = r.deployment_id where r.id > $1 and r.id <= $2
union all
select d.user_id, 6, r.id, record_send(row(r.id, r.change_id, r.base_before_micros, r.base_hourly_micros))
from deployment_rates r join deployments d on d.id = r.deployment_id where r.id > $1 and r.id <= $2 and r.change_id is not null`;

const STRETCHES = `
select user_id / $3::int as stretch, count(distinct user_id)::int as accounts,
  encode(sha256(string_agg(int4send(user_id) || content, '' order by user_id, kind, id)), 'hex') as hash
from (${CONTENTS}) c group by 1 order by 1`;

/** Reads everything written in a range of IDs. The first account range of the seal determines the width. */
export async function readStretches(
  tx: Tx,
  { afterId, throughId, width }: { afterId: number; throughId: number; width: number },
): Promise<Stretch[]> {
  const rows = await tx.query<{ stretch: number; accounts: number; hash: string }>(STRETCHES, [
    afterId,
    throughId,
    width,
  ]);
  return rows.map(({ stretch, accounts, hash }) => ({
    from: stretch * width,
    to: (stretch + 1) * width - 1,
    accounts,
    hash,
  }));
}

/** Computes the hash of a seal from the previous seal, its range and its account ranges. */
export function hashOfSeal(
  before: string | null,
  { afterId, throughId, stretches }: Pick<Seal, 'afterId' | 'throughId' | 'stretches'>,
): string {
  const hash = createHash('sha256').update(`${before ?? ''} ${afterId} ${throughId}\n`);
  for (const { from, to, hash: of } of stretches) hash.update(`${from} ${to} ${of}\n`);
  return hash.digest('hex');
}

export async function newestSeal(tx: Reads): Promise<Seal | undefined> {
  return (await readSeals(tx, 1)).at(0);
}

/** Returns the seals, newest first. */
export async function readSeals(tx: Reads, limit: number): Promise<Seal[]> {
  const rows = await tx.query<{
    day: Day;
    after_id: string;
    through_id: string;
    accounts: number;
    hash: string;
    stretches: readonly Stretch[];
    sealed_at: Instant;
  }>(
    `select day, after_id, through_id, accounts, encode(hash, 'hex') as hash, stretches, sealed_at from ledger_seals
     order by through_id desc limit $1`,
    [limit],
  );
  return rows.map((row) => ({
    day: row.day,
    afterId: Number(row.after_id),
    throughId: Number(row.through_id),
    accounts: row.accounts,
    hash: row.hash,
    stretches: row.stretches,
    sealedAt: row.sealed_at,
  }));
}

/**
 * Returns the ID up to which nothing can be written any more, or null if a transaction does not end. This is the
 * current value of the sequence, once every transaction that may have drawn from it has ended. Drawing an ID locks the
 * sequence until the end of the transaction.
 */
export async function settledId(db: Db, clock: Clock): Promise<number | null> {
  const [row] = await db.read('billing.seal', (tx) =>
    tx.query<{ last: string }>(
      'select case when is_called then last_value else 0 end as last from ledger_transactions_id_seq',
    ),
  );
  if (row === undefined) throw new Error('sequence query returned no row');
  // Read after the sequence. A transaction that drew an ID before and is not listed here has ended.
  const drawing = await holders(db);
  for (let scope = 0; scope < CHECKS_MAX; scope++) {
    const now = new Set(scope === 0 ? drawing : await holders(db));
    if (!drawing.some((holder) => now.has(holder))) return Number(row.last);
    await clock.sleep(CHECK_INTERVAL_MS);
  }
  return null;
}

async function holders(db: Db): Promise<string[]> {
  const rows = await db.read('billing.seal', (tx) =>
    tx.query<{ holder: string }>(
      `select virtualtransaction as holder from pg_locks
       where locktype = 'relation' and relation = 'ledger_transactions_id_seq'::regclass and mode = 'RowExclusiveLock'
         and database = (select oid from pg_database where datname = current_database())`,
    ),
  );
  return rows.map(({ holder }) => holder);
}

/** Seals the postings since the previous seal. Returns undefined if there are none. */
export async function writeSeal(
  tx: Tx,
  { throughId, at }: { throughId: number; at: Instant },
): Promise<Seal | undefined> {
  const before = await newestSeal(tx);
  const afterId = before?.throughId ?? 0;
  if (throughId <= afterId) return undefined;
  const [range] = await tx.query<{ last: number }>('select coalesce(max(user_id), 0)::int as last from wallets');
  const width = Math.max(1, Math.ceil(((range?.last ?? 0) + 1) / STRETCHES_MAX));
  const stretches = await readStretches(tx, { afterId, throughId, width });
  const hash = hashOfSeal(before?.hash ?? null, { afterId, throughId, stretches });
  const accounts = stretches.reduce((sum, stretch) => sum + stretch.accounts, 0);
  // The day that has ended when the nightly proof runs.
  const day = addDays(dayOf(at), -1);
  const rows = await tx.query(
    `insert into ledger_seals (through_id, after_id, day, accounts, hash, stretches, sealed_at)
     values ($1, $2, $3, $4, decode($5, 'hex'), $6, $7) on conflict do nothing returning 1`,
    [throughId, afterId, day, accounts, hash, JSON.stringify(stretches), iso(at)],
  );
  // Another process has sealed it in the meantime.
  if (rows.length === 0) return undefined;
  return { day, afterId, throughId, accounts, hash, stretches, sealedAt: at };
}
