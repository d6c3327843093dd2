import { descriptorOf, type Instant, iso } from '@moorage/domain';
import type { Db, Reads, Tx } from '@moorage/server';
import type { Cloud } from './cloud';

/**
 * Share of a limit that may be used immediately. The rest is spread over the window, so that no window exceeds the
 * limit.
 */
const BURST = 0.2;

/** The provider and the token that a budget belongs to. */
type Token = Pick<Cloud, 'name' | 'budgetKey'>;

const rowOf = ({ name, budgetKey }: Token): string => `${name} ${budgetKey ?? ''}`;

/**
 * Returns the time until which the provider blocks this token, as reported to any of our processes, or null if it is
 * not blocked.
 */
export async function blockedUntil(reads: Reads, token: Token, now: Instant): Promise<Instant | null> {
  if (token.budgetKey === null) return null;
  const [row] = await reads.query<{ blocked_until: Instant }>(
    'select blocked_until from cloud_budgets where name = $1 and blocked_until > $2',
    [rowOf(token), iso(now)],
  );
  return row?.blocked_until ?? null;
}

/** Records that the provider rejected this token for too many requests. No process sends a request before `until`. */
export async function blockUntil(
  tx: Tx,
  token: Token,
  { now, until }: { now: Instant; until: Instant },
): Promise<void> {
  const burst = (descriptorOf(token.name).rateLimit?.most ?? 0) * BURST;
  await tx.execute(
    `insert into cloud_budgets as b (name, creates_left, filled_at, blocked_until) values ($1, $2, $3, $4)
     on conflict (name) do update set blocked_until = greatest(b.blocked_until, excluded.blocked_until)`,
    [rowOf(token), burst, iso(now), iso(until)],
  );
}

/** Requests that a step is about to send to a provider. */
export interface Cost {
  readonly calls?: number;
  readonly creates?: number;
}

/**
 * Charges the cost to the token's budget row. Returns null if the requests may be sent now, otherwise the time of the
 * next attempt, including when the provider has blocked the token.
 */
export async function takeBudget(tx: Tx, token: Token, cost: Cost, now: Instant): Promise<Instant | null> {
  const blocked = await blockedUntil(tx, token, now);
  if (blocked !== null) return blocked;
  const limit = descriptorOf(token.name).rateLimit;
  const wanted = limit === undefined ? 0 : (cost[limit.counts] ?? 0);
  if (limit === undefined || token.budgetKey === null || wanted === 0) return null;
  const burst = limit.most * BURST;
  const each_ms = limit.window_ms / (limit.most - burst);
  const row = rowOf(token);
  // `creates_left` counts calls or creates, depending on the provider.
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

/** Returns null if this number of calls may be sent now, otherwise the time of the next attempt. */
export async function callsFree(db: Db, token: Token, calls: number, now: Instant): Promise<Instant | null> {
  if (token.budgetKey === null) return null;
  return db.tx('provider.calls', (tx) => takeBudget(tx, token, { calls }, now));
}
