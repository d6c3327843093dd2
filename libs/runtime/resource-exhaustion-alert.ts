import { Alerts, type Service } from '@moorage/database';
import { type Instant, iso, HOUR_MS } from '@moorage/domain';
import { type Clock, type Db, type Log, sqlState } from '@moorage/server';

/** Interval in which the alert is raised, or retried while nothing can be stored. */
export const SHORTAGE_EVERY_MS = 15_000;
/** Time without a refusal after which the shortage is over. */
const OVER_MS = HOUR_MS;
/** SQLSTATE class insufficient_resources (53100 disk full, 53200 out of memory, 53300 too many connections). */
const SHORT = /^53/;

/**
 * Raises an alert when the database runs out of disk, memory or connections. The shortage is remembered in memory,
 * because a full database cannot store an alert, and the alert is raised as soon as it can be stored.
 */
export function createResourceAlert({ service, clock, log }: { service: Service; clock: Clock; log: Log }) {
  const alerts = new Alerts({ clock, log });
  const startedAt = clock.localNow();
  let last: { readonly sql_state: string; readonly at: Instant } | undefined;
  let since: Instant | undefined;
  let isRaised = false;
  let mayBeOpen = true;

  function note(error: unknown): void {
    const state = sqlState(error);
    if (state === undefined || !SHORT.test(state)) return;
    if (since === undefined)
      log.error('database out of disk, memory or connections; statements are rejected', { error });
    last = { sql_state: state, at: clock.localNow() };
    since ??= last.at;
    isRaised = false;
  }

  async function noted<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      note(error);
      throw error;
    }
  }

  return {
    watch: (db: Db): Db => ({
      ...db,
      tx: (name, fn) => noted(db.tx(name, fn)),
      read: (name, fn) => noted(db.read(name, fn)),
    }),

    async tick(db: Db): Promise<void> {
      if (last !== undefined && since !== undefined && !isRaised) {
        const facts = { sql_state: last.sql_state, since: iso(since), until: iso(last.at) };
        await db.tx('shortage.raise', (tx) => alerts.raise(tx, { kind: 'database_short', subject: service, facts }));
        isRaised = true;
        mayBeOpen = true;
      } else if (mayBeOpen && clock.localNow() - (last?.at ?? startedAt) >= OVER_MS) {
        await db.tx('shortage.resolve', (tx) => alerts.resolve(tx, { kind: 'database_short', subject: service }));
        mayBeOpen = false;
        since = undefined;
        last = undefined;
      }
    },
  };
}
