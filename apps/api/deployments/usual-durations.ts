import { MINUTE_MS } from '@moorage/domain';
import type { Clock, Tx } from '@moorage/server';

export interface UsualDuration {
  readonly median: number;
  readonly p95: number;
}

/** What a step took lately, at the same provider and in the same kind of run; null with too few samples. */
export interface UsualDurations {
  of(tx: Tx, step: { plan: string; provider: string; name: string }): Promise<UsualDuration | null>;
}

/** Lines of the step log that are looked at: by its primary key, so the look costs the same however long the log is. */
const LOOK_BACK = 5_000;
const SAMPLES_MIN = 5;
/** How old the figures may be: they change slowly, and many people watch. */
const KEPT_MS = MINUTE_MS;

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

export function createUsualDurations({ clock }: { clock: Clock }): UsualDurations {
  let kept: { readonly until: number; readonly known: ReadonlyMap<string, UsualDuration> } | null = null;
  return {
    async of(tx, { plan, provider, name }) {
      if (kept === null || clock.wall() >= kept.until) {
        const rows = await tx.query<Row>(LATELY);
        const known = new Map(
          rows.map(({ median, p95, ...row }) => [
            keyOf(row.plan, row.provider, row.step),
            { median: Math.round(median), p95: Math.round(p95) },
          ]),
        );
        kept = { until: clock.wall() + KEPT_MS, known };
      }
      return kept.known.get(keyOf(plan, provider, name)) ?? null;
    },
  };
}

const keyOf = (plan: string, provider: string, step: string): string => `${plan} ${provider} ${step}`;
