import { event, SAVE_CARD, SYNC_PAYMENT, RETRY_STRIPE_EVENT } from '@moorage/contracts';
import { Alerts, type CheckoutSession } from '@moorage/database';
import { iso, Money } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Outbox, WorkSchedule } from '@moorage/messaging';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { usersRepository } from '../users-store/users.repository';
import type { PaymentFacts } from './payment-facts';

export type Outcome = 'posted' | 'nothing' | 'ignored' | 'waiting' | `refused: ${string}`;

/** Currency of all charges. Any other currency is refused. */
export const CURRENCY = 'usd';

type SessionRow = Pick<CheckoutSession, 'id' | 'user_id' | 'amount_cents' | 'status' | 'save_card'>;

interface Occasion {
  readonly at: number;
}

@Injectable()
export class ApplyPayment {
  constructor(
    private readonly ledger: Ledger,
    private readonly outbox: Outbox,
    private readonly work: WorkSchedule,
    private readonly alerts: Alerts,
  ) {}

  /** Posts the content of a verified event. Idempotent, because every posting has a unique cause. */
  async run(tx: Tx, facts: PaymentFacts, occasion: Occasion): Promise<Outcome> {
    switch (facts.kind) {
      case 'paid':
        return this.paid(tx, facts, occasion);
      case 'expired':
        await tx.execute(`update checkout_sessions set status = 'expired' where id = $1 and status = 'open'`, [
          facts.session_id,
        ]);
        return 'nothing';
      case 'failed':
        await tx.execute(
          `update checkout_sessions set status = 'failed', failure = $2 where id = $1 and status = 'open'`,
          [facts.session_id, facts.failure],
        );
        return 'nothing';
      case 'reversed':
        return this.reversed(tx, facts, occasion);
    }
  }

  private async paid(tx: Tx, facts: PaymentFacts & { kind: 'paid' }, { at }: Occasion): Promise<Outcome> {
    const known = await find(tx, 'id', facts.session_id);
    if (known === null) return facts.is_unmarked === true ? 'ignored' : 'waiting';
    if (facts.currency !== CURRENCY) return 'refused: currency';
    if (facts.cents !== known.amount_cents) return 'refused: amount';
    const amount = Money.ofCents(facts.cents);
    // The ledger locks the wallet, which must come first.
    const { posted } = await this.ledger.recordPayment(tx, {
      userId: known.user_id,
      amount,
      cause: facts.session_id,
      at,
    });
    if (facts.payment_intent !== null) await this.retryWaiting(tx, facts.payment_intent, at);
    if (!posted) return 'nothing';
    await tx.execute(`update checkout_sessions set status = 'paid', payment_intent = $2, paid_at = $3 where id = $1`, [
      facts.session_id,
      facts.payment_intent,
      iso(at),
    ]);
    await this.outbox.append(
      tx,
      event('payment.received', known.user_id, {
        user_id: known.user_id,
        amount_micros: amount.micros.toString(),
        checkout_session_id: facts.session_id,
      }),
    );
    await this.alertClosedAccount(tx, known);
    if (known.save_card) await this.work.schedule(tx, { kind: SAVE_CARD, key: known.id, due_at: at });
    return 'posted';
  }

  /** Alerts operators, because the money cannot be used and its owner expects a refund. */
  private async alertClosedAccount(tx: Tx, { id, user_id, amount_cents }: SessionRow): Promise<void> {
    const account = await usersRepository.find(tx, user_id, ['deactivated_at']);
    if (account === null || account.deactivated_at === null) return;
    await this.alerts.raise(tx, { kind: 'closed_account_paid', subject: id, facts: { user_id, amount_cents } });
  }

  /** Retries events that were waiting for this payment. */
  private async retryWaiting(tx: Tx, paymentIntent: string, at: number): Promise<void> {
    const waiting = await tx.query<{ id: string }>(
      `select id from stripe_events where outcome = 'waiting' and facts ->> 'payment_intent' = $1`,
      [paymentIntent],
    );
    await this.work.scheduleMany(
      tx,
      waiting.map(({ id }) => ({ kind: RETRY_STRIPE_EVENT, key: id, due_at: at })),
    );
  }

  /**
   * Reads the movements from the provider instead of the event, so that neither the order nor the loss of events
   * matters.
   */
  private async reversed(tx: Tx, facts: PaymentFacts & { kind: 'reversed' }, { at }: Occasion): Promise<Outcome> {
    const payment = await find(tx, 'payment_intent', facts.payment_intent);
    if (payment?.status !== 'paid') return 'waiting';
    await this.work.schedule(tx, { kind: SYNC_PAYMENT, key: facts.payment_intent, due_at: at });
    return 'nothing';
  }
}

async function find(tx: Tx, by: 'id' | 'payment_intent', value: string): Promise<SessionRow | null> {
  const [row] = await tx.query<SessionRow>(
    `select id, user_id, amount_cents, status, save_card from checkout_sessions where ${by} = $1`,
    [value],
  );
  return row ?? null;
}
