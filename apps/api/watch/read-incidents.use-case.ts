import type { IncidentsAnswer } from '@moorage/contracts';
import { INCIDENT_COLUMNS, type IncidentRow } from '@moorage/database';
import {
  byImportance,
  DAY_MS,
  type DayState,
  type Instant,
  iso,
  isRepeated,
  METRICS_RETENTION_MS,
  reachablePercent,
  spanOf,
} from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { viewDeployment, type Viewer } from '../deployments/deployment-view';
import { incidentAnswer } from '../deployments/incident-answer';

const DAYS = METRICS_RETENTION_MS / DAY_MS;
const INCIDENTS_MAX = 100;

interface Checks {
  readonly checks: number;
  readonly failed: number;
}

/** Reads the incidents of the last 30 days, and the reachability of each of these days (UTC). */
@Injectable()
export class ReadIncidents {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  read({ viewer, id }: { viewer: Viewer; id: number }): Promise<IncidentsAnswer> {
    return this.db.tx('watch.incidents', async (tx) => {
      await viewDeployment(tx, id, viewer);
      const now = await this.clock.now(tx);
      const first = spanOf(now, DAY_MS) - (DAYS - 1) * DAY_MS;
      const checks = await checksByDay(tx, id, first);
      const rows = await incidentsSince(tx, id, first);
      const open = rows.filter(({ ended_at }) => ended_at === null);
      const shown = open.filter((row) => !isRepeated(row, open));
      const days = Array.from({ length: DAYS }, (_, index) => first + index * DAY_MS);
      return {
        reachable_percent: reachablePercent(total([...checks.values()])),
        days: days.map((day) => {
          const ofDay = checks.get(day) ?? { checks: 0, failed: 0 };
          return {
            date: iso(day).slice(0, 10),
            state: stateOf(
              ofDay,
              rows.filter((row) => overlaps(row, day)),
            ),
            reachable_percent: reachablePercent(ofDay),
          };
        }),
        incidents: [...shown.sort(byImportance), ...rows.filter(({ ended_at }) => ended_at !== null)]
          .slice(0, INCIDENTS_MAX)
          .map((row) => incidentAnswer(row, open)),
      };
    });
  }
}

async function checksByDay(tx: Tx, id: number, first: Instant): Promise<ReadonlyMap<Instant, Checks>> {
  const rows = await tx.query<Checks & { readonly day: Instant }>(
    `select date_trunc('day', at, 'UTC') as day, sum(checks)::int as checks, sum(failed)::int as failed
     from metrics where deployment_id = $1 and at >= $2 group by 1`,
    [id, iso(first)],
  );
  return new Map(rows.map((row) => [row.day, row]));
}

/** Returns the incidents that were open at or after an instant, the newest first. */
function incidentsSince(tx: Tx, id: number, first: Instant): Promise<IncidentRow[]> {
  return tx.query<IncidentRow>(
    `select ${INCIDENT_COLUMNS} from incidents i
     where i.deployment_id = $1 and (i.ended_at is null or i.ended_at >= $2)
     order by i.began_at desc, i.id desc limit 1000`,
    [id, iso(first)],
  );
}

const total = (all: readonly Checks[]): Checks =>
  all.reduce((sum, { checks, failed }) => ({ checks: sum.checks + checks, failed: sum.failed + failed }), {
    checks: 0,
    failed: 0,
  });

const overlaps = ({ began_at, ended_at }: IncidentRow, day: Instant): boolean =>
  began_at < day + DAY_MS && (ended_at === null || ended_at >= day);

function stateOf({ checks }: Checks, incidents: readonly IncidentRow[]): DayState {
  if (incidents.some(({ kind }) => kind === 'down' || kind === 'server_off' || kind === 'server_gone')) return 'down';
  if (incidents.length > 0) return 'trouble';
  return checks === 0 ? 'none' : 'good';
}
