import { type Clock, correlationId, iso, prepared } from '@moorage/server';
import type { OnError, WorkSchedule, WorkTransport } from './types';

/** The part of work that every service uses. It schedules work in the transaction of the change that requires it. */
export function createWorkSchedule({
  clock,
  transport,
  onError,
}: {
  clock: Clock;
  /** Without it, workers find the row at their next poll. */
  transport?: Pick<WorkTransport, 'signal'>;
  onError?: OnError;
}): WorkSchedule {
  const scheduleMany: WorkSchedule['scheduleMany'] = async (tx, works) => {
    if (works.length === 0) return;
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
  };
  return { schedule: (tx, work) => scheduleMany(tx, [work]), scheduleMany };
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
