import { PAYMENTS_CALLS } from '@moorage/contracts';
import { iso, Money, SHAPE_MESSAGES } from '@moorage/domain';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { FieldsInvalid } from '../http/field-problems';
import { Idempotency } from '../http/idempotency';
import { ApiSettings } from '../settings';
import { PaymentProvider } from './payment-provider';

interface CheckoutAnswer {
  readonly url: string;
  readonly session_id: string;
}

@Injectable()
export class CheckoutService {
  constructor(
    private readonly settings: ApiSettings,
    private readonly idempotency: Idempotency,
    private readonly provider: PaymentProvider,
  ) {}

  /** Begins a top-up of `amountCents`; nothing is posted before the webhook confirms it. `key`: the Idempotency-Key header. */
  async begin(caller: Caller, amountCents: number, key: string | null): Promise<CheckoutAnswer> {
    const { checkoutMaxCents } = this.settings;
    if (amountCents > checkoutMaxCents) {
      const most = Money.of(checkoutMaxCents / 100).toDisplay('price');
      throw new FieldsInvalid([{ path: 'amount_cents', message: SHAPE_MESSAGES.top_up_most({ most }) }]);
    }
    const { userId } = caller;
    const call = PAYMENTS_CALLS.createCheckoutSession;
    const request = this.idempotency.keyed({ userId, key, call, what: [call.method, call.path, { amountCents }] });
    const before = await this.idempotency.answered<CheckoutAnswer>(request);
    if (before !== null) return before;
    const session = await this.provider.openSession({ caller, amountCents, request });
    return this.idempotency.tx('payments.checkout', request, async (tx, at) => {
      // Stripe knows the key as well, and answers a repeat with the session that it has
      await tx.execute(
        `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, created_at) values ($1, $2, $3, $4, $5, $6)
           on conflict (id) do nothing`,
        [session.id, userId, amountCents, this.provider.testMode, session.url, iso(at)],
      );
      return { url: session.url, session_id: session.id };
    });
  }
}
