import { type HostFacts, type Instant, iso, spanOf } from '@moorage/domain';
import type { Tx } from '@moorage/server';

/** Result of a request to the address of a deployment. Null if it did not respond. */
export interface Response {
  readonly id: number;
  readonly response_ms: number | null;
}

/** Adds responses to the current span of each deployment. */
export async function addResponses(tx: Tx, responses: readonly Response[], at: Instant): Promise<void> {
  if (responses.length === 0) return;
  await tx.execute(
    `insert into metrics (deployment_id, at, span_minutes, checks, failed, response_ms)
     select id, $3, 5, 1, (ms is null)::int, case when ms is null then '{}'::int[] else array[ms] end
     from unnest($1::int[], $2::int[]) as response (id, ms) order by id
     on conflict (deployment_id, span_minutes, at) do update set checks = metrics.checks + 1,
       failed = metrics.failed + excluded.failed, response_ms = metrics.response_ms || excluded.response_ms`,
    [responses.map(({ id }) => id), responses.map(({ response_ms }) => response_ms), iso(spanOf(at))],
  );
}

/** Sets the figures of the server in the current span. The newest ones count. */
export async function addHost(tx: Tx, deploymentId: number, host: HostFacts, at: Instant): Promise<void> {
  await tx.execute(
    `insert into metrics (deployment_id, at, span_minutes, cpu_percent, load, memory_used_mb, disk_used_mb)
     values ($1, $2, 5, $3, $4, $5, $6)
     on conflict (deployment_id, span_minutes, at) do update set
       cpu_percent = coalesce(excluded.cpu_percent, metrics.cpu_percent), load = excluded.load,
       memory_used_mb = excluded.memory_used_mb, disk_used_mb = excluded.disk_used_mb`,
    [deploymentId, iso(spanOf(at)), host.cpu_percent, host.load, host.memory_used_mb, host.disk_used_mb],
  );
}

/** Returns the start of the oldest hour before an instant that is still stored in spans of five minutes, or null. */
export async function oldestHour(tx: Tx, before: Instant): Promise<Instant | null> {
  const [row] = await tx.query<{ hour: Instant | null }>(
    `select date_trunc('hour', min(at), 'UTC') as hour from metrics where span_minutes = 5 and at < $1`,
    [iso(before)],
  );
  return row?.hour ?? null;
}

/**
 * Replaces the spans of five minutes of an hour with one row per deployment. Its responses are the medians of the spans.
 */
export async function rollUpHour(tx: Tx, hour: Instant): Promise<void> {
  await tx.execute(
    `with old as (
       delete from metrics where span_minutes = 5 and at >= $1 and at < $1::timestamptz + interval '1 hour' returning *
     )
     insert into metrics (deployment_id, at, span_minutes, checks, failed, response_ms, cpu_percent, load, memory_used_mb, disk_used_mb)
     select deployment_id, $1, 60, sum(checks), sum(failed),
       coalesce(array_agg(median order by at) filter (where median is not null), '{}'),
       avg(cpu_percent), avg(load), avg(memory_used_mb)::int, max(disk_used_mb)
     from (select *, (select percentile_disc(0.5) within group (order by ms) from unnest(response_ms) ms) as median from old) spans
     group by deployment_id
     on conflict (deployment_id, span_minutes, at) do nothing`,
    [iso(hour)],
  );
}
