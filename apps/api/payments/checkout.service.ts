import { PAYMENTS_CALLS } from '@moorage/contracts';
import { DomainError, iso, Money, ORDER_MESSAGES, SHAPE_MESSAGES } from '@moorage/domain';
import { Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import type { Caller } from '../http/call-input';
import { FieldsInvalid } from '../http/field-problems';
import { Idempotency } from '../http/idempotency.service';
import { ApiSettings } from '../settings';
import { PaymentProvider } from './payment-provider';

interface CheckoutAnswer {
  readonly url: string;
  readonly session_id: string;
}

type Begin = z.infer<typeof PAYMENTS_CALLS.createCheckoutSession.body>;

@Injectable()
export class CheckoutService {
  constructor(
    private readonly db: Db,
    private readonly settings: ApiSettings,
    private readonly idempotency: Idempotency,
    private readonly provider: PaymentProvider,
  ) {}

  /**
   * Begins a top-up of `amountCents`. Nothing is posted before the webhook confirms it. `key` is the Idempotency-Key
   * header.
   */
  async begin(
    caller: Caller,
    { amount_cents: amountCents, save_card: saveCard, return_to: returnTo }: Begin,
    key: string | null,
  ): Promise<CheckoutAnswer> {
    const { checkoutMaxCents } = this.settings;
    if (amountCents > checkoutMaxCents) {
      const most = Money.of(checkoutMaxCents / 100).toDisplay('price');
      throw new FieldsInvalid([{ path: 'amount_cents', message: SHAPE_MESSAGES.top_up_most({ most }) }]);
    }
    const { userId } = caller;
    const call = PAYMENTS_CALLS.createCheckoutSession;
    const request = this.idempotency.keyed({
      userId,
      key,
      call,
      what: [call.method, call.path, { amountCents, saveCard, returnTo: returnTo ?? null }],
    });
    const before = await this.idempotency.answered<CheckoutAnswer>(request);
    if (before !== null) return before;
    const customer = await this.customerOf(userId);
    const query = returnTo === 'order' ? '&return_to=order' : '';
    const session = await this.provider.openSession({ caller, amountCents, request, saveCard, customer, query });
    return this.idempotency.tx('payments.checkout', request, async (tx, at) => {
      // Stripe receives the key as well, and responds to a repeat with the existing session.
      await tx.execute(
        `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, created_at, save_card) values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (id) do nothing`,
        [session.id, userId, amountCents, this.provider.testMode, session.url, iso(at), saveCard],
      );
      return { url: session.url, session_id: session.id };
    });
  }

  /** Returns the status of one of the caller's own checkouts. */
  async find({ userId }: Caller, id: string): Promise<z.infer<typeof PAYMENTS_CALLS.checkoutSession.answer>> {
    const [row] = await this.db.tx('payments.session', (tx) =>
      tx.query<z.infer<typeof PAYMENTS_CALLS.checkoutSession.answer>>(
        'select status, amount_cents, test_mode from checkout_sessions where id = $1 and user_id = $2',
        [id, userId],
      ),
    );
    if (row === undefined) throw new DomainError('NOT_FOUND', ORDER_MESSAGES.checkout_unknown);
    return row;
  }

  /** Returns the provider's customer of a stored card. */
  private async customerOf(userId: number): Promise<string | null> {
    const [row] = await this.db.tx('payments.customer', (tx) =>
      tx.query<{ customer: string }>('select customer from saved_cards where user_id = $1 and test_mode = $2', [
        userId,
        this.provider.testMode,
      ]),
    );
    return row?.customer ?? null;
  }
}
