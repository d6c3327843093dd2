import type { Product } from '../journeys/product';

/**
 * Stores 30 days of metrics, and two incidents that have ended. The creation becomes an event in the middle of the
 * charts.
 */
export async function storeHistory(product: Product, id: number): Promise<void> {
  // Disk and memory grow up to the figures of a simulated server, which continue the lines.
  await product.sql(
    `insert into metrics (deployment_id, at, span_minutes, checks, failed, response_ms, cpu_percent, load, memory_used_mb, disk_used_mb)
     select $1, at, span, span, case when silent then span else 0 end, case when silent then '{}' else array[ms] end,
       busy, busy / 50, 760 + 60 * sin(n / 30.0) + n % 7, 18400 - 400 * extract(epoch from now() - at) / 86400
     from (
       select at, span, n, 5 + 2 * sin(n / 18.0) + (n * 37 % 11) / 6.0 + case when n % 97 between 40 and 44 then 55 else 0 end as busy,
         (165 + 30 * sin(n / 25.0) + n * 7919 % 23)::int as ms,
         at >= now() - interval '6 hours 20 minutes' and at < now() - interval '5 hours 55 minutes' as silent
       from (
         select at, 5 as span, row_number() over (order by at)::int as n
         from generate_series(date_bin('5 minutes', now(), 'epoch') - interval '24 hours', now() - interval '6 minutes', interval '5 minutes') at
         union all
         select at, 60, row_number() over (order by at)::int
         from generate_series(date_trunc('hour', now()) - interval '29 days', now() - interval '26 hours', interval '1 hour') at
       ) spans
     ) figures
     on conflict do nothing`,
    [id],
  );
  await product.sql(
    `insert into incidents (deployment_id, user_id, kind, subject, facts, began_at, ended_at, returned, told_at, settled_at)
     select d.id, d.user_id, kind, '', facts::jsonb, now() - ago::interval, now() - ago::interval + lasted::interval, returned,
       now() - ago::interval, now()
     from deployments d, (values
       ('down', '{}', '6 hours 20 minutes', '25 minutes', 1),
       ('disk_filling', '{"percent": 82}', '9 days 3 hours', '7 hours 21 minutes', 0)
     ) as past (kind, facts, ago, lasted, returned)
     where d.id = $1`,
    [id],
  );
  await product.sql(
    `update runs set started_at = now() - interval '14 hours', finished_at = now() - interval '13 hours 55 minutes'
     where deployment_id = $1 and plan = 'create'`,
    [id],
  );
}
