import { Money } from '../money';
import { addDays, type Day, DAY_MS, dayOf, type Instant, startOfDay } from '../time';
import { type Account, balanceInfo, currentHourly, type Metered } from './account';
import { entryAmount } from './books';
import { type Credit, hasEnded, isReferral } from './credit';
import { owedForDay } from './hours';
import { chargeDayAtOnce, type DailyCharge } from './daily-charge';
import { postPayment } from './postings';
import { PRICE_LIST } from './price-list';
import { dailyPrice } from './pricing';
import { FOREVER_MS, heldCharges, type Runway, runwayOf } from './runway';
import { type Saving, savingTopUp } from './saving';
import { settleAccount } from './settle';

/** What is left of each pot when a day's charge has been paid. */
export interface ForecastDay {
  readonly date: Day;
  readonly regular: Money;
  readonly referral: Money;
  readonly signup: Money;
  readonly total: Money;
  /** What the day costs of what still runs then. */
  readonly charged: Money;
  /** Everything that runs now is paid for on this day. */
  readonly lasts: boolean;
}

/** A charge that waits for money. */
export interface HeldCharge {
  readonly deploymentId: number;
  readonly clientName: string;
  readonly amount: Money;
  /** The least payment that covers this charge, alone; what is owed is paid by it first. */
  readonly needed: Money;
  readonly endsAt: Instant;
}

/** How near the end is: `none` nothing runs, `week` at most 7 days, `days` at most 3 (or a charge waits already). */
export type RunwayLevel = 'none' | 'calm' | 'week' | 'days';

export interface Forecast {
  readonly runway: Runway;
  readonly level: RunwayLevel;
  /** Per day, of everything that runs. */
  readonly daily: Money;
  readonly running: number;
  /** From today on; today as it stands now. */
  readonly days: readonly ForecastDay[];
  readonly holds: readonly HeldCharge[];
  /** The top-up that helps, where the money ends within a week; null: nothing has to be done, or none is enough. */
  readonly saving: Saving | null;
  /** Credits that are locked now. */
  readonly lockedNow: Money;
  /** What the regular balance lacks to unlock them; zero when nothing is locked. */
  readonly unlockNeeds: Money;
}

export const FORECAST_DAYS = 14;

/** The account as it is and as it will be, when nobody does anything. Nothing is changed by looking. */
export function forecastOf(account: Account, at: Instant): Forecast {
  const now = settleAccount(account, at, { holdMs: FOREVER_MS }).after;
  const runway = runwayOf(now, at);
  const running = now.deployments.filter(isRunning);
  const waits = new Set(account.deployments.filter(({ hold }) => hold !== null).map(({ id }) => id));
  const { locked, regular } = balanceInfo(now, at);
  const level = levelOf(runway, { at, running: running.length });
  return {
    runway,
    level,
    saving: level === 'week' || level === 'days' ? savingTopUp(now, at) : null,
    daily: dailyPrice(Money.sum(running.map(currentHourly))),
    running: running.length,
    days: daysOf(now, { at, endsAt: runway.endsAt }),
    // what only this look finds uncovered is not told to anybody yet: billing opens the hold
    holds: heldCharges(now)
      .filter(({ deployment }) => waits.has(deployment.id))
      .map(({ deployment, hold, dueAt }) => {
        const { amount } = owedForDay(hold.day, { from: deployment.billableFrom, to: null }, deployment.rates);
        return {
          deploymentId: deployment.id,
          clientName: deployment.clientName,
          amount,
          needed: neededToCover(now, { amount, dueAt, at }),
          endsAt: hold.endsAt,
        };
      }),
    lockedNow: locked,
    unlockNeeds: locked.isZero ? Money.ZERO : PRICE_LIST.creditUnlockBalance.minus(regular),
  };
}

/** The id of a deployment that is only asked about: it is paid last, as a new one is. */
export const ASKED_ABOUT = Number.MAX_SAFE_INTEGER;

/** What if: money comes in now, and these start now. */
export function accountWith(
  account: Account,
  { add, orders }: { add: Money; orders: readonly { id: number; clientName: string; hourly: Money }[] },
  at: Instant,
): Account {
  const paid = add.isPositive ? postPayment(account, { amount: add, at }).after : account;
  return { ...paid, deployments: [...paid.deployments, ...orders.map((order) => startingNow(order, at))] };
}

/** What the rest of today costs of a deployment that starts now. */
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
    hold: null,
    reckoned: false,
    taken: [],
  };
}

const isRunning = ({ billableTo }: Metered): boolean => billableTo === null;

function levelOf({ endsAt }: Runway, { at, running }: { at: Instant; running: number }): RunwayLevel {
  if (running === 0) return 'none';
  if (endsAt === null || endsAt - at > 7 * DAY_MS) return 'calm';
  return endsAt - at > 3 * DAY_MS ? 'week' : 'days';
}

/** Midnight after midnight; what cannot be paid stops, and the others go on. */
function daysOf(account: Account, { at, endsAt }: { at: Instant; endsAt: Instant | null }): ForecastDay[] {
  const today = dayOf(at);
  const running = account.deployments.filter(isRunning);
  if (running.length === 0) return [];
  const lasts = (instant: Instant): boolean => endsAt === null || instant < endsAt;
  const paid = running.filter(({ hold }) => hold === null);
  const costs = paid.map((one) => owedForDay(today, { from: one.billableFrom, to: null }, one.rates).amount);
  const days = [{ date: today, ...potsOf(account, at), charged: Money.sum(costs), lasts: lasts(at) }];
  const tonight = startOfDay(addDays(today, 1));
  let now: Account = { ...account, deployments: account.deployments.map((one) => heldUntil(one, tonight)) };
  for (let night = tonight; days.length < FORECAST_DAYS; night += DAY_MS) {
    const { after, charged } = chargeDayAtOnce(now, night) ?? chargedDay(now, night);
    now = after;
    days.push({ date: dayOf(night), ...potsOf(now, night), charged, lasts: lasts(night) });
  }
  return days;
}

/** A hold that only our look opened ends, like a real one, before the next day begins. */
function heldUntil(deployment: Metered, night: Instant): Metered {
  const { hold } = deployment;
  return hold === null ? deployment : { ...deployment, hold: { ...hold, endsAt: Math.min(hold.endsAt, night) } };
}

function potsOf(account: Account, at: Instant): Pick<ForecastDay, 'regular' | 'referral' | 'signup' | 'total'> {
  const { regular, referralCredits, signupCredits, total } = balanceInfo(account, at);
  return { regular, referral: referralCredits, signup: signupCredits, total };
}

/** By the rule itself: what cannot be paid stops. */
function chargedDay(account: Account, night: Instant): DailyCharge {
  const { entries, after } = settleAccount(account, night, { holdMs: 0 });
  return { after, charged: Money.sum(entries.filter(({ type }) => type === 'charge').map(entryAmount)).negated() };
}

/** Either the payment pays what is missing, or it also unlocks the referral credits: whichever takes less. */
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
