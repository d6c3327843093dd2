import { Money } from '../money';
import { addDays, DAY_MS, dayOf, type Instant, startOfDay } from '../time';
import { type Account, currentHourly, type GracePeriod, type Metered } from './account';
import { hasEnded, lockedMoney } from './credit';
import { dueInstant } from './hours';
import { Midnights } from './daily-charge';
import { dailyPrice } from './pricing';
import { settleAccount, type Settlement } from './settle';

export interface Runway {
  /**
   * First 00:00 UTC that cannot be paid, or the due time of the charge in a grace period. Null if nothing runs or no
   * end is foreseeable.
   */
  readonly endsAt: Instant | null;
  /** First deployment of `stops`. */
  readonly stopsFirst: number | null;
  /** Every deployment that stops at that instant, in order. */
  readonly stops: readonly number[];
  /** Credits that cannot be used then, because the regular balance is below 5.00. */
  readonly locked: Money;
}

const ENDLESS: Runway = { endsAt: null, stopsFirst: null, stops: [], locked: Money.ZERO };
/** Grace period for simulations, so that an uncovered charge ends nothing. */
export const FOREVER_MS = Number.MAX_SAFE_INTEGER / 4;
/** Horizon of the runway, in days. */
export const RUNWAY_DAYS_MAX = 3_650;

/**
 * Simulates the coming midnights with `settleAccount`, including expiries and unlocking of credits. The account is
 * first settled at `at`.
 *
 * @returns the end of the runway, which is open if nothing runs or if the money lasts beyond `RUNWAY_DAYS_MAX`
 */
export function runwayOf(account: Account, at: Instant): Runway {
  const now = settleAccount(account, at, { gracePeriodMs: FOREVER_MS }).after;
  const gracePeriods = unpaidCharges(now);
  const [held] = gracePeriods;
  if (held !== undefined) {
    const stops = gracePeriods.filter(({ dueAt }) => dueAt === held.dueAt).map(({ deployment }) => deployment.id);
    const locked = lockedMoney(now.credits, { regular: now.regular, at });
    return { endsAt: held.dueAt, stopsFirst: held.deployment.id, stops, locked };
  }

  const perDay = dailyPrice(
    Money.sum(now.deployments.filter(({ billableTo }) => billableTo === null).map(currentHourly)),
  );
  if (perDay.isZero) return ENDLESS;
  let midnight = startOfDay(addDays(dayOf(at), 1));
  const last = midnight + RUNWAY_DAYS_MAX * DAY_MS;
  let midnights = new Midnights(now);
  while (midnight <= last) {
    const { regular, credits } = midnights.money;
    // Without credits every day costs the same, so skip to the first day that is not covered.
    if (credits.every((credit) => hasEnded(credit, midnight) || credit.remaining.isZero)) {
      const daysCovered = regular.micros / perDay.micros;
      if (daysCovered > BigInt(RUNWAY_DAYS_MAX)) return ENDLESS;
      const before = Money.micros(regular.micros - daysCovered * perDay.micros);
      const through = dayOf(midnight + (Number(daysCovered) - 1) * DAY_MS);
      midnights = new Midnights({ ...chargedUntil(midnights.account, through), regular: before });
      midnight += Number(daysCovered) * DAY_MS;
    }
    if (midnights.charge(midnight) === null) {
      const settlement: Settlement = settleAccount(midnights.account, midnight, { gracePeriodMs: 0 });
      const [first] = settlement.depletions;
      if (first !== undefined) {
        const stops = settlement.depletions.map(({ deploymentId }) => deploymentId);
        return { endsAt: midnight, stopsFirst: first.deploymentId, stops, locked: first.locked };
      }
      midnights = new Midnights(settlement.after);
    }
    midnight += DAY_MS;
  }
  return ENDLESS;
}

function chargedUntil(account: Account, day: string): Account {
  return {
    ...account,
    deployments: account.deployments.map((deployment) =>
      deployment.billableTo === null && deployment.chargedThrough !== null && deployment.chargedThrough < day
        ? { ...deployment, chargedThrough: day }
        : deployment,
    ),
  };
}

/** Returns the charges in a grace period in the order in which they are due. */
export function unpaidCharges(account: Account): { deployment: Metered; gracePeriod: GracePeriod; dueAt: Instant }[] {
  return account.deployments
    .flatMap((deployment) => {
      const { gracePeriod, billableFrom, billableTo } = deployment;
      return gracePeriod === null || billableTo !== null
        ? []
        : [{ deployment, gracePeriod, dueAt: dueInstant(gracePeriod.day, billableFrom) }];
    })
    .sort((a, b) => a.dueAt - b.dueAt || a.deployment.id - b.deployment.id);
}

/** Days before the end at which a warning is sent. */
export const LOW_BALANCE_DAYS = [7, 3, 1] as const;
export type LowBalanceDays = (typeof LOW_BALANCE_DAYS)[number];

/**
 * Returns which low-balance warning to send now, and the smallest threshold that is crossed. A threshold re-arms when
 * the runway exceeds it. If several are crossed at once, only the smallest is sent.
 */
export function lowBalanceWarning(
  runway: Pick<Runway, 'endsAt'>,
  { at, warned }: { at: Instant; warned: LowBalanceDays | null },
): { send: LowBalanceDays | null; warned: LowBalanceDays | null } {
  const { endsAt } = runway;
  const crossed =
    endsAt === null ? [] : LOW_BALANCE_DAYS.filter((days) => endsAt - at <= days * DAY_MS).sort((a, b) => a - b);
  const smallest = crossed[0] ?? null;
  const isNew = smallest !== null && (warned === null || smallest < warned);
  return { send: isNew ? smallest : null, warned: smallest };
}
