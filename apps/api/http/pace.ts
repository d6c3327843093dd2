import { createHash } from 'node:crypto';
import { againIn, DomainError } from '@moorage/domain';
import type { Clock, Db, SqlValue } from '@moorage/server';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { LimitName, LimitTable } from './limits';

/** Counts in PostgreSQL, so that every api process counts together. */
export interface Pace {
  /** Takes one from every window of the limit; PACE_EXCEEDED (429, `Retry-After`) when one of them is used up. */
  take(name: LimitName, key: string): Promise<void>;
  /** Forgets what was taken: the tries were its owner's after all. */
  forget(name: LimitName, key: string): Promise<void>;
  /** Has this been remembered lately? */
  knows(key: string): Promise<boolean>;
  remember(key: string, seconds: number): Promise<void>;
  /** Removes what has run out. */
  clean(): Promise<void>;
}

const PURSES_MAX = 10_000;

export function createPace({ db, clock, limits }: { db: Db; clock: Clock; limits: LimitTable }): Pace {
  // the library speaks to the database through the one door; its table is made by the migration
  const storeClient = {
    query: ({ text, values }: { text: string; values: SqlValue[] }) =>
      db.tx('pace.count', async (tx) => {
        const rows = await tx.query(text, values);
        return { rows, rowCount: rows.length };
      }),
  };
  const limiter = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration,
      // whoever is over the limit costs the database nothing more until the window ends
      inMemoryBlockOnConsumed: points + 1,
    });
  const windows = new Map(
    Object.entries(limits).map(([name, limit]) => [
      name as LimitName,
      limit.windows.map(({ points, per_s }) => limiter(`${name}-${per_s}`, points, per_s)),
    ]),
  );
  const known = limiter('known', 1, 1);
  const purses = new Map<string, { left: number; until: number }>();

  async function consume(name: LimitName, key: string, points: number): Promise<void> {
    for (const window of windows.get(name) ?? []) {
      try {
        await window.consume(key, points);
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
        throw new DomainError('PACE_EXCEEDED', `${limits[name].detail} ${againIn(seconds)}`, {
          retry_after_s: seconds,
        });
      }
    }
  }

  return {
    async take(name, given) {
      const key = hashed(given);
      const batch = limits[name].batch ?? 1;
      if (batch === 1) return consume(name, key, 1);
      const purse = purses.get(`${name}:${key}`);
      if (purse !== undefined && purse.left > 0 && clock.wall() < purse.until) {
        purse.left--;
        return;
      }
      await consume(name, key, batch);
      if (purses.size >= PURSES_MAX) purses.clear();
      purses.set(`${name}:${key}`, {
        left: batch - 1,
        until: clock.wall() + (limits[name].windows[0]?.per_s ?? 0) * 1000,
      });
    },
    async forget(name, key) {
      for (const window of windows.get(name) ?? []) await window.delete(hashed(key));
    },
    async knows(key) {
      return (await known.get(hashed(key))) !== null;
    },
    async remember(key, seconds) {
      await known.set(hashed(key), 1, seconds);
    },
    async clean() {
      await db.tx('pace.clean', async (tx) => {
        const ended = (await tx.transactionTime()) - 60_000;
        await tx.execute(
          'delete from rate_limits where key in (select key from rate_limits where expire < $1 limit 10000)',
          [ended],
        );
      });
    },
  };
}

/** Keys hold what people typed and where they are: the table need not. */
function hashed(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 32);
}
