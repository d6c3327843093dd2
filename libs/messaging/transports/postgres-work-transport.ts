import { type Clock, type Db, iso } from '@moorage/server';
import type { PgNotify } from '../pg-notify';
import { WITH_THE_DATABASE } from '../health-reporter';
import type { OnError, TransportHealth, WorkTransport } from '../types';

const POLL_EVERY_MS = 1_000;
/** Channel on which a payload lists kinds with due work. */
const WORK_CHANNEL = 'moorage_work';

export interface PostgresWorkTransportOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** Without it the transport only polls. */
  readonly pgNotify?: PgNotify;
  readonly onError?: OnError;
  readonly poll_interval_ms?: number;
}

/**
 * Finds due work by polling the rows, longest due first. It polls after a notification for the kind, when the next row
 * falls due, when a worker becomes free, and every second in any case because a lease may have expired.
 */
export class PostgresWorkTransport implements WorkTransport {
  private stopping = false;
  private readonly loops: Promise<void>[] = [];
  private readonly wakeups = new Map<string, () => void>();
  private unlisten: (() => void) | undefined;

  constructor(private readonly options: PostgresWorkTransportOptions) {}

  signal(kind: string): Promise<void> {
    this.options.pgNotify?.notify(WORK_CHANNEL, kind);
    return Promise.resolve();
  }

  async listen(kind: string, concurrency: number, due: (key: string) => Promise<void>): Promise<void> {
    this.unlisten ??= await this.options.pgNotify?.listen(WORK_CHANNEL, {
      onNotify: (payload) => payload.split(' ').forEach((word) => this.wakeups.get(word)?.()),
      onConnect: () => this.wakeAll(),
    });
    this.loops.push(this.serve(kind, concurrency, due));
  }

  health(): TransportHealth {
    return WITH_THE_DATABASE;
  }

  async close(): Promise<void> {
    this.unlisten?.();
    this.stopping = true;
    this.wakeAll();
    await Promise.all(this.loops);
  }

  private wakeAll(): void {
    this.wakeups.forEach((wake) => wake());
  }

  private async serve(kind: string, concurrency: number, due: (key: string) => Promise<void>): Promise<void> {
    const { db, clock, onError, poll_interval_ms = POLL_EVERY_MS } = this.options;
    const running = new Map<string, Promise<void>>();
    let wakeup = new AbortController();
    this.wakeups.set(kind, () => wakeup.abort());
    while (!this.stopping) {
      wakeup = new AbortController();
      let pause = poll_interval_ms;
      try {
        const found = await findDue(db, clock, { kind, not: [...running.keys()], limit: concurrency - running.size });
        if (this.stopping) break;
        for (const key of found.keys) running.set(key, start(key));
        pause = Math.min(pause, found.next_in_ms ?? pause);
      } catch (error) {
        onError?.(error, { at: 'work.read', kind });
      }
      await clock.sleep(pause, wakeup.signal);
    }
    await Promise.all(running.values());

    async function start(key: string): Promise<void> {
      try {
        await due(key);
        running.delete(key);
        wakeup.abort();
      } catch (error) {
        running.delete(key); // no signal, so a key that cannot be claimed waits for the next poll
        onError?.(error, { at: 'work.due', kind });
      }
    }
  }
}

/** Returns keys that are due and free, and the milliseconds until the next key falls due. */
async function findDue(
  db: Db,
  clock: Clock,
  { kind, not, limit }: { kind: string; not: readonly string[]; limit: number },
): Promise<{ keys: string[]; next_in_ms?: number }> {
  if (limit <= 0) return { keys: [] };
  return db.read('work.read', async (tx) => {
    const now = await clock.now(tx);
    const rows = await tx.query<{ key: string; due_at: number }>(DUE, [kind, iso(now), not, limit]);
    const [next] = await tx.query<{ due_at: number }>(
      'select due_at from work where kind = $1 and due_at > $2 order by due_at limit 1',
      [kind, iso(now)],
    );
    return { keys: rows.map(({ key }) => key), ...(next === undefined ? {} : { next_in_ms: next.due_at - now }) };
  });
}

const DUE = `
select key from work
where kind = $1 and due_at <= $2 and (leased_until is null or leased_until <= $2) and key <> all($3::text[])
order by due_at limit $4`;
