import { Money } from '../money';
import { shownCents } from '../shown-cents';
import { DAY_MS, type Instant } from '../time';
import type { Account } from './account';
import { postPayment } from './postings';
import { FOREVER_MS, unpaidCharges, RUNWAY_DAYS_MAX, runwayOf } from './runway';
import { settleAccount } from './settle';

/** Runway gained by a top-up that a warning recommends, in milliseconds. */
const BOUGHT_MS = 7 * DAY_MS;
const CENT = Money.micros(10_000n);
const LEAST_CENTS = 100;
/** Largest amount recommended. The default is the largest top-up. */
const MOST_CENTS = 100_000;

export interface Saving {
  readonly amount: Money;
  /** Time until which everything then runs, or null if that is beyond the forecast. */
  readonly endsAt: Instant | null;
}

/**
 * Returns the smallest useful top-up of an account that runs out of money, in whole cents and at least 1.00. It covers
 * all charges in a grace period, or else adds 7 days to the runway.
 *
 * @returns null if no top-up up to `mostCents` helps, or if the money does not end
 */
export function savingTopUp(account: Account, at: Instant, { mostCents = MOST_CENTS } = {}): Saving | null {
  const settled = settleAccount(account, at, { gracePeriodMs: FOREVER_MS }).after;
  const { endsAt } = runwayOf(settled, at);
  if (endsAt === null) return null;
  const waits = unpaidCharges(settled).length > 0;
  const helps = (paid: Account): boolean =>
    waits
      ? unpaidCharges(settleAccount(paid, at, { gracePeriodMs: FOREVER_MS }).after).length === 0
      : lastsUntil(paid, at, endsAt + BOUGHT_MS);
  return leastThat(helps, settled, { at, mostCents });
}

/**
 * Returns the top-up offered beside `saving` while charges are in their grace period. It keeps everything running for 7
 * more days, whereas `saving` may cover only a part of today.
 *
 * @returns null if no charge is in its grace period, or if no top-up up to `mostCents` is enough
 */
export function longerTopUp(
  account: Account,
  at: Instant,
  { saving, mostCents = MOST_CENTS }: { saving: Saving | null; mostCents?: number },
): Saving | null {
  if (saving === null || saving.endsAt === null) return null;
  const settled = settleAccount(account, at, { gracePeriodMs: FOREVER_MS }).after;
  if (unpaidCharges(settled).length === 0) return null;
  return topUpUntil(settled, at, saving.endsAt + BOUGHT_MS, { mostCents });
}

/**
 * Returns the smallest top-up, in whole cents, with which everything runs until `until`. It is zero if that is the case
 * already, and otherwise at least 1.00.
 *
 * @returns null if no top-up up to `mostCents` is enough, or if `until` is beyond the forecast
 */
export function topUpUntil(
  account: Account,
  at: Instant,
  until: Instant,
  { mostCents = MOST_CENTS } = {},
): Saving | null {
  const settled = settleAccount(account, at, { gracePeriodMs: FOREVER_MS }).after;
  const { endsAt } = runwayOf(settled, at);
  if (endsAt === null || endsAt >= until) return { amount: Money.ZERO, endsAt };
  if (until > at + RUNWAY_DAYS_MAX * DAY_MS) return null;
  return leastThat((paid) => lastsUntil(paid, at, until), settled, { at, mostCents });
}

const lastsUntil = (account: Account, at: Instant, until: Instant): boolean =>
  (runwayOf(account, at).endsAt ?? Infinity) >= until;

/** Returns the smallest top-up that adds a missing amount, in whole cents and at least 1.00. */
export const leastTopUp = (missing: Money): Money =>
  CENT.times(Math.max(LEAST_CENTS, Number(shownCents(missing.micros, 'needed'))));

/** Finds the smallest helpful amount by bisection, which works because more money never helps less. */
function leastThat(
  helps: (paid: Account) => boolean,
  account: Account,
  { at, mostCents }: { at: Instant; mostCents: number },
): Saving | null {
  const paid = (cents: number): Account => postPayment(account, { amount: CENT.times(cents), at }).after;
  if (!helps(paid(mostCents))) return null;
  let [below, enough] = [LEAST_CENTS - 1, mostCents];
  while (enough - below > 1) {
    const middle = Math.floor((below + enough) / 2);
    if (helps(paid(middle))) enough = middle;
    else below = middle;
  }
  return { amount: CENT.times(enough), endsAt: runwayOf(paid(enough), at).endsAt };
}
