import type { AdminCounts, AdminOverviewAnswer, AttentionAnswer } from '@moorage/contracts';
import { Alerts, type Deployment, failureOf, type User } from '@moorage/database';
import {
  alertAdvice,
  alertMessage,
  type Day,
  displayName,
  FAILED_WITHIN_MS,
  type Instant,
  iso,
  isoOrNull,
  METRICS_PERIOD,
  type MetricsPeriod,
  Money,
  type Plan,
} from '@moorage/domain';
import { TransportState } from '@moorage/runtime';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { WAITS_FOR_OWNER } from '../deployments/action-required.sql';
import type { Viewer } from '../deployments/deployment-view';
import { countsQuery } from '../deployments/list-query';
import { FAILED_AT, isFailedSince, readPlatformState, type ReadState } from './platform-state';

interface PlaceRow
  extends Pick<Deployment, 'client_name' | 'user_id' | 'cloud_provider' | 'region'>, Pick<User, 'username'> {
  readonly deployment_id: number;
}

interface FailureRow
  extends PlaceRow, Pick<Deployment, 'package' | 'failure_reason' | 'failure_code' | 'failure_facts'> {
  readonly at: Instant;
}

interface Period {
  readonly from: Instant;
  readonly to: Instant;
}

const MICROS = 1_000_000;
const LISTED_MAX = 5;
/** Maximum counted in each group of deployments. */
const COUNTED_MAX = 10_001;
/** Maximum number of postings that are summed. */
const POSTINGS_MAX = 50_000;
/** Newest accounts among which sign-ups are counted. */
const ACCOUNTS_MAX = 10_000;

/** Reads the state of the whole platform for administrators. */
@Injectable()
export class ReadOverview {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly alerts: Alerts,
    private readonly transports: TransportState,
  ) {}

  counts(): Promise<AdminCounts> {
    return this.db.tx('overview.counts', async (tx) => {
      const { state, attention } = await readPlatformState(tx, { alerts: this.alerts, now: await this.clock.now(tx) });
      return {
        urgent: attention.filter(({ urgency }) => urgency !== 'later').length,
        alerts: state.alerts.length,
        conversations: { open: state.replies.count, overdue: state.replies.overdue },
        reviews: state.creditRequests.count + state.referrals.count,
        failed_deployments: state.failed.count,
        incidents: state.incidents.count,
        payment_differences: state.differences.count,
      };
    });
  }

  overview(viewer: Viewer, period: MetricsPeriod): Promise<AdminOverviewAnswer> {
    return this.db.tx('overview.read', async (tx) => {
      const now = await this.clock.now(tx);
      const span: Period = { from: now - METRICS_PERIOD[period].ms, to: now };
      const read = await readPlatformState(tx, { alerts: this.alerts, now });
      const { running, in_progress } = await this.deployments(tx, viewer);
      return {
        now: iso(now),
        period,
        attention: read.attention.map((matter) => attentionAnswer(matter, read)),
        deployments: { running, in_progress, failed: read.state.failed.count },
        money: await money(tx, span),
        signups: await signups(tx, span),
        leaks_daily: await leaksDaily(tx),
        checks: await this.checks(tx, read),
        slowest: await slowest(tx),
        failures: await failures(tx, now),
      };
    });
  }

  private async deployments(tx: Tx, viewer: Viewer): Promise<{ running: number; in_progress: number }> {
    const scope = { viewer, userId: null };
    const { sql, params } = countsQuery({}, scope, { groups: ['ready', 'in_progress'], most: COUNTED_MAX });
    const [row] = await tx.query<{ ready: number; in_progress: number }>(sql, params);
    return { running: row?.ready ?? 0, in_progress: row?.in_progress ?? 0 };
  }

  private async checks(tx: Tx, { isWatchLate }: ReadState): Promise<AdminOverviewAnswer['checks']> {
    const [run] = await tx.query<{ day: Day; finished_at: Instant | null }>(
      'select day, finished_at from billing_runs order by day desc limit 1',
    );
    const [comparison] = await tx.query<{ at: Instant }>('select at from payment_comparisons order by id desc limit 1');
    return {
      checked_at: isoOrNull(await this.alerts.lastRun(tx, 'watch')),
      is_late: isWatchLate,
      audited_at: isoOrNull(await this.alerts.lastRun(tx, 'audit')),
      compared_at: isoOrNull(comparison?.at ?? null),
      daily_run: run === undefined ? null : { day: run.day, finished_at: isoOrNull(run.finished_at) },
      transports: { ...this.transports.chosen, troubles: [...this.transports.troubles()] },
    };
  }
}

function attentionAnswer(
  { kind, alert, urgency, count, since, dueAt }: ReadState['attention'][number],
  { subjectsOf }: ReadState,
): AttentionAnswer {
  return {
    kind,
    urgency,
    count,
    since: isoOrNull(since),
    due_at: isoOrNull(dueAt),
    alert:
      alert === null
        ? null
        : {
            kind: alert,
            title: alertMessage(alert),
            advice: alertAdvice(alert),
            subjects: [...(subjectsOf.get(alert) ?? [])],
          },
  };
}

/** Charges are negative postings. Reads the newest first, so that the index of the due time ends the scan. */
const CHARGED = `
select count(*)::int as read,
  coalesce(sum(- amount_micros) filter (where type in ('charge', 'rerate', 'refund')), 0)::text as micros
from (
  select type, amount_micros from ledger_transactions where due_at > $1 and due_at <= $2
  order by due_at desc, id desc limit ${POSTINGS_MAX}
) newest`;
const PAID = `
select coalesce(sum(amount_cents), 0)::float8 as cents, count(*)::int as payments
from checkout_sessions where status = 'paid' and paid_at > $1 and paid_at <= $2`;
const TAKEN_BACK = `
select coalesce(sum(case when kind in ('refund', 'dispute') then amount_micros else - amount_micros end), 0)::text as micros
from payment_movements where created_at > $1 and created_at <= $2`;

async function money(tx: Tx, { from, to }: Period): Promise<AdminOverviewAnswer['money']> {
  const span = [iso(from), iso(to)];
  const [paid] = await tx.query<{ cents: number; payments: number }>(PAID, span);
  const [taken] = await tx.query<{ micros: string }>(TAKEN_BACK, span);
  return {
    charged: await charged(tx, { from, to }),
    charged_before: await charged(tx, { from: 2 * from - to, to: from }),
    paid: Money.ofCents(paid?.cents ?? 0).toWire(),
    payments: paid?.payments ?? 0,
    taken_back: Money.fromMicrosText(taken?.micros ?? '0').toWire(),
  };
}

async function charged(tx: Tx, { from, to }: Period): Promise<number | null> {
  const [row] = await tx.query<{ read: number; micros: string }>(CHARGED, [iso(from), iso(to)]);
  return row === undefined || row.read === POSTINGS_MAX ? null : Money.fromMicrosText(row.micros).toWire();
}

/** Counts customers. Ids rise with the time of creation. */
const SIGNUPS = `
select count(*)::int as created, (count(*) filter (where is_verified))::int as verified,
  (count(*) filter (where exists (select 1 from deployments d where d.user_id = newest.id and d.status <> 'DELETED')))::int
    as ordered
from (select id, is_verified, is_admin, created_at from users order by id desc limit ${ACCOUNTS_MAX}) newest
where created_at > $1 and not is_admin`;

async function signups(tx: Tx, { from }: Period): Promise<AdminOverviewAnswer['signups']> {
  const [row] = await tx.query<AdminOverviewAnswer['signups']>(SIGNUPS, [iso(from)]);
  return row ?? { created: 0, verified: 0, ordered: 0 };
}

async function leaksDaily(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ micros: number }>(
    `select coalesce(sum(micros_per_day), 0)::float8 as micros from cloud_leaks where ended_at is null and state = 'confirmed'`,
  );
  return (row?.micros ?? 0) / MICROS;
}

const PLACE = 'd.id as deployment_id, d.client_name, d.user_id, u.username, d.cloud_provider, d.region';

async function slowest(tx: Tx): Promise<AdminOverviewAnswer['slowest']> {
  const rows = await tx.query<PlaceRow & { plan: Plan; step: string; since: Instant }>(
    `select ${PLACE}, r.plan, r.steps[r.position + 1] as step, r.step_started_at as since
     from runs r join deployments d on d.id = r.deployment_id join users u on u.id = d.user_id
     where r.state = 'running' and r.step_started_at is not null and r.position < cardinality(r.steps)
       and not (${WAITS_FOR_OWNER})
     order by r.step_started_at, r.id limit ${LISTED_MAX}`,
  );
  return rows.map(({ plan, step, since, ...row }) => ({ ...placeAnswer(row), plan, step, since: iso(since) }));
}

async function failures(tx: Tx, now: Instant): Promise<AdminOverviewAnswer['failures']> {
  const rows = await tx.query<FailureRow>(
    `select ${PLACE}, d.package, d.failure_reason, d.failure_code, d.failure_facts, ${FAILED_AT} as at
     from deployments d join users u on u.id = d.user_id
     where ${isFailedSince('$1')} order by ${FAILED_AT} desc, d.id desc limit ${LISTED_MAX}`,
    [iso(now - FAILED_WITHIN_MS)],
  );
  return rows.map((row) => ({
    ...placeAnswer(row),
    package: row.package,
    failure: failureOf(row),
    at: iso(row.at),
  }));
}

function placeAnswer({ deployment_id, client_name, user_id, username, cloud_provider, region }: PlaceRow): PlaceRow {
  return {
    deployment_id,
    client_name: displayName({ id: deployment_id, client_name }),
    user_id,
    username,
    cloud_provider,
    region,
  };
}
