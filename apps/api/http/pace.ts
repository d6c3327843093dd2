import { createHash } from 'node:crypto';
import { againIn, DomainError } from '@moorage/domain';
import type { Clock, Db, SqlValue } from '@moorage/server';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { LimitName, LimitTable } from './limits';

/** Counts in PostgreSQL, so that every api process counts together. */
export interface Pace {
  /** Takes one from every window of the limit; PACE_EXCEEDED (429, `Retry-After`) when one of them is used up. */
  take(name: LimitName, key: string): Promise<void>;
  /**
   * The same for each of the networks, the narrowest first, so that what one of them is refused costs the wider ones nothing.
   * `key` names what is counted in a network; left out, the network itself.
   */
  takeFrom(name: LimitName, networks: readonly string[], key?: (network: string) => string): Promise<void>;
  /** Forgets what was taken: the tries were its owner's after all. */
  forget(name: LimitName, key: string): Promise<void>;
  /** Gives back one that was taken. */
  giveBack(name: LimitName, key: string): Promise<void>;
  /** Removes what has run out. */
  clean(): Promise<void>;
}

const PURSES_MAX = 10_000;
/** An IPv6 address is counted in networks of three widths. */
const WIDTHS = 3;
const WIDER = 2;

interface Counted {
  readonly key: string;
  readonly width: number;
}

/** Rows removed at a time. */
const CLEANED_MAX = 10_000;

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
  /** By limit and by how wide the network is: 0 for the narrowest, and for everything that is no network. */
  const windows = new Map<string, RateLimiterPostgres[]>();
  for (const [name, { windows: wanted, wider = WIDER }] of Object.entries(limits)) {
    for (let width = 0; width < WIDTHS; width++) {
      const suffix = width === 0 ? '' : `-w${width}`;
      windows.set(
        `${name}${suffix}`,
        wanted.map(({ points, per_s }) =>
          limiter(`${name}-${per_s}${suffix}`, Math.floor(points * wider ** width), per_s),
        ),
      );
    }
  }
  const purses = new Map<string, { left: number; until: number }>();
  const windowsOf = (name: LimitName, width: number) => windows.get(width === 0 ? name : `${name}-w${width}`) ?? [];

  async function consume(name: LimitName, { key, width }: Counted, points: number): Promise<void> {
    for (const window of windowsOf(name, width)) {
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

  async function take(name: LimitName, counted: Counted): Promise<void> {
    const batch = limits[name].batch ?? 1;
    if (batch === 1) return consume(name, counted, 1);
    const place = `${name}:${counted.key}`;
    const purse = purses.get(place);
    if (purse !== undefined && purse.left > 0 && clock.wall() < purse.until) {
      purse.left--;
      return;
    }
    await consume(name, counted, batch);
    if (purses.size >= PURSES_MAX) purses.clear();
    purses.set(place, { left: batch - 1, until: clock.wall() + (limits[name].windows[0]?.per_s ?? 0) * 1000 });
  }

  return {
    take: (name, key) => take(name, { key: hashed(key), width: 0 }),
    async takeFrom(name, networks, key = (network) => network) {
      for (const [width, network] of networks.entries()) await take(name, { key: hashed(key(network)), width });
    },
    async forget(name, key) {
      for (const window of windowsOf(name, 0)) await window.delete(hashed(key));
    },
    async giveBack(name, key) {
      for (const window of windowsOf(name, 0)) await window.reward(hashed(key), 1);
    },
    async clean() {
      await db.tx('pace.clean', async (tx) => {
        const ended = (await tx.transactionTime()) - 60_000;
        await tx.execute(
          `delete from rate_limits where ctid = any(array(
             select ctid from rate_limits where expire < $1 order by expire limit ${CLEANED_MAX}
           )) and expire < $1`,
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
