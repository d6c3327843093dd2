import { type Clock, type Db, iso, prepared } from '@moorage/server';
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

/** A kind that this process works on. */
interface Served {
  readonly concurrency: number;
  readonly due: (key: string) => Promise<void>;
  readonly running: Map<string, Promise<void>>;
}

/**
 * Finds due work by polling the rows, longest due first, with one statement for all kinds. It polls after a
 * notification for one of its kinds, when the next row falls due, when a worker becomes free, and every second in any
 * case because a lease may have expired.
 */
export class PostgresWorkTransport implements WorkTransport {
  private stopping = false;
  private loop: Promise<void> | undefined;
  private wakeup = new AbortController();
  private readonly kinds = new Map<string, Served>();
  private unlisten: (() => void) | undefined;

  constructor(private readonly options: PostgresWorkTransportOptions) {}

  signal(kind: string): Promise<void> {
    this.options.pgNotify?.notify(WORK_CHANNEL, kind);
    return Promise.resolve();
  }

  async listen(kind: string, concurrency: number, due: (key: string) => Promise<void>): Promise<void> {
    this.unlisten ??= await this.options.pgNotify?.listen(WORK_CHANNEL, {
      onNotify: (payload) => {
        if (payload.split(' ').some((word) => this.kinds.has(word))) this.wakeup.abort();
      },
      onConnect: () => this.wakeup.abort(),
    });
    this.kinds.set(kind, { concurrency, due, running: new Map() });
    this.wakeup.abort();
    this.loop ??= this.serve();
  }

  health(): TransportHealth {
    return WITH_THE_DATABASE;
  }

  async close(): Promise<void> {
    this.unlisten?.();
    this.stopping = true;
    this.wakeup.abort();
    await this.loop;
    await Promise.all([...this.kinds.values()].flatMap(({ running }) => [...running.values()]));
  }

  private async serve(): Promise<void> {
    const { clock, onError, poll_interval_ms = POLL_EVERY_MS } = this.options;
    while (!this.stopping) {
      this.wakeup = new AbortController();
      let pause = poll_interval_ms;
      try {
        const found = await this.findDue();
        if (this.stopping) break;
        for (const { kind, key } of found.due) this.start(kind, key);
        pause = Math.min(pause, found.next_in_ms);
      } catch (error) {
        onError?.(error, { at: 'work.read' });
      }
      await clock.sleep(pause, this.wakeup.signal);
    }
  }

  private start(kind: string, key: string): void {
    const served = this.kinds.get(kind);
    served?.running.set(key, this.run(kind, key, served));
  }

  private async run(kind: string, key: string, { due, running }: Served): Promise<void> {
    try {
      await due(key);
      running.delete(key);
      this.wakeup.abort();
    } catch (error) {
      running.delete(key); // no wake-up, so a key that cannot be claimed waits for the next poll
      this.options.onError?.(error, { at: 'work.due', kind });
    }
  }

  /**
   * Returns keys that are due and free by this machine's clock, which saves a statement per poll, and the milliseconds
   * until the next key of any kind falls due. The claim decides by the clock of the database.
   */
  private async findDue(): Promise<{ due: { kind: string; key: string }[]; next_in_ms: number }> {
    const free = [...this.kinds].filter(([, { concurrency, running }]) => running.size < concurrency);
    if (free.length === 0) return { due: [], next_in_ms: Infinity };
    const { db, clock } = this.options;
    const now = clock.localNow();
    return db.read('work.read', async (tx) => {
      const rows = await tx.query<FoundRow>(DUE_OR_NEXT, [
        free.map(([kind]) => kind),
        free.map(([, { concurrency, running }]) => concurrency - running.size),
        iso(now),
        free.flatMap(([kind, { running }]) => [...running.keys()].map((key) => `${kind}/${key}`)),
      ]);
      const later = rows.filter(({ is_due }) => !is_due).map(({ due_at }) => due_at - now);
      return { due: rows.filter(({ is_due }) => is_due), next_in_ms: Math.min(Infinity, ...later) };
    });
  }
}

interface FoundRow {
  readonly kind: string;
  readonly key: string;
  readonly due_at: number;
  readonly is_due: boolean;
}

const DUE_OR_NEXT = prepared(`
select wanted.kind, found.key, found.due_at, found.is_due
from unnest($1::text[], $2::int[]) as wanted (kind, room)
cross join lateral (
  (select key, due_at, true as is_due from work
   where kind = wanted.kind and due_at <= $3 and (leased_until is null or leased_until <= $3)
     and wanted.kind || '/' || key <> all($4::text[])
   order by due_at limit wanted.room)
  union all
  (select key, due_at, false from work where kind = wanted.kind and due_at > $3 order by due_at limit 1)
) found`);
