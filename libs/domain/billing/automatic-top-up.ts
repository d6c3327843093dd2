import { Money } from '../money';
import { DAY_MS, HOUR_MS, type Instant, startOfMonth } from '../time';
import type { Runway } from './runway';
import { type CardExpiry, hasExpired } from './saved-card';

/** What it is before its owner ever set it. */
export const AUTOMATIC_TOP_UP_DEFAULTS = {
  enabled: false,
  threshold: { kind: 'days', days: 3 },
  amountCents: 1_000,
  monthCapCents: 10_000,
} as const satisfies AutomaticTopUp;

/** Attempts in any 24 hours, whatever became of them. */
export const AUTOMATIC_TOP_UPS_A_DAY = 3;

/** Charged when what can be spent is below `amount`, or lasts for fewer than `days`. */
export type TopUpThreshold =
  { readonly kind: 'amount'; readonly amount: Money } | { readonly kind: 'days'; readonly days: number };

export interface AutomaticTopUp {
  readonly enabled: boolean;
  readonly threshold: TopUpThreshold;
  readonly amountCents: number;
  /** What is taken at most in a UTC month. */
  readonly monthCapCents: number;
}

export interface TopUpAttempt {
  readonly at: Instant;
  /** `unknown`: it was given up without an answer, so the card may have been charged. */
  readonly status: 'open' | 'paid' | 'failed' | 'unknown';
  readonly cents: number;
}

/** `owed`: the account owes money, which only its owner pays; `open`: an attempt is in flight; `hour`, `day`, `month`: the limit that is reached. */
export type NotDue =
  'off' | 'account' | 'no_card' | 'card_expired' | 'owed' | 'enough' | 'open' | 'hour' | 'day' | 'month';

/**
 * Reasons why automatic top-up was turned off without its owner: a charge failed, there is nothing to charge, or money left the
 * account for a reason other than use and must not be charged to the card again.
 */
export const TOP_UP_OFF_REASONS = [
  'declined',
  'authentication',
  'card_expired',
  'card_removed',
  'refund',
  'dispute',
  'adjustment',
  'preparation',
  'account',
  'administrator',
] as const;
export type TopUpOffReason = (typeof TOP_UP_OFF_REASONS)[number];

export type TopUpDecision =
  | { readonly due: true; readonly cents: number }
  /** `lookAgainAt`: when a limit ends; null: nothing but a change of the account makes it due, or time that others watch. */
  | { readonly due: false; readonly why: NotDue; readonly lookAgainAt: Instant | null };

/**
 * Whether the saved card is charged now (decisions 54). It is charged for use alone, so never while the account owes money
 * after a refund or a dispute. Money is short when it is below the threshold, or when a charge
 * waits for it already. At most one attempt in flight, one an hour, three in any 24 hours, and never more than the cap in
 * a UTC month: an amount that does not fit below it is not charged in part. `attempts`: in any order, at least those of the
 * last 24 hours, of this month, and the open one.
 */
export function decideTopUp({
  settings,
  card,
  account,
  attempts,
  at,
}: {
  settings: AutomaticTopUp;
  card: CardExpiry | null;
  account: {
    readonly isActive: boolean;
    readonly available: Money;
    readonly owed: Money;
    readonly runway: Pick<Runway, 'endsAt'>;
  };
  attempts: readonly TopUpAttempt[];
  at: Instant;
}): TopUpDecision {
  const not = (why: NotDue, lookAgainAt: Instant | null = null): TopUpDecision => ({ due: false, why, lookAgainAt });
  if (!settings.enabled) return not('off');
  if (!account.isActive) return not('account');
  if (card === null) return not('no_card');
  if (hasExpired(card, at)) return not('card_expired');
  if (account.owed.isPositive) return not('owed');
  if (!isShort(settings.threshold, account, at)) return not('enough');
  if (attempts.some(({ status }) => status === 'open')) return not('open');
  if (monthCents(attempts, at) + settings.amountCents > settings.monthCapCents) return not('month');
  const newest = attempts.map((attempt) => attempt.at).sort((a, b) => b - a);
  const [last, , thirdLast] = newest;
  if (thirdLast !== undefined && at < thirdLast + DAY_MS) return not('day', thirdLast + DAY_MS);
  if (last !== undefined && at < last + HOUR_MS) return not('hour', last + HOUR_MS);
  return { due: true, cents: settings.amountCents };
}

/** What is taken, or may still be, in the UTC month of `at`. */
export function monthCents(attempts: readonly TopUpAttempt[], at: Instant): number {
  return attempts
    .filter((attempt) => attempt.status !== 'failed' && startOfMonth(attempt.at) === startOfMonth(at))
    .reduce((cents, attempt) => cents + attempt.cents, 0);
}

function isShort(
  threshold: TopUpThreshold,
  { available, runway: { endsAt } }: { available: Money; runway: Pick<Runway, 'endsAt'> },
  at: Instant,
): boolean {
  // a charge waits: its due instant has passed
  if (endsAt !== null && endsAt <= at) return true;
  if (threshold.kind === 'amount') return available.isLessThan(threshold.amount);
  return endsAt !== null && endsAt - at < threshold.days * DAY_MS;
}
