import type { Clock } from './clock';
import { type Db, sqlState } from './db';
import type { Log } from './log';

/**
 * SQLSTATEs of connection failures, shortages, operator intervention, lock and statement time-outs, read-only state,
 * full disk, and conflicts after the last retry.
 */
const AWAY = /^(08|53|57P|58)|^(55P03|57014|25006|40001|40P01)$/;
const AWAY_SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
const AWAY_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after)/;

/** Returns whether the database is temporarily unavailable, so that a retry may succeed. */
export function isDatabaseAway(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined && (AWAY_SYSTEM.has(state) || AWAY.test(state))) return true;
  return error instanceof Error && AWAY_MESSAGE.test(error.message);
}

/** Returns whether the database does not respond at all, which excludes locks, a full disk and conflicts. */
function isUnreachable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined && (AWAY_SYSTEM.has(state) || /^08|^57P0[1-3]$/.test(state))) return true;
  return error instanceof Error && AWAY_MESSAGE.test(error.message);
}

/**
 * Wraps a log so that an outage of the database is logged in two lines, at its beginning and when something was stored
 * again. Otherwise every loop would log a stack at each iteration, which is a dozen lines a second in each process.
 */
export function logOutageOnce({ log, clock }: { log: Log; clock: Clock }): {
  readonly log: Log;
  /** Wraps a database so that its responses end the outage. */
  readonly watch: (db: Db) => Db;
} {
  let away_since: number | undefined;

  function answered(): void {
    if (away_since === undefined) return;
    const away_ms = clock.localNow() - away_since;
    away_since = undefined;
    log.info('database responding again', { away_ms });
  }

  const watched = (inner: Log): Log => ({
    ...inner,
    error(message, facts = {}) {
      if (!isUnreachable(facts.error)) return inner.error(message, facts);
      if (away_since !== undefined) return;
      away_since = clock.localNow();
      inner.error('database not responding; retrying until it does', facts);
    },
    child: (facts) => watched(inner.child(facts)),
  });

  return {
    log: watched(log),
    watch: (db) => ({
      ...db,
      async tx(name, fn, options) {
        const value = await db.tx(name, fn, options);
        answered();
        return value;
      },
      async read(name, fn) {
        const value = await db.read(name, fn);
        answered();
        return value;
      },
    }),
  };
}
