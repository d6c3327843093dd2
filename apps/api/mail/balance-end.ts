import { type Forecast, type Instant, iso, type Saving } from '@moorage/domain';
import type { BalanceEnd, TopUpOffer } from '@moorage/texts/server';

/**
 * Returns the end of the balance as the console shows it, from the same forecast.
 *
 * @returns undefined if no end is foreseeable, or if a charge is unpaid already, which has an email of its own
 */
export function balanceEnd(forecast: Forecast, at: Instant): BalanceEnd | undefined {
  const { endsAt } = forecast.runway;
  if (endsAt === null || endsAt <= at) return undefined;
  return { at: iso(at), ends_at: iso(endsAt), top_ups: topUpOffers(forecast) };
}

/** Returns the top-ups that move the end, the larger one last. */
export function topUpOffers({ saving, longer }: Pick<Forecast, 'saving' | 'longer'>): TopUpOffer[] {
  return [saving, longer].flatMap((offer) => (offer === null ? [] : [toOffer(offer)]));
}

const toOffer = ({ amount, endsAt }: Saving): TopUpOffer => ({
  amount_micros: amount.micros.toString(),
  runs_until: endsAt === null ? null : iso(endsAt),
});
