import { Money } from '../money';
import { type Day, DAY_MS, HOUR_MS, type Instant, startOfDay, startOfMonth } from '../time';
import type { Runway } from './runway';
import { type CardExpiry, hasExpired } from './saved-card';

/** Settings before the owner first changes them. */
export const AUTOMATIC_TOP_UP_DEFAULTS = {
  enabled: false,
  threshold: { kind: 'days', days: 3 },
  amountCents: 1_000,
  monthCapCents: 10_000,
} as const satisfies AutomaticTopUp;

/** Maximum number of attempts in any 24 hours, including failed attempts. */
export const AUTOMATIC_TOP_UPS_A_DAY = 3;

/**
 * Threshold below which the card is charged. The available money is compared with `amount`, or its runway with `days`.
 */
export type TopUpThreshold =
  { readonly kind: 'amount'; readonly amount: Money } | { readonly kind: 'days'; readonly days: number };

export interface AutomaticTopUp {
  readonly enabled: boolean;
  readonly threshold: TopUpThreshold;
  readonly amountCents: number;
  /** Maximum charged per UTC month. */
  readonly monthCapCents: number;
}

export interface TopUpAttempt {
  readonly at: Instant;
  /** `unknown` is an attempt given up without a response, so the card may have been charged. */
  readonly status: 'open' | 'paid' | 'failed' | 'unknown';
  readonly cents: number;
}

/**
 * Reasons why no top-up is due. With `owed` the account owes money, which only its owner pays. With `open` an attempt
 * is in flight. `hour`, `day` and `month` name the limit reached.
 */
export type NotDue =
  'off' | 'account' | 'no_card' | 'card_expired' | 'owed' | 'enough' | 'open' | 'hour' | 'day' | 'month';

/**
 * Reasons why automatic top-up was turned off without its owner. A charge failed, there is nothing to charge, or money
 * left the account for a reason other than use and must not be charged to the card again.
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
  /**
   * `checkAgainAt` is the time at which a limit ends. It is null if only a change of the account, or time that other
   * checks track, makes a top-up due.
   */
  | { readonly due: false; readonly why: NotDue; readonly checkAgainAt: Instant | null };

/**
 * Decides whether the saved card is charged now (decision 54).
 *
 * The card pays only for use, so it is never charged while the account owes money after a refund or a dispute. The
 * balance is low when it is below the threshold or when a charge is already uncovered. The limits are a single attempt
 * in flight, an attempt per hour and three in any 24 hours. The total never exceeds the cap of a UTC month, and an
 * amount that does not fit below the cap is not charged in part.
 *
 * @param attempts in any order, at least those of the last 24 hours and of this month, and the open attempt
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
  const not = (why: NotDue, checkAgainAt: Instant | null = null): TopUpDecision => ({ due: false, why, checkAgainAt });
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

/** Returns the cents charged in the UTC month of `at`, including attempts that may still be charged. */
export function monthCents(attempts: readonly TopUpAttempt[], at: Instant): number {
  return attempts
    .filter((attempt) => attempt.status !== 'failed' && startOfMonth(attempt.at) === startOfMonth(at))
    .reduce((cents, attempt) => cents + attempt.cents, 0);
}

/** Expected charges of automatic top-up at the cost of today. */
export interface TopUpOutlook {
  /** Number of days that one top-up pays for. */
  readonly daysPerTopUp: number;
  /** Time of the next charge, or null if none is foreseeable. */
  readonly nextAt: Instant | null;
  /** True if the cap of this month is used up, so that the next charge is delayed to the next month. */
  readonly isCapped: boolean;
  /** Number of days per month that the cap pays for, or null if it pays for the whole month. */
  readonly capDays: number | null;
}

/** A month as the cap counts it. Calendar months have up to 31 days. */
const MONTH_DAYS = 31;

/**
 * Forecasts the charges of automatic top-up, for its owner. Decides nothing.
 *
 * @param forecast `days` are the coming days with the balance after each charge
 * @returns null if nothing runs
 */
export function topUpOutlook(
  { threshold, amountCents, monthCapCents }: Omit<AutomaticTopUp, 'enabled'>,
  {
    daily,
    endsAt,
    days,
    usedCents,
    at,
  }: {
    daily: Money;
    endsAt: Instant | null;
    days: readonly { readonly date: Day; readonly total: Money }[];
    usedCents: number;
    at: Instant;
  },
): TopUpOutlook | null {
  if (!daily.isPositive) return null;
  const daysOf = (cents: number): number => Number(Money.ofCents(cents).micros) / Number(daily.micros);
  const short =
    threshold.kind === 'days'
      ? endsAt === null
        ? undefined
        : endsAt - threshold.days * DAY_MS
      : days.filter(({ total }) => total.isLessThan(threshold.amount)).map(({ date }) => startOfDay(date))[0];
  const dueAt = short === undefined ? null : Math.max(short, at);
  const nextMonth = endOfMonth(at);
  const isCapped = usedCents + amountCents > monthCapCents && dueAt !== null && dueAt < nextMonth;
  const capDays = Math.floor(daysOf(monthCapCents));
  return {
    daysPerTopUp: daysOf(amountCents),
    nextAt: isCapped ? nextMonth : dueAt,
    isCapped,
    capDays: capDays < MONTH_DAYS ? capDays : null,
  };
}

const endOfMonth = (at: Instant): Instant => startOfMonth(startOfMonth(at) + 32 * DAY_MS);

function isShort(
  threshold: TopUpThreshold,
  { available, runway: { endsAt } }: { available: Money; runway: Pick<Runway, 'endsAt'> },
  at: Instant,
): boolean {
  // The due time of a charge has passed without payment.
  if (endsAt !== null && endsAt <= at) return true;
  if (threshold.kind === 'amount') return available.isLessThan(threshold.amount);
  return endsAt !== null && endsAt - at < threshold.days * DAY_MS;
}
