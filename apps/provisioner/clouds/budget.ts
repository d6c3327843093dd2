import { type CloudName, HOUR_MS, type Instant, iso, MINUTE_MS, SECOND_MS } from '@moorage/domain';
import type { Db, Reads, Tx } from '@moorage/server';
import type { Cloud } from './cloud';

/** What a provider counts of one token, and how many it takes in what time. */
interface Limit {
  readonly counts: 'calls' | 'creates';
  readonly most: number;
  readonly window_ms: number;
}

/** Decisions 42. Providers without a row have no limit that we could meet. */
const LIMITS: Partial<Readonly<Record<CloudName, Limit>>> = {
  hetzner: { counts: 'calls', most: 3_600, window_ms: HOUR_MS },
  digitalocean: { counts: 'calls', most: 250, window_ms: MINUTE_MS },
  linode: { counts: 'creates', most: 10, window_ms: 30 * SECOND_MS },
};

/** This part of a limit may go out at once; the rest is spread over the window, so that no window ever holds more than all. */
const BURST = 0.2;

/** Whose budget it is. */
type Token = Pick<Cloud, 'name' | 'budgetKey'>;

const rowOf = ({ name, budgetKey }: Token): string => `${name} ${budgetKey ?? ''}`;

/** Until when the provider wants no request of this token, as it told one of our processes; null: it takes requests. */
export async function blockedUntil(reads: Reads, token: Token, now: Instant): Promise<Instant | null> {
  if (token.budgetKey === null) return null;
  const [row] = await reads.query<{ blocked_until: Instant }>(
    'select blocked_until from cloud_budgets where name = $1 and blocked_until > $2',
    [rowOf(token), iso(now)],
  );
  return row?.blocked_until ?? null;
}

/** The provider had too many requests of this token: nobody of us sends one before `until`. */
export async function blockUntil(
  tx: Tx,
  token: Token,
  { now, until }: { now: Instant; until: Instant },
): Promise<void> {
  const burst = (LIMITS[token.name]?.most ?? 0) * BURST;
  await tx.execute(
    `insert into cloud_budgets as b (name, creates_left, filled_at, blocked_until) values ($1, $2, $3, $4)
     on conflict (name) do update set blocked_until = greatest(b.blocked_until, excluded.blocked_until)`,
    [rowOf(token), burst, iso(now), iso(until)],
  );
}

/** What a step is about to ask a provider for. */
export interface Cost {
  readonly calls?: number;
  readonly creates?: number;
}

/** Takes the cost from the token's budget row. null: it may be asked now; else when to come again, also because the provider said so. */
export async function takeBudget(tx: Tx, token: Token, cost: Cost, now: Instant): Promise<Instant | null> {
  const blocked = await blockedUntil(tx, token, now);
  if (blocked !== null) return blocked;
  const limit = LIMITS[token.name];
  const wanted = limit === undefined ? 0 : (cost[limit.counts] ?? 0);
  if (limit === undefined || token.budgetKey === null || wanted === 0) return null;
  const burst = limit.most * BURST;
  const each_ms = limit.window_ms / (limit.most - burst);
  const row = rowOf(token);
  // `creates_left` holds whatever the provider counts
  await tx.execute(
    `insert into cloud_budgets (name, creates_left, filled_at) values ($1, $2, $3) on conflict (name) do nothing`,
    [row, burst, iso(now)],
  );
  const [budget] = await tx.query<{ creates_left: number; filled_at: Instant }>(
    'select creates_left, filled_at from cloud_budgets where name = $1 for update',
    [row],
  );
  if (budget === undefined) return null;
  const left = Math.min(burst, budget.creates_left + Math.max(0, now - budget.filled_at) / each_ms);
  const taken = left >= wanted;
  await tx.execute('update cloud_budgets set creates_left = $2, filled_at = $3 where name = $1', [
    row,
    taken ? left - wanted : left,
    iso(now),
  ]);
  return taken ? null : now + Math.ceil((wanted - left) * each_ms);
}

/** null: the provider may be asked so often now; else when to come again. */
export async function callsFree(db: Db, token: Token, calls: number, now: Instant): Promise<Instant | null> {
  if (token.budgetKey === null) return null;
  return db.tx('provider.calls', (tx) => takeBudget(tx, token, { calls }, now));
}
