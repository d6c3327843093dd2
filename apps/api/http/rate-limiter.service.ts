import { createHash } from 'node:crypto';
import { againIn, DomainError, joined } from '@moorage/domain';
import { Clock, Db, type SqlValue } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiSettings } from '../settings';
import { type LimitName, LIMITS, type LimitTable } from './limits';

const RESERVED_MAX = 10_000;
/** Number of network widths in which an IPv6 address is counted. */
const WIDTHS = 3;
const WIDER = 2;

interface Counted {
  readonly key: string;
  readonly width: number;
}

/** Maximum number of rows removed at a time. */
const CLEANED_MAX = 10_000;

/** Counts requests in PostgreSQL, so that all api processes share the counts. */
@Injectable()
export class RateLimiter {
  private readonly limits: LimitTable;
  /** Limiters by limit and width of the network. Width 0 is the narrowest, and is used for keys that are no network. */
  private readonly windows = new Map<string, RateLimiterPostgres[]>();
  /** Remaining points of batches that were taken from the database. */
  private readonly reserved = new Map<string, { left: number; until: number }>();

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    settings: ApiSettings,
  ) {
    this.limits = settings.limits ?? LIMITS;
    for (const [name, { windows, wider = WIDER }] of Object.entries(this.limits)) {
      for (let width = 0; width < WIDTHS; width++) {
        const suffix = width === 0 ? '' : `-w${width}`;
        this.windows.set(
          `${name}${suffix}`,
          windows.map(({ points, per_s }) =>
            this.windowOf(`${name}-${per_s}${suffix}`, Math.floor(points * wider ** width), per_s),
          ),
        );
      }
    }
  }

  /**
   * Takes a point from every window of the limit. Throws RATE_LIMITED (429, `Retry-After`) when a window is used up.
   */
  async take(name: LimitName, key: string): Promise<void> {
    await this.takeCounted(name, { key: hashed(key), width: 0 });
  }

  /** Same as `take`, but returns false instead of throwing. */
  async takeIfLeft(name: LimitName, key: string): Promise<boolean> {
    try {
      await this.take(name, key);
      return true;
    } catch (error) {
      if (isRateLimited(error)) return false;
      throw error;
    }
  }

  /**
   * Same as `take` for each of the networks, the narrowest first, so that a refusal of one does not use up the wider
   * ones. `key` names what is counted in a network. It defaults to the network itself.
   */
  async takeFrom(
    name: LimitName,
    networks: readonly string[],
    key: (network: string) => string = (network) => network,
  ): Promise<void> {
    for (const [width, network] of networks.entries())
      await this.takeCounted(name, { key: hashed(key(network)), width });
  }

  /** Resets the count, because the attempts turned out to be the owner's. */
  async forget(name: LimitName, key: string): Promise<void> {
    for (const window of this.windowsOf(name, 0)) await window.delete(hashed(key));
  }

  /** Returns a point that was taken. */
  async giveBack(name: LimitName, key: string): Promise<void> {
    for (const window of this.windowsOf(name, 0)) await window.reward(hashed(key), 1);
  }

  /** Removes counts of past windows. */
  async clean(): Promise<void> {
    await this.db.tx('pace.clean', async (tx) => {
      const ended = (await tx.transactionTime()) - 60_000;
      await tx.execute(
        `delete from rate_limits where ctid = any(array(
             select ctid from rate_limits where expire < $1 order by expire limit ${CLEANED_MAX}
           )) and expire < $1`,
        [ended],
      );
    });
  }

  private windowOf(keyPrefix: string, points: number, duration: number): RateLimiterPostgres {
    return new RateLimiterPostgres({
      // The library accesses the database through `Db`. Its table is created by the migration.
      storeClient: {
        query: ({ text, values }: { text: string; values: SqlValue[] }) =>
          this.db.tx('pace.count', async (tx) => {
            const rows = await tx.query(text, values);
            return { rows, rowCount: rows.length };
          }),
      },
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration,
      // A client over the limit costs no more database access until the window ends.
      inMemoryBlockOnConsumed: points + 1,
    });
  }

  private windowsOf(name: LimitName, width: number): readonly RateLimiterPostgres[] {
    return this.windows.get(width === 0 ? name : `${name}-w${width}`) ?? [];
  }

  private async consume(name: LimitName, { key, width }: Counted, points: number): Promise<void> {
    for (const window of this.windowsOf(name, width)) {
      try {
        await window.consume(key, points);
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
        throw new DomainError('RATE_LIMITED', joined([this.limits[name].message, againIn(seconds)]), {
          retry_after_s: seconds,
        });
      }
    }
  }

  private async takeCounted(name: LimitName, counted: Counted): Promise<void> {
    const batch = this.limits[name].batch ?? 1;
    if (batch === 1) return this.consume(name, counted, 1);
    const place = `${name}:${counted.key}`;
    const ahead = this.reserved.get(place);
    if (ahead !== undefined && ahead.left > 0 && this.clock.localNow() < ahead.until) {
      ahead.left--;
      return;
    }
    await this.consume(name, counted, batch);
    if (this.reserved.size >= RESERVED_MAX) this.reserved.clear();
    this.reserved.set(place, {
      left: batch - 1,
      until: this.clock.localNow() + (this.limits[name].windows[0]?.per_s ?? 0) * 1000,
    });
  }
}

export const isRateLimited = (error: unknown): boolean => error instanceof DomainError && error.code === 'RATE_LIMITED';

/** Hashes a key. Keys contain email addresses and networks, which the table need not store. */
function hashed(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 32);
}
