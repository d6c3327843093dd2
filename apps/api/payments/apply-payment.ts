import { event } from '@moorage/contracts';
import { iso, Money } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { ApiDeps } from '../feature';
import type { PaymentFacts } from './payment-facts';

export type Outcome = 'posted' | 'nothing' | 'ignored' | 'waiting' | `refused: ${string}`;

const CURRENCY = 'usd';

interface SessionRow {
  readonly id: string;
  readonly user_id: number;
  readonly amount_cents: number;
  readonly status: 'open' | 'paid' | 'cancelled' | 'expired';
}

type Deps = Pick<ApiDeps, 'ledger' | 'outbox'>;
interface Occasion {
  readonly eventId: string;
  readonly at: number;
}

/** What a verified event does to the books. Safe to repeat: every posting has a cause of its own. */
export async function applyPayment(tx: Tx, facts: PaymentFacts, occasion: Occasion, deps: Deps): Promise<Outcome> {
  switch (facts.kind) {
    case 'paid':
      return paid(tx, facts, occasion, deps);
    case 'expired':
      await tx.execute(`update checkout_sessions set status = 'expired' where id = $1 and status = 'open'`, [
        facts.session_id,
      ]);
      return 'nothing';
    case 'refunded':
    case 'dispute_withdrawn':
      return withdrawn(tx, facts, occasion, deps);
    case 'dispute_won':
      return disputeWon(tx, facts, occasion, deps);
  }
}

async function paid(
  tx: Tx,
  facts: PaymentFacts & { kind: 'paid' },
  { at }: Occasion,
  { ledger, outbox }: Deps,
): Promise<Outcome> {
  const known = await find(tx, 'id', facts.session_id);
  if (known === null) return 'waiting';
  if (facts.currency !== CURRENCY) return 'refused: currency';
  if (facts.cents !== known.amount_cents) return 'refused: amount';
  const amount = Money.ofCents(facts.cents);
  // the wallet first: the ledger locks it
  const { posted } = await ledger.recordPayment(tx, { userId: known.user_id, amount, cause: facts.session_id, at });
  if (!posted) return 'nothing';
  await tx.execute(`update checkout_sessions set status = 'paid', payment_intent = $2, paid_at = $3 where id = $1`, [
    facts.session_id,
    facts.payment_intent,
    iso(at),
  ]);
  await outbox.append(
    tx,
    event('payment.received', known.user_id, {
      user_id: known.user_id,
      amount_micros: amount.micros.toString(),
      checkout_session_id: facts.session_id,
    }),
  );
  return 'posted';
}

async function withdrawn(
  tx: Tx,
  facts: PaymentFacts & { kind: 'refunded' | 'dispute_withdrawn' },
  { eventId, at }: Occasion,
  { ledger, outbox }: Deps,
): Promise<Outcome> {
  const payment = await find(tx, 'payment_intent', facts.payment_intent);
  if (payment === null) return 'waiting';
  if (facts.currency !== CURRENCY) return 'refused: currency';
  const userId = payment.user_id;
  const { posted, owed } = await ledger.recordWithdrawal(tx, {
    userId,
    kind: facts.kind === 'refunded' ? 'refund' : 'dispute',
    paymentIntent: facts.payment_intent,
    paid: Money.ofCents(payment.amount_cents),
    withdrawnInAll: Money.ofCents(facts.cents),
    cause: eventId,
    at,
  });
  if (posted.isZero) return 'nothing';
  const told = { user_id: userId, amount_micros: posted.micros.toString(), owed_micros: owed.micros.toString() };
  await outbox.append(
    tx,
    facts.kind === 'refunded'
      ? event('payment.refunded', userId, told)
      : event('payment.disputed', userId, { ...told, won: false }),
  );
  return 'posted';
}

async function disputeWon(
  tx: Tx,
  facts: PaymentFacts & { kind: 'dispute_won' },
  { eventId, at }: Occasion,
  { ledger, outbox }: Deps,
): Promise<Outcome> {
  const payment = await find(tx, 'payment_intent', facts.payment_intent);
  if (payment === null) return 'waiting';
  const { posted, early } = await ledger.recordDisputeWon(tx, {
    userId: payment.user_id,
    paymentIntent: facts.payment_intent,
    cause: eventId,
    at,
  });
  // Stripe keeps no order: told first and let pass, the money would be taken afterwards and never come back
  if (early) return 'waiting';
  if (posted.isZero) return 'nothing';
  await outbox.append(
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

async function find(tx: Tx, by: 'id' | 'payment_intent', value: string): Promise<SessionRow | null> {
  const [row] = await tx.query<SessionRow>(
    `select id, user_id, amount_cents, status from checkout_sessions where ${by} = $1`,
    [value],
  );
  return row ?? null;
}
