import { SYNC_PAYMENT, MAKE_REFUND } from '@moorage/contracts';
import { Alerts, auditLog } from '@moorage/database';
import { HOUR_MS, type Instant, Money } from '@moorage/domain';
import { type Claim, type Outcome, WorkSchedule } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { SyncPayment } from './sync-payment.use-case';
import { PaymentProvider, PaymentRefused } from './payment-provider';

/** Concurrent refunds per process. */
const CONCURRENCY = 2;

/** Stripe recognises repeated requests for a day. A request after that would refund the money twice. */
const REQUEST_AGE_MS_MAX = 23 * HOUR_MS;
/** Stored in place of a response of the provider. */
const NOT_REACHED = 'not_reached';

interface RefundRequest {
  readonly id: string;
  readonly payment_id: string;
  readonly payment_intent: string;
  readonly user_id: number;
  readonly amount_cents: number;
  readonly created_at: Instant;
}

/** Sends a refund that an administrator requested to the payment provider until it responds. */
@Injectable()
export class MakeRefund {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly work: WorkSchedule,
    private readonly alerts: Alerts,
    private readonly provider: PaymentProvider,
    private readonly sync: SyncPayment,
  ) {}

  @HandlesWork(MAKE_REFUND, { concurrency: CONCURRENCY })
  async handle({ key }: Pick<Claim, 'key'>): Promise<Outcome> {
    await this.run(key);
    return { done: true };
  }

  /** Does nothing for a request that has a response. Throws if the provider is unreachable, to be retried. */
  async run(id: string): Promise<void> {
    const { request, now } = await this.db.tx('payments.refund-asked', async (tx) => ({
      request: await find(tx, id),
      now: await this.clock.now(tx),
    }));
    if (request === null) return;
    if (now - request.created_at > REQUEST_AGE_MS_MAX) return this.refuse(request, NOT_REACHED);
    const { payment_intent: paymentIntent, amount_cents: amountCents } = request;
    try {
      await this.provider.refund({ requestId: id, paymentIntent, amountCents });
    } catch (error) {
      if (error instanceof PaymentRefused) return this.refuse(request, error.code);
      throw error;
    }
    await this.db.tx('payments.refund-made', async (tx) => {
      await tx.execute(`update refund_requests set state = 'made', refusal = null where id = $1`, [id]);
      await this.alerts.resolve(tx, { kind: 'refund_not_made', subject: request.payment_id });
      const due_at = await this.clock.now(tx);
      await this.work.schedule(tx, { kind: SYNC_PAYMENT, key: paymentIntent, due_at });
    });
    await this.sync.run(paymentIntent);
  }

  private async refuse(request: RefundRequest, refusal: string): Promise<void> {
    const { id, payment_id, user_id, amount_cents } = request;
    await this.db.tx('payments.refund-refused', async (tx) => {
      const refused = await tx.execute(
        `update refund_requests set state = 'refused', refusal = $2 where id = $1 and state = 'asked'`,
        [id, refusal.slice(0, 200)],
      );
      if (refused === 0) return;
      const amount_micros = Money.ofCents(amount_cents).micros.toString();
      await auditLog.record(tx, {
        action: 'payment.refund_refused',
        subject: `user:${user_id}`,
        facts: { payment_id, refund_request_id: id, amount_micros, reason: refusal },
        at: await this.clock.now(tx),
      });
      if (refusal === NOT_REACHED)
        await this.alerts.raise(tx, { kind: 'refund_not_made', subject: payment_id, facts: { user_id, amount_cents } });
    });
  }
}

async function find(tx: Tx, id: string): Promise<RefundRequest | null> {
  const [request] = await tx.query<RefundRequest>(
    `select q.id, q.payment_id, s.payment_intent, s.user_id, q.amount_cents, q.created_at
     from refund_requests q join checkout_sessions s on s.id = q.payment_id where q.id = $1 and q.state = 'asked'`,
    [id],
  );
  return request ?? null;
}

/**
 * Returns the payments with a refund that was recently given up and none that succeeded since. They are the subjects of
 * the alert.
 */
export async function unconfirmedRefunds(tx: Tx, since: string): Promise<{ subject: string }[]> {
  return tx.query(
    `select distinct payment_id as subject from refund_requests q
     where state = 'refused' and refusal = $1 and created_at >= $2 and not exists (
       select from refund_requests later where later.payment_id = q.payment_id and later.state = 'made' and later.created_at > q.created_at
     ) order by payment_id limit 200`,
    [NOT_REACHED, since],
  );
}
