import { MINUTE_MS } from '@moorage/domain';
import { Clock, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

export interface UsualDuration {
  readonly median: number;
  readonly p95: number;
}

/**
 * Number of lines of the step log that are read. They are read by primary key, so the query costs the same however long
 * the log is.
 */
const LOOK_BACK = 5_000;
const SAMPLES_MIN = 5;
/** Maximum age of the figures. They change slowly, and many users read them at the same time. */
const RETENTION_MS = MINUTE_MS;

const LATELY = `
select plan, provider, step, percentile_cont(0.5) within group (order by ms) as median, percentile_cont(0.95) within group (order by ms) as p95
from (
  select r.plan, coalesce(d.cloud_provider, 'own') as provider, s.step,
    extract(epoch from max(s.at) filter (where s.outcome = 'done') - min(s.at) filter (where s.outcome = 'started')) * 1000 as ms
  from (select deployment_id, run_id, step, outcome, at from deployment_steps order by id desc limit ${LOOK_BACK}) s
  join runs r on r.id = s.run_id
  join deployments d on d.id = s.deployment_id
  group by r.id, d.id, s.step
) taken
where ms is not null
group by plan, provider, step having count(*) >= ${SAMPLES_MIN}`;

interface Row {
  readonly plan: string;
  readonly provider: string;
  readonly step: string;
  readonly median: number;
  readonly p95: number;
}

@Injectable()
export class UsualDurations {
  private cachedDurations: { readonly until: number; readonly known: ReadonlyMap<string, UsualDuration> } | null = null;

  constructor(private readonly clock: Clock) {}

  /**
   * Returns the recent duration of a step at the same provider and in the same kind of run, or null if there are too
   * few samples.
   */
  async of(
    tx: Tx,
    { plan, provider, name }: { plan: string; provider: string; name: string },
  ): Promise<UsualDuration | null> {
    if (this.cachedDurations === null || this.clock.localNow() >= this.cachedDurations.until) {
      const rows = await tx.query<Row>(LATELY);
      const known = new Map(
        rows.map(({ median, p95, ...row }) => [
          keyOf(row.plan, row.provider, row.step),
          { median: Math.round(median), p95: Math.round(p95) },
        ]),
      );
      this.cachedDurations = { until: this.clock.localNow() + RETENTION_MS, known };
    }
    return this.cachedDurations.known.get(keyOf(plan, provider, name)) ?? null;
  }
}

const keyOf = (plan: string, provider: string, step: string): string => `${plan} ${provider} ${step}`;
