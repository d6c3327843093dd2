import { type Day, type Instant, iso, PRICE_LIST } from '@moorage/domain';
import { type Clock, type Db, sqlState, type Tx } from '@moorage/server';
import CHARGE_CHUNK from './charge-chunk.sql';

/** Users of a chunk: a range of IDs, the same for every runner and every attempt. */
export interface Chunk {
  readonly firstUserId: number;
  readonly lastUserId: number;
}

export type ChunkResult =
  | { readonly state: 'charged'; readonly charged: number; readonly others: readonly number[] }
  /** Another runner is processing it. */
  | { readonly state: 'busy' }
  | { readonly state: 'finished' };

/** Memory to sort a chunk's postings. The default of 4 MB spills to files and is a fifth slower. */
const SORT_MEMORY = '32MB';

/** First key of the advisory lock. The second is the chunk. */
const CHUNK_LOCK = 760_512;

/**
 * Charges the accounts of a chunk that need no special handling, in a single transaction, and returns the others. If
 * there are no others, the checkpoint row is written in the same transaction.
 */
export async function chargeChunk(
  { db, clock }: { db: Db; clock: Clock },
  { day, chunk, at, wait }: { day: Day; chunk: Chunk; at: Instant | undefined; wait: boolean },
): Promise<ChunkResult> {
  return db.tx('billing.chunk', async (tx) => {
    if (!(await takeTurn(tx, chunk, wait))) return { state: 'busy' };
    const finished = await tx.query('select 1 from billing_run_chunks where day = $1 and first_user_id = $2', [
      day,
      chunk.firstUserId,
    ]);
    if (finished.length > 0) return { state: 'finished' };
    const locked = await lockWallets(tx, day, chunk);
    const now = at ?? (await clock.now(tx));
    await tx.execute(`set local work_mem = '${SORT_MEMORY}'`);
    const [row] = await tx.query<{ charged: number; others: number[] }>(CHARGE_CHUNK, [
      day,
      chunk.firstUserId,
      chunk.lastUserId,
      iso(now),
      PRICE_LIST.creditUnlockBalance.micros,
      locked,
    ]);
    await db.checkpoints.at('billing.chunk.inside');
    const { charged = 0, others = [] } = row ?? {};
    if (others.length === 0) await writeCheckpoint(tx, { day, chunk, charged, settled: 0, now });
    return { state: 'charged', charged, others };
  });
}

/** Locks the chunk for one runner. A second runner continues with another chunk, and waits only if none is left. */
async function takeTurn(tx: Tx, chunk: Chunk, wait: boolean): Promise<boolean> {
  if (wait) {
    // Another active runner is not a leaked lock.
    await tx.execute('set local lock_timeout = 0');
    await tx.query('select pg_advisory_xact_lock($1, $2)', [CHUNK_LOCK, chunk.firstUserId]);
    await tx.execute('set local lock_timeout to default');
    return true;
  }
  const [row] = await tx.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1, $2) as taken', [
    CHUNK_LOCK,
    chunk.firstUserId,
  ]);
  return row?.taken === true;
}

const DUE_USERS = `
select w.user_id from wallets w
where w.user_id between $2 and $3 and exists (
  select 1 from meters m
  where m.user_id = w.user_id and not m.reckoned and (m.charged_through is null or m.charged_through < $1::date)
)
order by w.user_id`;

/** Returns the users that `chargeChunk` would have charged, for when it fails. */
export async function dueUsers(db: Db, day: Day, { firstUserId, lastUserId }: Chunk): Promise<number[]> {
  const rows = await db.read('billing.due', (tx) =>
    tx.query<{ user_id: number }>(DUE_USERS, [day, firstUserId, lastUserId]),
  );
  return rows.map(({ user_id }) => user_id);
}

/**
 * Returns whether the error is caused by a row. Classes 22 and 23 (data and constraints) mean that a row's value would
 * fail on every attempt. 55P03 and 57014 are lock and statement timeouts.
 */
export function isFaultOfRow(error: unknown): boolean {
  return /^2[23]|^55P03$|^57014$/.test(sqlState(error) ?? '');
}

/**
 * Locks wallets in order of ID before reading the data they protect, so that the next statement sees what others have
 * committed. That statement may also see accounts added during the wait. It therefore gets the locked IDs, and
 * `settleAccount` charges the others.
 */
async function lockWallets(tx: Tx, day: Day, { firstUserId, lastUserId }: Chunk): Promise<string> {
  // PostgreSQL's array notation, because thousands of IDs are only passed back.
  const [row] = await tx.query<{ locked: string }>(
    `with locked as (
       ${DUE_USERS} for update
     )
     select coalesce(array_agg(user_id), '{}')::text as locked from locked`,
    [day, firstUserId, lastUserId],
  );
  return row?.locked ?? '{}';
}

/** Marks a chunk as finished, so that it is not processed again. */
export async function writeCheckpoint(
  tx: Tx,
  row: { day: Day; chunk: Chunk; charged: number; settled: number; now: Instant },
): Promise<void> {
  await tx.execute(
    `insert into billing_run_chunks (day, first_user_id, last_user_id, charged, settled, finished_at)
     values ($1, $2, $3, $4, $5, $6) on conflict (day, first_user_id) do nothing`,
    [row.day, row.chunk.firstUserId, row.chunk.lastUserId, row.charged, row.settled, iso(row.now)],
  );
}
