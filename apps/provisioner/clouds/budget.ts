import { type CloudName, type Instant, iso, MINUTE_MS, SECOND_MS } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { Cloud } from './cloud';

/** What a provider counts of one token, and how many it takes in what time. */
interface Limit {
  readonly counts: 'calls' | 'creates';
  readonly most: number;
  readonly window_ms: number;
}

/** Decisions 42. Providers without a row have no limit that we could meet. */
const LIMITS: Partial<Readonly<Record<CloudName, Limit>>> = {
  digitalocean: { counts: 'calls', most: 250, window_ms: MINUTE_MS },
  linode: { counts: 'creates', most: 10, window_ms: 30 * SECOND_MS },
};

/** This part of a limit may go out at once; the rest is spread over the window, so that no window ever holds more than all. */
const BURST = 0.2;

/** Has every call of this token to be counted? */
export const countsCalls = ({ name, budgetKey }: Pick<Cloud, 'name' | 'budgetKey'>): boolean =>
  budgetKey !== null && LIMITS[name]?.counts === 'calls';

/** What a step is about to ask a provider for. */
export interface Cost {
  readonly calls?: number;
  readonly creates?: number;
}

/** Takes the cost from the token's budget row. null: it may be asked now; else when to come again. */
export async function takeBudget(
  tx: Tx,
  { name: provider, budgetKey }: Pick<Cloud, 'name' | 'budgetKey'>,
  cost: Cost,
  now: Instant,
): Promise<Instant | null> {
  const limit = LIMITS[provider];
  const wanted = limit === undefined ? 0 : (cost[limit.counts] ?? 0);
  if (limit === undefined || budgetKey === null || wanted === 0) return null;
  const burst = limit.most * BURST;
  const each_ms = limit.window_ms / (limit.most - burst);
  const row = `${provider} ${budgetKey}`;
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
