import { Money } from '../money';
import { addDays, DAY_MS, dayOf, type Instant, startOfDay } from '../time';
import { type Account, currentHourly, type Hold, type Metered } from './account';
import { hasEnded, lockedMoney } from './credit';
import { dueInstant } from './hours';
import { chargeDayAtOnce } from './daily-charge';
import { dailyPrice } from './pricing';
import { settleAccount, type Settlement } from './settle';

export interface Runway {
  /** The first 00:00 UTC (or, in a hold, the instant already due) that cannot be paid; null: nothing runs, or no end in sight. */
  readonly endsAt: Instant | null;
  /** The deployment that stops first: the first of `stops`. */
  readonly stopsFirst: number | null;
  /** Everything that stops at that instant, in order. */
  readonly stops: readonly number[];
  /** Credits that are there and would not help, because the regular balance is below 5.00 then. */
  readonly locked: Money;
}

const ENDLESS: Runway = { endsAt: null, stopsFirst: null, stops: [], locked: Money.ZERO };
/** In thought a charge that is not covered waits: nothing is ended by looking. */
export const FOREVER_MS = Number.MAX_SAFE_INTEGER / 4;
/** Further than this we do not promise anything. */
export const RUNWAY_NIGHTS_MAX = 3_650;

/**
 * Plays the coming midnights with the same `settleAccount`, expiries and unlock included. The account is taken as it
 * would be after a settlement at `at`.
 */
export function runwayOf(account: Account, at: Instant): Runway {
  let now = settleAccount(account, at, { holdMs: FOREVER_MS }).after;
  const holds = heldCharges(now);
  const [held] = holds;
  if (held !== undefined) {
    const stops = holds.filter(({ dueAt }) => dueAt === held.dueAt).map(({ deployment }) => deployment.id);
    const locked = lockedMoney(now.credits, { regular: now.regular, at });
    return { endsAt: held.dueAt, stopsFirst: held.deployment.id, stops, locked };
  }

  const night = dailyPrice(
    Money.sum(now.deployments.filter(({ billableTo }) => billableTo === null).map(currentHourly)),
  );
  if (night.isZero) return ENDLESS;
  let midnight = startOfDay(addDays(dayOf(at), 1));
  const last = midnight + RUNWAY_NIGHTS_MAX * DAY_MS;
  while (midnight <= last) {
    // without credits every night costs the same: go on to the first that is not covered
    if (now.credits.every((credit) => hasEnded(credit, midnight) || credit.remaining.isZero)) {
      const nights = now.regular.micros / night.micros;
      if (nights > BigInt(RUNWAY_NIGHTS_MAX)) return ENDLESS;
      const before = Money.micros(now.regular.micros - nights * night.micros);
      now = { ...chargedUntil(now, dayOf(midnight + (Number(nights) - 1) * DAY_MS)), regular: before };
      midnight += Number(nights) * DAY_MS;
    }
    const paid = chargeDayAtOnce(now, midnight);
    if (paid !== null) {
      now = paid.after;
      midnight += DAY_MS;
      continue;
    }
    const settlement: Settlement = settleAccount(now, midnight, { holdMs: 0 });
    const [first] = settlement.depletions;
    if (first !== undefined) {
      const stops = settlement.depletions.map(({ deploymentId }) => deploymentId);
      return { endsAt: midnight, stopsFirst: first.deploymentId, stops, locked: first.locked };
    }
    now = settlement.after;
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

/** Charges that wait for money, in the order in which they are due. */
export function heldCharges(account: Account): { deployment: Metered; hold: Hold; dueAt: Instant }[] {
  return account.deployments
    .flatMap((deployment) => {
      const { hold, billableFrom, billableTo } = deployment;
      return hold === null || billableTo !== null
        ? []
        : [{ deployment, hold, dueAt: dueInstant(hold.day, billableFrom) }];
    })
    .sort((a, b) => a.dueAt - b.dueAt || a.deployment.id - b.deployment.id);
}

/** Days before the end at which a warning goes out. */
export const LOW_BALANCE_DAYS = [7, 3, 1] as const;
export type LowBalanceDays = (typeof LOW_BALANCE_DAYS)[number];

/**
 * Which warning to send now, and what to remember as the smallest one that stands. Each re-arms when the runway exceeds
 * it; of several crossed at once only the smallest is sent.
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
