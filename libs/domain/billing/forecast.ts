import { Money } from '../money';
import { addDays, type Day, DAY_MS, dayOf, type Instant, startOfDay } from '../time';
import { type Account, balanceInfo, currentHourly, type Metered } from './account';
import { entryAmount } from './books';
import { type Credit, hasEnded, isReferral } from './credit';
import { owedForDay } from './hours';
import { Midnights } from './daily-charge';
import { postPayment } from './postings';
import { PRICE_LIST } from './price-list';
import { dailyPrice } from './pricing';
import { FOREVER_MS, unpaidCharges, type Runway, runwayOf } from './runway';
import { longerTopUp, type Saving, savingTopUp } from './saving';
import { settleAccount } from './settle';

/** Remainder of each bucket after the charge of a day. */
export interface ForecastDay {
  readonly date: Day;
  readonly regular: Money;
  readonly referral: Money;
  readonly signup: Money;
  readonly total: Money;
  /** Charge of the day for the deployments still running then. */
  readonly charged: Money;
  /** Everything that runs now is still paid for on this day. */
  readonly lasts: boolean;
}

/** A charge that is not covered. */
export interface UnpaidCharge {
  readonly deploymentId: number;
  readonly clientName: string;
  readonly amount: Money;
  /** Smallest payment that covers this charge alone. It includes what the account owes, which is paid first. */
  readonly needed: Money;
  readonly endsAt: Instant;
}

/**
 * Urgency of the runway. `none` means that nothing runs, `week` at most 7 days, and `days` at most 3 days or an
 * uncovered charge.
 */
export type RunwayLevel = 'none' | 'calm' | 'week' | 'days';

export interface Forecast {
  readonly runway: Runway;
  readonly level: RunwayLevel;
  /** Daily price of everything that runs. */
  readonly daily: Money;
  readonly running: number;
  /** Days from today. Today shows the current state. */
  readonly days: readonly ForecastDay[];
  readonly gracePeriods: readonly UnpaidCharge[];
  /** Recommended top-up if the money ends within a week. Null if none is needed or none is enough. */
  readonly saving: Saving | null;
  /** Larger top-up for 7 more days, offered beside `saving` during a grace period. */
  readonly longer: Saving | null;
  /** Credits that are locked now. */
  readonly lockedNow: Money;
  /** Amount missing from the regular balance to unlock the credits, or zero if no credits are locked. */
  readonly unlockNeeds: Money;
}

export const FORECAST_DAYS = 14;

/** Forecasts an account on the assumption that nothing changes. The account itself is not modified. */
export function forecastOf(account: Account, at: Instant): Forecast {
  const now = settleAccount(account, at, { gracePeriodMs: FOREVER_MS }).after;
  const runway = runwayOf(now, at);
  const running = now.deployments.filter(isRunning);
  const waits = new Set(account.deployments.filter(({ gracePeriod }) => gracePeriod !== null).map(({ id }) => id));
  const { locked, regular } = balanceInfo(now, at);
  const level = levelOf(runway, { at, running: running.length });
  const saving = level === 'week' || level === 'days' ? savingTopUp(now, at) : null;
  return {
    runway,
    level,
    saving,
    longer: longerTopUp(now, at, { saving }),
    daily: dailyPrice(Money.sum(running.map(currentHourly))),
    running: running.length,
    days: daysOf(now, { at, endsAt: runway.endsAt }),
    // Uncovered charges that only this forecast finds are left out. Billing opens their grace period.
    gracePeriods: unpaidCharges(now)
      .filter(({ deployment }) => waits.has(deployment.id))
      .map(({ deployment, gracePeriod, dueAt }) => {
        const { amount } = owedForDay(gracePeriod.day, { from: deployment.billableFrom, to: null }, deployment.rates);
        return {
          deploymentId: deployment.id,
          clientName: deployment.clientName,
          amount,
          needed: neededToCover(now, { amount, dueAt, at }),
          endsAt: gracePeriod.endsAt,
        };
      }),
    lockedNow: locked,
    unlockNeeds: locked.isZero ? Money.ZERO : PRICE_LIST.creditUnlockBalance.minus(regular),
  };
}

/** ID of a hypothetical deployment. It sorts last, like a new deployment, and so is paid last. */
export const PROSPECTIVE_ID = Number.MAX_SAFE_INTEGER;

/** Returns the account as it would be with a top-up and new deployments now. */
export function accountWith(
  account: Account,
  { add, orders }: { add: Money; orders: readonly { id: number; clientName: string; hourly: Money }[] },
  at: Instant,
): Account {
  const paid = add.isPositive ? postPayment(account, { amount: add, at }).after : account;
  return { ...paid, deployments: [...paid.deployments, ...orders.map((order) => startingNow(order, at))] };
}

/** Returns the charge for the rest of today of a deployment that starts now. */
export function orderToday(hourly: Money, at: Instant): Money {
  return owedForDay(dayOf(at), { from: at, to: null }, [{ from: at, hourly }]).amount;
}

function startingNow(
  { id, clientName, hourly }: { id: number; clientName: string; hourly: Money },
  at: Instant,
): Metered {
  return {
    id,
    clientName,
    billableFrom: at,
    billableTo: null,
    rates: [{ from: at, hourly }],
    chargedThrough: null,
    gracePeriod: null,
    closedOut: false,
    allocations: [],
  };
}

const isRunning = ({ billableTo }: Metered): boolean => billableTo === null;

function levelOf({ endsAt }: Runway, { at, running }: { at: Instant; running: number }): RunwayLevel {
  if (running === 0) return 'none';
  if (endsAt === null || endsAt - at > 7 * DAY_MS) return 'calm';
  return endsAt - at > 3 * DAY_MS ? 'week' : 'days';
}

/** Simulates the charge at each midnight. Deployments that cannot be paid stop, and the others continue. */
function daysOf(account: Account, { at, endsAt }: { at: Instant; endsAt: Instant | null }): ForecastDay[] {
  const today = dayOf(at);
  const running = account.deployments.filter(isRunning);
  if (running.length === 0) return [];
  const lasts = (instant: Instant): boolean => endsAt === null || instant < endsAt;
  const paid = running.filter(({ gracePeriod }) => gracePeriod === null);
  const costs = paid.map((one) => owedForDay(today, { from: one.billableFrom, to: null }, one.rates).amount);
  const days = [{ date: today, ...bucketsOf(account, at), charged: Money.sum(costs), lasts: lasts(at) }];
  const tonight = startOfDay(addDays(today, 1));
  const deployments = account.deployments.map((one) => gracePeriodEndingBy(one, tonight));
  let midnights = new Midnights({ ...account, deployments });
  for (let midnight = tonight; days.length < FORECAST_DAYS; midnight += DAY_MS) {
    let charged = midnights.charge(midnight);
    if (charged === null) {
      const day = chargedDay(midnights.account, midnight);
      charged = day.charged;
      midnights = new Midnights(day.after);
    }
    days.push({ date: dayOf(midnight), ...bucketsOf(midnights.money, midnight), charged, lasts: lasts(midnight) });
  }
  return days;
}

/** Ends a grace period that only the forecast opened before the next day begins, like a real grace period. */
function gracePeriodEndingBy(deployment: Metered, midnight: Instant): Metered {
  const { gracePeriod } = deployment;
  return gracePeriod === null
    ? deployment
    : { ...deployment, gracePeriod: { ...gracePeriod, endsAt: Math.min(gracePeriod.endsAt, midnight) } };
}

function bucketsOf(
  account: Pick<Account, 'regular' | 'owed' | 'credits'>,
  at: Instant,
): Pick<ForecastDay, 'regular' | 'referral' | 'signup' | 'total'> {
  const { regular, referralCredits, signupCredits, total } = balanceInfo(account, at);
  return { regular, referral: referralCredits, signup: signupCredits, total };
}

/** Charges a day with `settleAccount`. Deployments that cannot be paid stop. */
function chargedDay(account: Account, midnight: Instant): { after: Account; charged: Money } {
  const { entries, after } = settleAccount(account, midnight, { gracePeriodMs: 0 });
  return { after, charged: Money.sum(entries.filter(({ type }) => type === 'charge').map(entryAmount)).negated() };
}

/**
 * Returns the smaller of two payments. Either it covers the missing amount, or it also unlocks the referral credits.
 */
function neededToCover(account: Account, { amount, dueAt, at }: { amount: Money; dueAt: Instant; at: Instant }): Money {
  const { regular, owed } = account;
  const good = (credit: Credit): boolean => !hasEnded(credit, dueAt) && !hasEnded(credit, at);
  const sum = (credits: readonly Credit[]): Money => Money.sum(credits.map(({ remaining }) => remaining));
  const usable = account.credits.filter(good);
  const signup = sum(usable.filter((credit) => !isReferral(credit)));
  const all = sum(usable);
  const alone = amount.minus(signup).minus(regular);
  const unlocking = Money.max(PRICE_LIST.creditUnlockBalance, amount.minus(all)).minus(regular);
  return Money.max(Money.ZERO, Money.min(alone, unlocking)).minus(owed);
}
