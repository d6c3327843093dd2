import { ADMIN_PAYMENTS_CALLS, MAKE_REFUND } from '@moorage/contracts';
import { auditLog, type CheckoutSession } from '@moorage/database';
import { DomainError, iso, MINUTE_MS, Money, ORDER_MESSAGES, refusalToRefund } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { WorkSchedule } from '@moorage/messaging';
import { Db, Log, Random, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { Idempotency } from '../http/idempotency.service';
import { TopUpSwitch } from '../top-up-switch/top-up-switch.service';
import { MakeRefund } from './make-refund.use-case';
import { PaymentProvider } from './payment-provider';
import { readRefundFacts } from './refundable';
import { refuseOwnMoney } from '../wallet/own-money';

export interface RefundAnswer {
  readonly refund_request_id: string;
  readonly state: 'asked' | 'made' | 'refused';
  readonly refusal: string | null;
}

/** The call itself contacts the provider. The work takes over what the call has not finished. */
const TAKE_OVER_MS = MINUTE_MS;

type PaymentRow = Pick<CheckoutSession, 'id' | 'user_id' | 'amount_cents' | 'status' | 'payment_intent' | 'test_mode'>;

/** Refunds money of a payment to its card, for administrators. */
@Injectable()
export class RefundPayment {
  constructor(
    private readonly db: Db,
    private readonly log: Log,
    private readonly random: Random,
    private readonly ledger: Ledger,
    private readonly work: WorkSchedule,
    private readonly idempotency: Idempotency,
    private readonly provider: PaymentProvider,
    private readonly makeRefund: MakeRefund,
    private readonly topUpSwitch: TopUpSwitch,
  ) {}

  /**
   * Stores the request before contacting the provider, so that no refund is lost or made twice. `key` is the
   * Idempotency-Key header.
   */
  async run(
    caller: Caller,
    paymentId: string,
    { amountCents, reason }: { amountCents: number; reason: string },
    key: string | null,
  ): Promise<RefundAnswer> {
    const call = ADMIN_PAYMENTS_CALLS.refundPayment;
    const what = [call.method, call.path, { paymentId, amountCents, reason }];
    const keyed = this.idempotency.keyed({ userId: caller.userId, key, call, what });
    const { id } = await this.idempotency.tx('payments.refund', keyed, async (tx, at) => {
      const payment = await this.refundablePayment(tx, paymentId);
      refuseOwnMoney(caller, payment.user_id);
      const amount = Money.ofCents(amountCents);
      const refusal = refusalToRefund(amount, await readRefundFacts(tx, payment));
      if (refusal !== null) throw refusal;
      const request = this.random.uuid();
      await tx.execute(
        `insert into refund_requests (id, payment_id, amount_cents, reason, actor_user_id, created_at) values ($1, $2, $3, $4, $5, $6)`,
        [request, paymentId, amountCents, reason, caller.userId, iso(at)],
      );
      await this.topUpSwitch.off(tx, { userId: payment.user_id, reason: 'refund', at });
      await auditLog.record(tx, {
        actor: caller.userId,
        action: 'payment.refund_requested',
        subject: `user:${payment.user_id}`,
        facts: {
          payment_id: paymentId,
          refund_request_id: request,
          amount_micros: amount.micros.toString(),
          reason,
        },
        at,
      });
      await this.work.schedule(tx, { kind: MAKE_REFUND, key: request, due_at: at + TAKE_OVER_MS });
      return { id: request };
    });
    try {
      await this.makeRefund.run(id);
    } catch (error) {
      // Only its kind is logged, because a provider's message may contain keys and accounts.
      const kind = error instanceof Error ? error.name : 'unknown';
      this.log.warn('refund not completed; retrying', { refund_request_id: id, kind });
    }
    return this.answer(id);
  }

  /** Returns the payment under the wallet's lock, which everything that moves money of the account acquires. */
  private async refundablePayment(tx: Tx, id: string): Promise<PaymentRow & { payment_intent: string }> {
    const owner = await find(tx, id);
    if (owner === null) throw new DomainError('NOT_FOUND', ORDER_MESSAGES.payment_unknown);
    await this.ledger.lock(tx, owner.user_id);
    const payment = (await find(tx, id)) ?? owner;
    const { payment_intent, status, test_mode } = payment;
    if (status !== 'paid' || payment_intent === null || test_mode !== this.provider.testMode)
      throw new DomainError('PAYMENT_STATE', ORDER_MESSAGES.payment_not_refundable);
    return { ...payment, payment_intent };
  }

  private answer(id: string): Promise<RefundAnswer> {
    return this.db.tx('payments.refund-answer', async (tx) => {
      const [row] = await tx.query<Omit<RefundAnswer, 'refund_request_id'>>(
        'select state, refusal from refund_requests where id = $1',
        [id],
      );
      if (row === undefined) throw new Error('the refund request does not exist');
      return { refund_request_id: id, ...row };
    });
  }
}

async function find(tx: Tx, id: string): Promise<PaymentRow | null> {
  const [row] = await tx.query<PaymentRow>(
    'select id, user_id, amount_cents, status, payment_intent, test_mode from checkout_sessions where id = $1',
    [id],
  );
  return row ?? null;
}
