import { event } from '@moorage/contracts';
import { iso, Money } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { PaymentFacts } from './payment-facts';

export type Outcome = 'posted' | 'nothing' | 'ignored' | 'waiting' | `refused: ${string}`;

const CURRENCY = 'usd';

interface SessionRow {
  readonly id: string;
  readonly user_id: number;
  readonly amount_cents: number;
  readonly status: 'open' | 'paid' | 'cancelled' | 'expired';
}

interface Occasion {
  readonly eventId: string;
  readonly at: number;
}

@Injectable()
export class ApplyPayment {
  constructor(
    private readonly ledger: Ledger,
    private readonly outbox: Outbox,
  ) {}

  /** Posts what a verified event says. Safe to repeat: every posting has a cause of its own. */
  async run(tx: Tx, facts: PaymentFacts, occasion: Occasion): Promise<Outcome> {
    switch (facts.kind) {
      case 'paid':
        return this.paid(tx, facts, occasion);
      case 'expired':
        await tx.execute(`update checkout_sessions set status = 'expired' where id = $1 and status = 'open'`, [
          facts.session_id,
        ]);
        return 'nothing';
      case 'refunded':
      case 'dispute_withdrawn':
        return this.withdrawn(tx, facts, occasion);
      case 'dispute_won':
        return this.disputeWon(tx, facts, occasion);
    }
  }

  private async paid(tx: Tx, facts: PaymentFacts & { kind: 'paid' }, { at }: Occasion): Promise<Outcome> {
    const known = await find(tx, 'id', facts.session_id);
    if (known === null) return 'waiting';
    if (facts.currency !== CURRENCY) return 'refused: currency';
    if (facts.cents !== known.amount_cents) return 'refused: amount';
    const amount = Money.ofCents(facts.cents);
    // the wallet first: the ledger locks it
    const { posted } = await this.ledger.recordPayment(tx, {
      userId: known.user_id,
      amount,
      cause: facts.session_id,
      at,
    });
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
    return 'posted';
  }

  private async withdrawn(
    tx: Tx,
    facts: PaymentFacts & { kind: 'refunded' | 'dispute_withdrawn' },
    { eventId, at }: Occasion,
  ): Promise<Outcome> {
    const payment = await find(tx, 'payment_intent', facts.payment_intent);
    if (payment === null) return 'waiting';
    if (facts.currency !== CURRENCY) return 'refused: currency';
    const userId = payment.user_id;
    const { posted, owed } = await this.ledger.recordWithdrawal(tx, {
      userId,
      kind: facts.kind === 'refunded' ? 'refund' : 'dispute',
      paymentIntent: facts.payment_intent,
      paid: Money.ofCents(payment.amount_cents),
      withdrawnInAll: Money.ofCents(facts.cents),
      cause: eventId,
      at,
    });
    if (posted.isZero) return 'nothing';
    const data = { user_id: userId, amount_micros: posted.micros.toString(), owed_micros: owed.micros.toString() };
    await this.outbox.append(
      tx,
      facts.kind === 'refunded'
        ? event('payment.refunded', userId, data)
        : event('payment.disputed', userId, { ...data, won: false }),
    );
    return 'posted';
  }

  private async disputeWon(
    tx: Tx,
    facts: PaymentFacts & { kind: 'dispute_won' },
    { eventId, at }: Occasion,
  ): Promise<Outcome> {
    const payment = await find(tx, 'payment_intent', facts.payment_intent);
    if (payment === null) return 'waiting';
    const { posted, early } = await this.ledger.recordDisputeWon(tx, {
      userId: payment.user_id,
      paymentIntent: facts.payment_intent,
      cause: eventId,
      at,
    });
    // Stripe keeps no order: ignored now, the money would be withdrawn afterwards and never come back
    if (early) return 'waiting';
    if (posted.isZero) return 'nothing';
    await this.outbox.append(
      tx,
      event('payment.disputed', payment.user_id, {
        user_id: payment.user_id,
        amount_micros: posted.micros.toString(),
        owed_micros: '0',
        won: true,
      }),
    );
    return 'posted';
  }
}

async function find(tx: Tx, by: 'id' | 'payment_intent', value: string): Promise<SessionRow | null> {
  const [row] = await tx.query<SessionRow>(
    `select id, user_id, amount_cents, status from checkout_sessions where ${by} = $1`,
    [value],
  );
  return row ?? null;
}
