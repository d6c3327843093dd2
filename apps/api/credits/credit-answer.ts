import type { CreditAnswer } from '@moorage/contracts';
import { type CreditView, iso } from '@moorage/domain';

export function creditAnswer(credit: CreditView): CreditAnswer {
  return {
    id: credit.id,
    credit_type: credit.creditType,
    amount: credit.amount.toWire(),
    used_amount: credit.used.toWire(),
    remaining_amount: credit.remaining.toWire(),
    created_at: iso(credit.grantedAt),
    expires_at: iso(credit.expiresAt),
    is_usable: credit.isUsable,
    is_expired: credit.isExpired,
    display_currency: credit.displayCurrency,
  };
}
