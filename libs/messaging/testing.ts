import type { Checkpoints, Clock, Db } from '@moorage/server';
import type { Messaging } from './messaging';
import type { Envelope, EventHandlers, EventTransport, KnownEvents, NewEvent, OnError, WorkTransport } from './types';
import type { WorkKind } from './work';

/** A clock that only moves when a test moves it. */
export interface HandClock extends Clock {
  at: number;
  advance(ms: number): void;
}

export function handClock(at = Date.parse('2026-12-01T00:00:00Z')): HandClock {
  const sleepers = new Set<{ until: number; wake: () => void }>();
  const clock: HandClock = {
    at,
    advance(ms) {
      clock.at += ms;
      for (const sleeper of [...sleepers]) if (sleeper.until <= clock.at) sleeper.wake();
    },
    now: () => Promise.resolve(clock.at),
    localNow: () => clock.at,
    systemNow: () => clock.at,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const sleeper = {
          until: clock.at + ms,
          wake: () => {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        if (signal?.aborted) return resolve();
        sleepers.add(sleeper);
        signal?.addEventListener('abort', sleeper.wake, { once: true });
      }),
    every: () => {
      throw new Error('a manually advanced clock has no timers');
    },
  };
  return clock;
}

/** Checks a condition every few milliseconds until it is true. */
export async function until(condition: () => boolean | Promise<boolean>, patience_ms = 45_000): Promise<void> {
  const deadline = performance.now() + patience_ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`condition not met within ${patience_ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
}

export const KNOWN: KnownEvents = {
  'boat.moved': { stream: 'boat', version: 1 },
  'boat.painted': { stream: 'boat', version: 2 },
};

export function boat(aggregate_id: string, n: number, event_name = 'boat.moved', version = 1): NewEvent {
  return { stream: 'boat', event_name, version, aggregate_id, data: { n } };
}

let counter = 0;

export function envelope(aggregate_id: string, sequence: number, changes: Partial<Envelope> = {}): Envelope {
  return {
    event_id: `00000000-0000-4000-8000-${String(++counter).padStart(12, '0')}`,
    stream: 'boat',
    event_name: 'boat.moved',
    version: 1,
    occurred_at: '2026-12-01T00:00:00.000Z',
    aggregate_id,
    sequence,
    correlation_id: 'test',
    data: { n: sequence },
    ...changes,
  };
}

/** Writes envelopes to the outbox, which a consumer compares them with. */
export async function sent<E extends Envelope>(db: Db, envelopes: readonly E[]): Promise<readonly E[]> {
  await db.tx('test.sent', async (tx) => {
    for (const { event_id, stream, event_name, version, aggregate_id, sequence, ...rest } of envelopes)
      await tx.execute(
        `insert into outbox (event_id, stream, event_name, version, aggregate_id, sequence, shard, correlation_id, occurred_at, data, sent_at)
         values ($1, $2, $3, $4, $5, $6, 0, $7, $8::timestamptz, $9, $8::timestamptz) on conflict do nothing`,
        [
          event_id,
          stream,
          event_name,
          version,
          aggregate_id,
          sequence,
          rest.correlation_id,
          rest.occurred_at,
          JSON.stringify(rest.data),
        ],
      );
  });
  return envelopes;
}

/** Writes deliveries of events that are no longer in the outbox. */
export async function stored(db: Db, consumer: string, envelopes: readonly Envelope[]): Promise<void> {
  await db.tx('test.stored', async (tx) => {
    for (const one of envelopes)
      await tx.execute(
        `insert into inbox (consumer, event_id, stream, event_name, aggregate_id, sequence, envelope, arrived_at, due_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
        [
          consumer,
          one.event_id,
          one.stream,
          one.event_name,
          one.aggregate_id,
          one.sequence,
          JSON.stringify(one),
          one.occurred_at,
        ],
      );
  });
}

export interface ReportedError {
  readonly error: unknown;
  readonly facts: Readonly<Record<string, string | number>>;
}

/** Collects the reported errors. */
export function collected(): { reported: ReportedError[]; onError: OnError } {
  const reported: ReportedError[] = [];
  return { reported, onError: (error, facts = {}) => void reported.push({ error, facts }) };
}

/** Creates the table in which test handlers record their effects. `place` shows the order of commits per aggregate. */
export async function makeEffects(db: Db): Promise<void> {
  await db.tx('make effects', async (tx) => {
    await tx.execute(`create table effects (
      place bigint generated always as identity primary key,
      consumer text not null, aggregate_id text not null, sequence bigint not null, by text not null default ''
    )`);
    await tx.execute('grant all on effects to public');
  });
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Throws once, when the place is passed for the nth time. */
export function failingAt(place: string, nth = 1): Checkpoints & { failed(): boolean } {
  let passes = 0;
  return {
    at: (passed) =>
      passed === place && ++passes === nth ? Promise.reject(new Error(`crash at ${place}`)) : Promise.resolve(),
    failed: () => passes >= nth,
  };
}

export interface ProcessOptions {
  handlers?: EventHandlers;
  work?: Record<string, WorkKind>;
  checkpoints?: Checkpoints;
  lease_ms?: number;
}

/** A started service, and the functions its own process would call. */
export interface Started {
  readonly db: Db;
  readonly messaging: Messaging;
  readonly transports: { events: EventTransport; work: WorkTransport };
  readonly append: (...events: NewEvent[]) => Promise<void>;
  readonly scheduleWork: (kind: string, key: string, in_ms?: number) => Promise<void>;
  /** Stops the process. Every process is stopped automatically at the end of its test. */
  readonly stop: () => Promise<void>;
}

/** Helpers for the transport tests. */
export interface TransportFixture {
  readonly clock: Clock;
  /** Returns a name that only this test uses. */
  readonly own: (word: string) => string;
  /** Starts a process. `by` is `service process`. Two processes of one service share its inbox and its work. */
  readonly start: (by: string, options?: ProcessOptions) => Promise<Started>;
  readonly noting: (by: string) => EventHandlers;
  /** Returns sequences in the order in which their effects were committed. */
  readonly effects: (consumer: string, aggregate_id: string) => Promise<number[]>;
  readonly sql: <R extends object>(text: string, params?: readonly unknown[]) => Promise<R[]>;
  readonly interrupt: () => Promise<void>;
  /** Errors reported by all processes of this test. */
  readonly reported: readonly ReportedError[];
}
