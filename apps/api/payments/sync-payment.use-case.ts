import { event, SYNC_PAYMENT } from '@moorage/contracts';
import { Alerts, type CheckoutSession } from '@moorage/database';
import { type Instant, iso, isoOrNull, Money } from '@moorage/domain';
import { Ledger, type MovementFacts } from '@moorage/ledger';
import { type Claim, Outbox, type Outcome } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { CURRENCY } from './apply-payment.use-case';
import { TopUpSwitch } from '../top-up-switch/top-up-switch.service';
import { PaymentProvider, type Reversal, type ReversalMovement } from './payment-provider';
import { RefusedPayments } from './refused-payments.service';

/** Concurrent checks per process. */
const CONCURRENCY = 2;

/**
 * Statuses in which the provider reports a dispute as over. A status that is missing here causes needless checks, but
 * no dispute is missed.
 */
export const DISPUTE_OVER = ['warning_closed', 'won', 'lost', 'prevented'];
const NEEDS_NO_ANSWER = ['under_review', 'warning_under_review', ...DISPUTE_OVER];

interface Payment extends Pick<CheckoutSession, 'id' | 'user_id' | 'amount_cents'> {
  readonly payment_intent: string;
}

/** Reads the refunds and disputes of a payment from the provider and posts them once per balance transaction. */
@Injectable()
export class SyncPayment {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly ledger: Ledger,
    private readonly outbox: Outbox,
    private readonly alerts: Alerts,
    private readonly provider: PaymentProvider,
    private readonly refused: RefusedPayments,
    private readonly topUpSwitch: TopUpSwitch,
  ) {}

  @HandlesWork(SYNC_PAYMENT, { concurrency: CONCURRENCY })
  async handle({ key }: Pick<Claim, 'key'>): Promise<Outcome> {
    await this.run(key);
    return { done: true };
  }

  /**
   * Checks a payment. Does nothing if it was not received here or belongs to the other mode. Throws if the provider is
   * unreachable.
   */
  async run(paymentIntent: string): Promise<void> {
    const known = await this.db.tx('payments.to-look-at', async (tx) => {
      const [payment] = await tx.query<Payment>(
        `select id, user_id, amount_cents, payment_intent from checkout_sessions
         where payment_intent = $1 and status = 'paid' and test_mode = $2`,
        [paymentIntent, this.provider.testMode],
      );
      return payment === undefined ? null : { payment, requested: await this.clock.now(tx) };
    });
    if (known === null) return;
    const reversals = await this.provider.reversalsOf(paymentIntent);
    await this.db.tx('payments.look', (tx) => this.take(tx, { ...known, reversals }));
  }

  private async take(
    tx: Tx,
    { payment, requested, reversals }: { payment: Payment; requested: Instant; reversals: readonly Reversal[] },
  ): Promise<void> {
    const at = await this.clock.now(tx);
    await this.ledger.lock(tx, payment.user_id);
    const movements = reversals
      .flatMap((reversal) => reversal.movements.map((movement) => ({ reversal, movement })))
      .sort((a, b) => a.movement.at - b.movement.at || (a.movement.id < b.movement.id ? -1 : 1));
    const paid = Money.ofCents(payment.amount_cents);
    const facts = movements
      .filter(({ movement }) => movement.currency === CURRENCY)
      .map(({ reversal, movement }) => movementFacts(reversal, movement));
    const adopted = await this.ledger.adoptMovements(tx, { ...keysOf(payment), paid, movements: facts, at });
    for (const reversal of reversals) {
      const isNew = await remember(tx, { payment, reversal, requested });
      const isAdopted = reversal.movements.length > 0 && reversal.movements.every(({ id }) => adopted.has(id));
      if (isNew && !isAdopted && !endedWell(reversal))
        await this.topUpSwitch.off(tx, { userId: payment.user_id, reason: reversal.kind, at });
    }
    for (const { reversal, movement } of movements) await this.post(tx, { payment, reversal, movement, at });
    await this.refundsConfirmed(tx, payment, reversals);
    await this.requestAnswers(tx, payment);
  }

  private async post(
    tx: Tx,
    what: { payment: Payment; reversal: Reversal; movement: ReversalMovement; at: Instant },
  ): Promise<void> {
    const { payment, reversal, movement, at } = what;
    const { id, kind, currency } = movement;
    if (currency !== CURRENCY) {
      const facts = { payment: payment.id, movement: id };
      await this.refused.record(tx, {
        subject: `payment_movement:${id}`,
        type: kind,
        because: 'refused: currency',
        at,
      });
      return this.alerts.raise(tx, { kind: 'payment_differences', facts });
    }
    const { posted, owed } = await this.ledger.recordMovement(tx, {
      ...keysOf(payment),
      paid: Money.ofCents(payment.amount_cents),
      movement: movementFacts(reversal, movement),
      at,
    });
    if (posted.isZero) return;
    await this.outbox.append(tx, eventOf(kind, { userId: payment.user_id, posted, owed }));
  }

  /** Marks refund requests as done if the provider has created the refund, even if they were recorded as refused. */
  private async refundsConfirmed(tx: Tx, payment: Payment, reversals: readonly Reversal[]): Promise<void> {
    const created = reversals.flatMap(({ refundRequestId }) => refundRequestId ?? []);
    if (created.length === 0) return;
    await tx.execute(
      `update refund_requests set state = 'made', refusal = null where id = any ($1::uuid[]) and payment_id = $2 and state <> 'made'`,
      [created, payment.id],
    );
    await this.alerts.resolve(tx, { kind: 'refund_not_made', subject: payment.id });
  }

  private async requestAnswers(tx: Tx, payment: Payment): Promise<void> {
    const disputes = await tx.query<{ id: string; amount_cents: number; due_by: Instant | null; is_open: boolean }>(
      `select id, amount_cents, due_by, status <> all ($2) as is_open from payment_reversals
       where payment_intent = $1 and kind = 'dispute' order by id`,
      [payment.payment_intent, NEEDS_NO_ANSWER],
    );
    for (const { id, amount_cents, due_by, is_open } of disputes) {
      const alert = { kind: 'payment_disputed', subject: id } as const;
      const facts = { payment: payment.id, user_id: payment.user_id, amount_cents, due_by: isoOrNull(due_by) };
      await (is_open ? this.alerts.raise(tx, { ...alert, facts }) : this.alerts.resolve(tx, alert));
    }
  }
}

const keysOf = ({ user_id: userId, payment_intent: paymentIntent }: Payment) => ({ userId, paymentIntent });

const movementFacts = (reversal: Reversal, { id, kind, cents, feeCents, at }: ReversalMovement): MovementFacts => ({
  id,
  reversalId: reversal.id,
  kind,
  amount: Money.ofCents(cents),
  fee: Money.ofCents(feeCents),
  movedAt: at,
});

/** Returns true for a dispute that is over and did not withdraw the money. */
const endedWell = ({ kind, status }: Reversal): boolean =>
  kind === 'dispute' && status !== 'lost' && DISPUTE_OVER.includes(status);

/** Returns true if the reversal is new. The later of two concurrent requests wins. */
async function remember(
  tx: Tx,
  { payment, reversal, requested }: { payment: Payment; reversal: Reversal; requested: Instant },
): Promise<boolean> {
  const [row] = await tx.query<{ is_new: boolean }>(
    `insert into payment_reversals as r
       (id, payment_intent, kind, amount_cents, status, reason, due_by, refund_request_id, created_at, seen_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (id) do update set amount_cents = excluded.amount_cents, status = excluded.status, reason = excluded.reason,
       due_by = excluded.due_by, seen_at = excluded.seen_at
     where r.seen_at <= excluded.seen_at
     returning xmax = 0 as is_new`,
    [
      reversal.id,
      payment.payment_intent,
      reversal.kind,
      reversal.cents,
      reversal.status.slice(0, 60),
      reversal.reason?.slice(0, 100) ?? null,
      isoOrNull(reversal.dueBy),
      reversal.refundRequestId,
      iso(reversal.createdAt),
      iso(requested),
    ],
  );
  return row?.is_new === true;
}

function eventOf(
  kind: ReversalMovement['kind'],
  { userId, posted, owed }: { userId: number; posted: Money; owed: Money },
) {
  const data = { user_id: userId, amount_micros: posted.micros.toString() };
  const taken = { ...data, owed_micros: owed.micros.toString() };
  switch (kind) {
    case 'refund':
      return event('payment.refunded', userId, taken);
    case 'refund_failed':
      return event('payment.refund_failed', userId, data);
    case 'dispute':
      return event('payment.disputed', userId, { ...taken, won: false });
    case 'dispute_won':
      return event('payment.disputed', userId, { ...taken, won: true });
  }
}
