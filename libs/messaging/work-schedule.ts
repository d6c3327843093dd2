import { type Clock, correlationId, iso, prepared, type Tx } from '@moorage/server';
import type { NewWork, OnError, WorkTransport } from './types';

export interface WorkScheduleOptions {
  readonly clock: Clock;
  /** Without it, workers find the row at their next poll. */
  readonly transport?: Pick<WorkTransport, 'signal'>;
  readonly onError?: OnError;
}

/**
 * The part of work that every service uses. It schedules work in the transaction of the change that requires it. Work
 * is a row identified by kind and key, so scheduling it twice is harmless.
 */
export class WorkSchedule {
  constructor(private readonly options: WorkScheduleOptions) {}

  /**
   * Makes (kind, key) due at `due_at`, or earlier if it already was. While the work is claimed, the new time is stored
   * separately and takes effect when the claim ends, with any outcome.
   */
  schedule(tx: Tx, work: NewWork): Promise<void> {
    return this.scheduleMany(tx, [work]);
  }

  /** Schedules several works in one statement, each like `schedule`. */
  async scheduleMany(tx: Tx, works: readonly NewWork[]): Promise<void> {
    if (works.length === 0) return;
    const { clock, transport, onError } = this.options;
    const now = iso(await clock.now(tx));
    await tx.execute(SCHEDULE, [
      now,
      works.map(({ kind }) => kind),
      works.map(({ key }) => key),
      works.map(({ due_at }) => iso(due_at)),
      correlationId() ?? null,
    ]);
    if (transport === undefined) return;
    tx.afterCommit(() => {
      for (const { kind, key, due_at } of works) {
        transport.signal(kind, key, due_at).catch((error) => onError?.(error, { at: 'work.signal', kind }));
      }
    });
  }
}

/**
 * Rows are updated in a fixed order, so two such statements cannot deadlock. The newest correlation id wins, for
 * example when a delete makes the creating run due and starts the destruction under the delete's own id.
 */
const SCHEDULE = prepared(`
insert into work (kind, key, due_at, created_at, correlation_id)
select kind, key, min(due_at), $1::timestamptz, $5::text
from unnest($2::text[], $3::text[], $4::timestamptz[]) as asked (kind, key, due_at)
group by kind, key order by kind, key
on conflict (kind, key) do update set
  due_at = case when work.leased_until is null then least(work.due_at, excluded.due_at) else work.due_at end,
  retry_at = case when work.leased_until is null then null else least(work.retry_at, excluded.due_at) end,
  correlation_id = coalesce(excluded.correlation_id, work.correlation_id)`);
