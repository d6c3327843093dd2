import type { MetricsAnswer, MetricsMark, MetricsPoint } from '@moorage/contracts';
import { checkedCertificates, type CheckedCertificate, DeploymentReachability } from '@moorage/database';
import {
  daysLeft,
  diskFullInDays,
  type HostFacts,
  type Instant,
  iso,
  isoOrNull,
  METRICS_PERIOD,
  type MetricsPeriod,
  type Plan,
  SECOND_MS,
  spanOf,
} from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { viewDeployment, type Viewer } from '../deployments/deployment-view';

const MARKS_MAX = 100;

/** The response time of a span is the median of all stored in it, whether of requests or of shorter spans. */
const POINTS = `
with spans as (
  select date_bin(make_interval(secs => $3), at, 'epoch'::timestamptz) as span, * from metrics
  where deployment_id = $1 and at >= $2
), medians as (
  select span, percentile_disc(0.5) within group (order by ms) as response_ms
  from spans, unnest(spans.response_ms) ms group by span
)
select span as at, sum(checks)::int as checks, sum(failed)::int as failed, min(medians.response_ms) as response_ms,
  avg(cpu_percent)::float8 as cpu_percent, avg(load)::float8 as load, avg(memory_used_mb)::int as memory_used_mb,
  max(disk_used_mb) as disk_used_mb
from spans left join medians using (span) group by span order by span`;

type PointRow = Omit<MetricsPoint, 'at'> & { readonly at: Instant };

/** Reads the metrics of a deployment for its charts. */
@Injectable()
export class ReadMetrics {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  read({ viewer, id, period }: { viewer: Viewer; id: number; period: MetricsPeriod }): Promise<MetricsAnswer> {
    return this.db.tx('watch.metrics', async (tx) => {
      await viewDeployment(tx, id, viewer);
      const now = await this.clock.now(tx);
      const { ms, span_ms } = METRICS_PERIOD[period];
      const from = spanOf(now - ms, span_ms) + span_ms;
      const points = await tx.query<PointRow>(POINTS, [id, iso(from), span_ms / SECOND_MS]);
      return {
        period,
        from: iso(from),
        to: iso(now),
        span_s: span_ms / SECOND_MS,
        points: points.map((point) => ({
          ...point,
          at: iso(point.at),
          cpu_percent: rounded(point.cpu_percent, 10),
          load: rounded(point.load, 100),
        })),
        latest: await this.latest(tx, { id, now, points }),
        marks: await marksSince(tx, id, from),
      };
    });
  }

  private async latest(
    tx: Tx,
    { id, now, points }: { id: number; now: Instant; points: readonly PointRow[] },
  ): Promise<MetricsAnswer['latest']> {
    const row = await tx.repository(DeploymentReachability).findOneBy({ deployment_id: id });
    const certificates = await checkedCertificates(tx, id);
    if (row === null) return { ...NOTHING, certificate: firstToExpire(certificates, now) };
    const { host, host_checked_at, server_runs, server_seen_at } = row;
    return {
      checked_at: isoOrNull(row.checked_at),
      response_ms: row.response_ms,
      host: host === null || host_checked_at === null ? null : hostAnswer(host, host_checked_at),
      host_failure: row.host_failure,
      certificate: firstToExpire(certificates, now),
      server:
        server_runs === null || server_seen_at === null
          ? null
          : { is_running: server_runs, seen_at: iso(server_seen_at) },
      disk_full_in_days: host === null ? null : diskFullInDays(points, host.disk_mb),
    };
  }
}

const NOTHING = {
  checked_at: null,
  response_ms: null,
  host: null,
  host_failure: null,
  server: null,
  disk_full_in_days: null,
} as const;

const rounded = (value: number | null, to: number): number | null =>
  value === null ? null : Math.round(value * to) / to;

function hostAnswer(host: HostFacts, checkedAt: Instant): NonNullable<MetricsAnswer['latest']['host']> {
  const { containers, reboot: _reboot, ...figures } = host;
  return {
    ...figures,
    checked_at: iso(checkedAt),
    containers: containers.map(({ name, state, health, restarts, started_at, memory_mb }) => ({
      name,
      state,
      health,
      restarts,
      started_at: started_at === null ? null : iso(Date.parse(started_at)),
      memory_mb,
    })),
  };
}

/** Returns the certificate that expires first. Those without a date are worse than any with one. */
function firstToExpire(
  certificates: readonly CheckedCertificate[],
  now: Instant,
): MetricsAnswer['latest']['certificate'] {
  const [first] = [...certificates].sort((a, b) => (a.expires_at ?? '').localeCompare(b.expires_at ?? ''));
  if (first === undefined) return null;
  const { host, verdict, issuer, expires_at, checked_at } = first;
  const days_left = expires_at === null ? null : daysLeft(Date.parse(expires_at), now);
  return { host, verdict, issuer, expires_at, days_left, checked_at };
}

/** Runs and backups of the period. The provisioner stores the newest runs only. */
async function marksSince(tx: Tx, id: number, from: Instant): Promise<MetricsMark[]> {
  const rows = await tx.query<{
    at: Instant;
    what: Plan | 'backup';
    ended_at: Instant | null;
    succeeded: boolean | null;
  }>(
    `select * from (
       select started_at as at, plan as what, finished_at as ended_at,
         case state when 'running' then null else state = 'done' end as succeeded
       from runs where deployment_id = $1 and started_at >= $2
       union all
       select coalesce(started_at, requested_at), 'backup', finished_at,
         case when finished_at is null then null else state <> 'failed' end
       from backups where deployment_id = $1 and coalesce(started_at, requested_at) >= $2
     ) marks order by at desc limit ${MARKS_MAX}`,
    [id, iso(from)],
  );
  return rows
    .reverse()
    .map(({ at, what, ended_at, succeeded }) => ({ at: iso(at), what, ended_at: isoOrNull(ended_at), succeeded }));
}
