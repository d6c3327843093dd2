import { Money } from '../money';
import { DAY_MS, type Instant } from '../time';
import type { Account } from './account';
import { postPayment } from './postings';
import { FOREVER_MS, heldCharges, RUNWAY_NIGHTS_MAX, runwayOf } from './runway';
import { settleAccount } from './settle';

/** What a top-up buys that is offered in a warning: a week more than without it. */
const BOUGHT_MS = 7 * DAY_MS;
const CENT = Money.micros(10_000n);
const LEAST_CENTS = 100;
/** The largest amount that is offered; by default the largest top-up. */
const MOST_CENTS = 100_000;

export interface Saving {
  readonly amount: Money;
  /** Until when everything then runs; null: longer than is looked ahead. */
  readonly endsAt: Instant | null;
}

/**
 * The least top-up that helps, in whole cents and at least 1.00: while charges wait for money, what covers them all; else
 * what adds 7 days to the runway. null: no top-up up to `mostCents` does. Only of an account whose money ends.
 */
export function savingTopUp(account: Account, at: Instant, { mostCents = MOST_CENTS } = {}): Saving | null {
  const settled = settleAccount(account, at, { holdMs: FOREVER_MS }).after;
  const { endsAt } = runwayOf(settled, at);
  if (endsAt === null) return null;
  const waits = heldCharges(settled).length > 0;
  const helps = (paid: Account): boolean =>
    waits
      ? heldCharges(settleAccount(paid, at, { holdMs: FOREVER_MS }).after).length === 0
      : lastsUntil(paid, at, endsAt + BOUGHT_MS);
  return leastThat(helps, settled, { at, mostCents });
}

/**
 * The least top-up, in whole cents, with which everything runs until `until`: zero where it does already, else at least
 * 1.00. null: no top-up up to `mostCents` is enough, or it is later than is looked ahead.
 */
export function topUpUntil(
  account: Account,
  at: Instant,
  until: Instant,
  { mostCents = MOST_CENTS } = {},
): Saving | null {
  const settled = settleAccount(account, at, { holdMs: FOREVER_MS }).after;
  const { endsAt } = runwayOf(settled, at);
  if (endsAt === null || endsAt >= until) return { amount: Money.ZERO, endsAt };
  if (until > at + RUNWAY_NIGHTS_MAX * DAY_MS) return null;
  return leastThat((paid) => lastsUntil(paid, at, until), settled, { at, mostCents });
}

const lastsUntil = (account: Account, at: Instant, until: Instant): boolean =>
  (runwayOf(account, at).endsAt ?? Infinity) >= until;

/** More money never helps less: the least that does is between one that does not and one that does. */
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
