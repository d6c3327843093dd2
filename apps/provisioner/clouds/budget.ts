import { type Instant, iso, MINUTE_MS, SECOND_MS } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { CloudName } from './cloud';

/** How many servers a provider lets one token create, and in what time. */
interface Limit {
  readonly creates: number;
  readonly window_ms: number;
}

/** Below what the providers say: the same token also looks and deletes. Providers without a row have no limit that we could meet. */
const LIMITS: Partial<Readonly<Record<CloudName, Limit>>> = {
  digitalocean: { creates: 60, window_ms: MINUTE_MS },
  linode: { creates: 9, window_ms: 30 * SECOND_MS },
};

/**
 * Takes one create from the provider's budget row (decisions 42). null: it may be asked now; else when to come again. The
 * budget fills evenly, so a row that was full lets a whole window's worth through at once and then one after the other.
 */
export async function takeCreate(tx: Tx, provider: CloudName, now: Instant): Promise<Instant | null> {
  const limit = LIMITS[provider];
  if (limit === undefined) return null;
  await tx.execute(
    `insert into cloud_budgets (name, creates_left, filled_at) values ($1, $2, $3) on conflict (name) do nothing`,
    [provider, limit.creates, iso(now)],
  );
  const [row] = await tx.query<{ creates_left: number; filled_at: Instant }>(
    'select creates_left, filled_at from cloud_budgets where name = $1 for update',
    [provider],
  );
  if (row === undefined) return null;
  const each_ms = limit.window_ms / limit.creates;
  const left = Math.min(limit.creates, row.creates_left + Math.max(0, now - row.filled_at) / each_ms);
  const taken = left >= 1;
  await tx.execute('update cloud_budgets set creates_left = $2, filled_at = $3 where name = $1', [
    provider,
    taken ? left - 1 : left,
    iso(now),
  ]);
  return taken ? null : now + Math.ceil((1 - left) * each_ms);
}
