import type { Alerts } from '@moorage/database';
import {
  ALARMS,
  attentionOf,
  CONSTANTS,
  FAILED_WITHIN_MS,
  HOUR_MS,
  type Attention,
  type Instant,
  iso,
  type PlatformState,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { isWatchLate } from '../alerts/alert-mail.service';

/** An open alert with its subjects, of which at most `SUBJECTS_MAX` are read. */
interface AlertRow {
  readonly kind: string;
  readonly count: number;
  readonly since: Instant | null;
  /** Null for an alert without subjects. */
  readonly subjects: readonly string[] | null;
}

export interface ReadState {
  readonly attention: readonly Attention[];
  readonly state: PlatformState;
  readonly subjectsOf: ReadonlyMap<string, readonly string[]>;
  readonly isWatchLate: boolean;
}

const SUBJECTS_MAX = 5;
/** Maximum counted of each kind of case, so that a flood stays cheap. */
const COUNTED_MAX = 10_001;

/**
 * Time at which a deployment failed. `billable_to` is set if it ran before. Nothing else changes a failed deployment
 * that never ran, except the removal of its server.
 */
export const FAILED_AT = 'coalesce(d.billable_to, d.updated_at)';
/** Condition of failed deployments that still need an administrator. The parameter is the earliest failure. */
export const isFailedSince = (from: string): string =>
  `d.status = 'FAILED' and d.deleted_at is null and ${FAILED_AT} > ${from}`;

const ALERTS = `
select kind, count(*)::int as count, min(first_seen_at) as since,
  (array_agg(subject order by first_seen_at, subject) filter (where subject <> ''))[1:${SUBJECTS_MAX}] as subjects
from operator_alerts where resolved_at is null group by kind order by kind limit 100`;

/** Cases of one kind as a JSON object. `rows` selects the columns that `columns` aggregates. */
const cases = (columns: string, rows: string): string =>
  `(select json_build_object(${columns}) from (${rows} limit ${COUNTED_MAX}) one)`;
const COUNT = `'count', count(*)`;
const ms = (instant: string): string => `(extract(epoch from ${instant}) * 1000)::float8`;
const SINCE = `'since', ${ms('min(since)')}`;

/** Parameters: now, earliest failure, creation of credit requests that are overdue. */
const STATE = `select
  ${cases(
    `${COUNT}, ${SINCE}, 'overdue', count(*) filter (where due_at <= $1),
     'dueSoon', count(*) filter (where due_at > $1 and (warn_at is null or warn_at <= $1)), 'dueAt', ${ms('min(due_at)')}`,
    `select waiting_since as since, due_at, warn_at from support_messages where state = 'open'`,
  )} as replies,
  ${cases(
    `'count', count(distinct deployment_id), ${SINCE}`,
    `select deployment_id, began_at as since from incidents
     where ended_at is null and kind in (${ALARMS.map((kind) => `'${kind}'`).join(', ')})`,
  )} as incidents,
  ${cases(
    `${COUNT}, ${SINCE}, 'latest', ${ms('max(since)')}`,
    `select ${FAILED_AT} as since from deployments d where ${isFailedSince('$2')}`,
  )} as failed,
  ${cases(
    `${COUNT}, ${SINCE}, 'dueAt', ${ms('min(due_at)')}`,
    `select grace_period_started_at as since, grace_period_ends_at as due_at from meters where grace_period_day is not null`,
  )} as unpaid,
  ${cases(
    `${COUNT}, ${SINCE}`,
    'select first_seen_at as since from payment_differences where resolved_at is null',
  )} as differences,
  ${cases(`${COUNT}, ${SINCE}`, `select first_seen_at as since from cloud_leaks where ended_at is null and state = 'confirmed'`)} as leaks,
  ${cases(
    `${COUNT}, ${SINCE}, 'overdue', count(*) filter (where since < $3)`,
    `select created_at as since from credit_requests where state = 'waiting'`,
  )} as "creditRequests",
  ${cases(`${COUNT}, ${SINCE}`, `select verified_at as since from referral_pairs where state = 'waiting'`)} as referrals,
  ${cases(`${COUNT}, 'since', null`, 'select from wallets where low_warned_days = 1')} as "lowBalances"`;

/** Reads the state of the platform and what needs an administrator. */
export async function readPlatformState(tx: Tx, { alerts, now }: { alerts: Alerts; now: Instant }): Promise<ReadState> {
  const open = await tx.query<AlertRow>(ALERTS);
  const [cased] = await tx.query<Omit<PlatformState, 'alerts'>>(STATE, [
    iso(now),
    iso(now - FAILED_WITHIN_MS),
    iso(now - CONSTANTS.freeCreditsReviewHours * HOUR_MS),
  ]);
  if (cased === undefined) throw new Error('the aggregate returned no row');
  const isLate = await isWatchLate(tx, alerts, now);
  // The alert opens a little later, because billing may just be starting.
  const late = isLate && !open.some(({ kind }) => kind === 'watch_late') ? [WATCH_LATE] : [];
  const state = { ...cased, alerts: [...open, ...late] };
  return {
    attention: attentionOf(state, now),
    state,
    subjectsOf: new Map(open.map(({ kind, subjects }) => [kind, subjects ?? []])),
    isWatchLate: isLate,
  };
}

const WATCH_LATE = { kind: 'watch_late', count: 1, since: null } as const;
