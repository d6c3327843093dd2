import { type RunwayAnswer, toRefused } from '@moorage/contracts';
import {
  PROSPECTIVE_ID,
  type Forecast,
  type Instant,
  iso,
  type Money,
  orderToday,
  PRICE_LIST,
  type Refusal,
  type Saving,
} from '@moorage/domain';

/** Converts the forecast for responses. An order that is only being considered has no id. */
export function runwayAnswer(
  forecast: Forecast & {
    readonly starting: number;
    readonly clientNames: ReadonlyMap<number, string>;
    readonly refusal: Refusal | null;
    readonly kept: Saving | null;
  },
  { at, order }: { at: Instant; order: Money | undefined },
): RunwayAnswer {
  const { runway, days, gracePeriods } = forecast;
  const stops = runway.stops.map((id) =>
    id === PROSPECTIVE_ID
      ? { deployment_id: null, client_name: null }
      : { deployment_id: id, client_name: forecast.clientNames.get(id) ?? null },
  );
  return {
    ends_at: runway.endsAt === null ? null : iso(runway.endsAt),
    stops_first: stops[0] ?? null,
    stops,
    level: forecast.level,
    daily_cost: forecast.daily.toWire(),
    running: forecast.running,
    starting: forecast.starting,
    days: days.map(({ date, regular, referral, signup, total, charged, lasts }) => ({
      date,
      regular: regular.toWire(),
      referral: referral.toWire(),
      signup: signup.toWire(),
      total: total.toWire(),
      charged: charged.toWire(),
      lasts,
    })),
    grace_periods: gracePeriods.map(({ deploymentId, clientName, amount, needed, endsAt }) => ({
      deployment_id: deploymentId,
      client_name: clientName,
      amount: amount.toWire(),
      needed: needed.toWire(),
      grace_period_ends_at: iso(endsAt),
    })),
    saving: savingToWire(forecast.saving),
    longer: savingToWire(forecast.longer),
    keep_until: savingToWire(forecast.kept),
    locked_credits: runway.locked.toWire(),
    locked_now: forecast.lockedNow.toWire(),
    unlock_needs: forecast.unlockNeeds.toWire(),
    unlock_balance: PRICE_LIST.creditUnlockBalance.toWire(),
    order_today: order === undefined ? null : orderToday(order, at).toWire(),
    order_refusal: forecast.refusal === null ? null : refusalToWire(forecast.refusal),
    now: iso(at),
  };
}

function savingToWire(saving: Saving | null): RunwayAnswer['saving'] {
  if (saving === null) return null;
  return { amount: saving.amount.toWire(), runs_until: saving.endsAt === null ? null : iso(saving.endsAt) };
}

function refusalToWire({ code, reason, needed, available, owed }: Refusal): RunwayAnswer['order_refusal'] {
  return { code, ...toRefused(reason), needed: needed.toWire(), available: available.toWire(), owed: owed.toWire() };
}
