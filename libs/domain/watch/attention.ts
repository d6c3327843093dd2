import type { AlertKind } from '../messages/alert';
import { DAY_MS, HOUR_MS, type Instant } from '../time';

/** Levels of urgency. `now` costs data, money or trust by the hour, `today` by the day. `later` can wait. */
export const URGENCIES = ['now', 'today', 'later'] as const;
export type Urgency = (typeof URGENCIES)[number];

/**
 * Kinds of matters that need an administrator, in the order in which they are listed at the same urgency and deadline.
 */
export const ATTENTION_KINDS = [
  'alert',
  'replies',
  'incidents',
  'failed_deployments',
  'unpaid_deployments',
  'payment_differences',
  'leaks',
  'credit_requests',
  'referrals',
  'low_balances',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** A matter that needs an administrator. */
export interface Attention {
  readonly kind: AttentionKind;
  /** Kind of the alert, or null for other matters. */
  readonly alert: string | null;
  readonly urgency: Urgency;
  /** Number of cases. */
  readonly count: number;
  /** Start of the oldest case, if known. */
  readonly since: Instant | null;
  /** Deadline of the most urgent case, or null if there is none. */
  readonly dueAt: Instant | null;
}

/** Open cases of a kind. */
export interface Cases {
  readonly count: number;
  readonly since: Instant | null;
}

/** State of the platform from which the matters are derived. */
export interface PlatformState {
  /** Open alerts by kind. Kinds of other versions of the product are possible. */
  readonly alerts: readonly (Cases & { readonly kind: string })[];
  /** Conversations that wait for a reply. `dueAt` is the earliest promised reply. */
  readonly replies: Cases & { readonly overdue: number; readonly dueSoon: number; readonly dueAt: Instant | null };
  /** Running deployments with an alarm, without those that another alarm explains. */
  readonly incidents: Cases;
  /** Deployments that failed within `FAILED_WITHIN_MS`. */
  readonly failed: Cases & { readonly latest: Instant | null };
  /** Deployments in a grace period. `dueAt` is the earliest end. */
  readonly unpaid: Cases & { readonly dueAt: Instant | null };
  /** Payments that differ from the payment provider's records. */
  readonly differences: Cases;
  /** Undecided resources at providers that belong to no deployment. */
  readonly leaks: Cases;
  readonly creditRequests: Cases & { readonly overdue: number };
  readonly referrals: Cases;
  /** Accounts that run out of money within a day. */
  readonly lowBalances: Cases;
}

/** Age up to which a failed deployment needs an administrator. */
export const FAILED_WITHIN_MS = 7 * DAY_MS;
/** Age up to which a failure is new, so that its cause may affect the next orders too. */
const NEW_FAILURE_MS = DAY_MS;
/** Time before the end of a grace period in which a deployment is about to be deleted. */
const ENDING_MS = HOUR_MS;

/** Urgency of each alert. A kind of another version is `now`, because nothing is known about it. */
const ALERT_URGENCY: Readonly<Record<AlertKind, Urgency>> = {
  books_breached: 'now',
  books_unproven: 'now',
  account_unsettled: 'now',
  grace_period_overdue: 'now',
  daily_run_late: 'now',
  audit_late: 'today',
  proof_late: 'today',
  watch_late: 'now',
  event_unsent: 'now',
  event_missing: 'now',
  delivery_unhandled: 'now',
  delivery_parked: 'now',
  work_overdue: 'now',
  deployment_stuck: 'now',
  mail_unsent: 'now',
  database_short: 'now',
  provider_distrusted: 'now',
  provider_silent: 'now',
  provider_quota: 'today',
  provider_refused: 'now',
  place_refused: 'today',
  provider_rules: 'today',
  payment_differences: 'today',
  payment_disputed: 'today',
  refund_not_made: 'today',
  closed_account_paid: 'today',
  server_reappeared: 'today',
  server_without_owner: 'today',
  leaks_cost: 'today',
  nothing_answers: 'now',
  backups_stale: 'today',
  backup_target: 'now',
  backup_damaged: 'now',
  backup_strange: 'now',
  release_stopped: 'today',
  image_newer: 'later',
  image_withdrawn: 'today',
  platform_dns: 'now',
  platform_certificates: 'today',
  image_moved: 'later',
};

/** Alerts whose cases are counted as another matter, which then replaces the alert and takes over its urgency. */
const COUNTED_AS: Readonly<Partial<Record<AlertKind, AttentionKind>>> = {
  payment_differences: 'payment_differences',
  server_without_owner: 'leaks',
  leaks_cost: 'leaks',
};

/**
 * Returns what needs an administrator, the most urgent first. At the same urgency the earliest deadline comes first,
 * then the order of `ATTENTION_KINDS`, then the oldest.
 */
export function attentionOf(state: PlatformState, now: Instant): Attention[] {
  const matters = casesOf(state, now).filter(({ count }) => count > 0);
  const replaced = (kind: string): AttentionKind | undefined => {
    const as = lookUp(COUNTED_AS, kind);
    return matters.some((matter) => matter.kind === as) ? as : undefined;
  };
  const raised = new Map<AttentionKind, Urgency>();
  const alerts: Attention[] = [];
  for (const { kind, count, since } of state.alerts) {
    const urgency = alertUrgency(kind);
    const as = replaced(kind);
    if (as === undefined) alerts.push({ kind: 'alert', alert: kind, urgency, count, since, dueAt: null });
    else raised.set(as, moreUrgent(urgency, raised.get(as)));
  }
  const urgent = matters.map((matter) => ({
    ...matter,
    urgency: moreUrgent(matter.urgency, raised.get(matter.kind)),
  }));
  return [...alerts, ...urgent].sort(byUrgency);
}

function casesOf(state: PlatformState, now: Instant): Attention[] {
  const { replies, incidents, failed, unpaid, differences, leaks, creditRequests, referrals, lowBalances } = state;
  const matter = (
    kind: AttentionKind,
    { count, since }: Cases,
    urgency: Urgency,
    dueAt: Instant | null = null,
  ): Attention => ({ kind, alert: null, urgency, count, since, dueAt });
  const isNew = failed.latest !== null && failed.latest > now - NEW_FAILURE_MS;
  const isEnding = unpaid.dueAt !== null && unpaid.dueAt <= now + ENDING_MS;
  return [
    matter('replies', replies, replies.overdue > 0 || replies.dueSoon > 0 ? 'now' : 'today', replies.dueAt),
    matter('incidents', incidents, 'now'),
    matter('failed_deployments', failed, isNew ? 'today' : 'later'),
    matter('unpaid_deployments', unpaid, isEnding ? 'now' : 'today', unpaid.dueAt),
    matter('payment_differences', differences, 'today'),
    matter('leaks', leaks, 'later'),
    matter('credit_requests', creditRequests, creditRequests.overdue > 0 ? 'today' : 'later'),
    matter('referrals', referrals, 'later'),
    matter('low_balances', lowBalances, 'later'),
  ];
}

export const alertUrgency = (kind: string): Urgency => lookUp(ALERT_URGENCY, kind) ?? 'now';

const lookUp = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

const rank = (urgency: Urgency): number => URGENCIES.indexOf(urgency);
const moreUrgent = (one: Urgency, other: Urgency = 'later'): Urgency => (rank(one) <= rank(other) ? one : other);

const NEVER = Number.POSITIVE_INFINITY;

function byUrgency(a: Attention, b: Attention): number {
  return (
    rank(a.urgency) - rank(b.urgency) ||
    compare(a.dueAt ?? NEVER, b.dueAt ?? NEVER) ||
    ATTENTION_KINDS.indexOf(a.kind) - ATTENTION_KINDS.indexOf(b.kind) ||
    compare(a.since ?? NEVER, b.since ?? NEVER) ||
    compare(a.alert ?? '', b.alert ?? '')
  );
}

const compare = <Value extends number | string>(a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0);
