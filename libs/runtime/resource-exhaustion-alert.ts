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
export class ResourceAlert {
  private readonly service: Service;
  private readonly clock: Clock;
  private readonly log: Log;
  private readonly alerts: Alerts;
  private readonly startedAt: Instant;
  private last: { readonly sql_state: string; readonly at: Instant } | undefined;
  private since: Instant | undefined;
  private isRaised = false;
  private mayBeOpen = true;

  constructor({ service, clock, log }: { service: Service; clock: Clock; log: Log }) {
    this.service = service;
    this.clock = clock;
    this.log = log;
    this.alerts = new Alerts({ clock, log });
    this.startedAt = clock.localNow();
  }

  /** Wraps a database so that its refusals are noted. */
  watch(db: Db): Db {
    return {
      ...db,
      tx: (name, fn, options) => this.noted(db.tx(name, fn, options)),
      read: (name, fn) => this.noted(db.read(name, fn)),
    };
  }

  async tick(db: Db): Promise<void> {
    const { service, last, since } = this;
    if (last !== undefined && since !== undefined && !this.isRaised) {
      const facts = { sql_state: last.sql_state, since: iso(since), until: iso(last.at) };
      await db.tx('shortage.raise', (tx) => this.alerts.raise(tx, { kind: 'database_short', subject: service, facts }));
      this.isRaised = true;
      this.mayBeOpen = true;
    } else if (this.mayBeOpen && this.clock.localNow() - (last?.at ?? this.startedAt) >= OVER_MS) {
      await db.tx('shortage.resolve', (tx) => this.alerts.resolve(tx, { kind: 'database_short', subject: service }));
      this.mayBeOpen = false;
      this.since = undefined;
      this.last = undefined;
    }
  }

  private async noted<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.note(error);
      throw error;
    }
  }

  private note(error: unknown): void {
    const state = sqlState(error);
    if (state === undefined || !SHORT.test(state)) return;
    if (this.since === undefined)
      this.log.error('database out of disk, memory or connections; statements are rejected', { error });
    this.last = { sql_state: state, at: this.clock.localNow() };
    this.since ??= this.last.at;
    this.isRaised = false;
  }
}
