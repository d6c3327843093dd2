import type { CheckoutSession } from '@moorage/database';
import { TEST_CARDS, type TestCard } from '@moorage/contracts';
import { DAY_MS, type Instant, iso } from '@moorage/domain';
import { Clock, Db, Random, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';
import {
  type CardCharge,
  type OpenedSession,
  type OpenSession,
  PaymentProvider,
  PaymentRefused,
  type ProviderEntry,
  type Reversal,
  type SavedCard,
  type SessionState,
} from './payment-provider';

const CURRENCY = 'usd';
/** Same lifetime as a session at Stripe. */
export const TEST_SESSION_MS = DAY_MS;
const ENTRIES_MAX = 100_000;
/** Time within which a bank requires a response to its dispute. */
const DISPUTE_MS = 7 * DAY_MS;

const CARD_FACTS: Readonly<Record<TestCard, { last4: string; failure: string | null }>> = {
  succeeds: { last4: '4242', failure: null },
  declines: { last4: '0341', failure: 'insufficient_funds' },
  authentication: { last4: '3184', failure: 'authentication_required' },
};

interface EntryRow {
  readonly id: string;
  readonly kind: ProviderEntry['kind'];
  readonly payment_intent: string;
  readonly payment_id: string | null;
  readonly cents: number;
  readonly at: Instant;
}

interface ReversalRow {
  readonly id: string;
  readonly kind: 'refund' | 'dispute';
  readonly amount_cents: number;
  readonly created_at: Instant;
  readonly returned_at: Instant | null;
}

/**
 * Returns the payment of a checkout. Its id contains the card if it is to be stored, and so represents the card at a
 * provider.
 */
export function testPaymentIntent(sessionId: string, card: TestCard | null): string {
  const rest = sessionId.slice('cs_test_'.length);
  return card === null ? `pi_test_${rest}` : `pi_test_${card}_${rest}`;
}

/** Test payments in place of a provider (decisions 32). Their data is in our own tables. */
@Injectable()
export class TestPayments extends PaymentProvider {
  readonly testMode = true;

  constructor(
    private readonly random: Random,
    private readonly settings: ApiSettings,
    private readonly db: Db,
    private readonly clock: Clock,
  ) {
    super();
  }

  openSession({ query }: OpenSession): Promise<OpenedSession> {
    const id = `cs_test_${this.random.text(32)}`;
    const page = `${this.settings.publicUrl}/api/stripe/test-checkout/${id}`;
    return Promise.resolve({ id, url: page + query.replace(/^&/, '?') });
  }

  endSession(sessionId: string): Promise<void> {
    return this.db.tx('payments.test-end', async (tx) => {
      await tx.execute(
        `update checkout_sessions set status = 'expired' where id = $1 and test_mode and status = 'open'`,
        [sessionId],
      );
    });
  }

  sessionState(sessionId: string): Promise<SessionState> {
    return this.db.tx('payments.test-state', async (tx) => {
      const [row] = await tx.query<
        Pick<CheckoutSession, 'status' | 'amount_cents' | 'payment_intent' | 'failure' | 'created_at'>
      >(
        `select status, amount_cents, payment_intent, failure, created_at from checkout_sessions
          where id = $1 and test_mode`,
        [sessionId],
      );
      if (row === undefined) throw new PaymentRefused('resource_missing');
      const of = { session_id: sessionId };
      switch (row.status) {
        case 'paid':
          return {
            kind: 'paid',
            ...of,
            payment_intent: row.payment_intent,
            cents: row.amount_cents,
            currency: CURRENCY,
          };
        case 'failed':
          return { kind: 'failed', ...of, failure: row.failure ?? 'failed' };
        case 'cancelled':
        case 'expired':
          return { kind: 'expired', ...of };
        case 'open':
          return row.created_at + TEST_SESSION_MS <= (await this.clock.now(tx)) ? { kind: 'expired', ...of } : 'open';
      }
    });
  }

  cardOf(paymentIntent: string): Promise<SavedCard | null> {
    return this.db.tx('payments.test-card', async (tx) => {
      const card = TEST_CARDS.find((name) => paymentIntent.startsWith(`pi_test_${name}_`));
      const [payment] = await tx.query<Pick<CheckoutSession, 'user_id'>>(
        'select user_id from checkout_sessions where payment_intent = $1 and test_mode and save_card',
        [paymentIntent],
      );
      if (card === undefined || payment === undefined) return null;
      return {
        customer: `cus_test_${payment.user_id}`,
        paymentMethod: `pm_test_${card}`,
        brand: 'visa',
        last4: CARD_FACTS[card].last4,
        expMonth: 12,
        expYear: new Date(await this.clock.now(tx)).getUTCFullYear() + 3,
      };
    });
  }

  /** Does nothing because nothing is stored elsewhere. */
  forgetCard(): Promise<void> {
    return Promise.resolve();
  }

  forgetCustomer(): Promise<void> {
    return Promise.resolve();
  }

  chargeCard({ paymentId, card, amountCents }: Parameters<PaymentProvider['chargeCard']>[0]): Promise<CardCharge> {
    const paymentIntent = `pi_test_${paymentId.replace(/\W/g, '')}`;
    const name = TEST_CARDS.find((each) => card.paymentMethod === `pm_test_${each}`);
    if (name === undefined)
      return Promise.resolve({ kind: 'declined', paymentIntent: null, failure: 'resource_missing' });
    const { failure } = CARD_FACTS[name];
    return Promise.resolve(
      name === 'succeeds' || failure === null
        ? { kind: 'paid', paymentIntent, cents: amountCents, currency: CURRENCY }
        : { kind: name === 'authentication' ? name : 'declined', paymentIntent, failure },
    );
  }

  /** Returns null because a response of this process to itself is never lost. */
  findCharge(): Promise<CardCharge | null> {
    return Promise.resolve(null);
  }

  isOurs(): Promise<boolean> {
    return Promise.resolve(true);
  }

  reversalsOf(paymentIntent: string): Promise<readonly Reversal[]> {
    return this.db.tx('payments.test-reversals', async (tx) => (await reversalsOf(tx, paymentIntent)).map(reversal));
  }

  async refund({ requestId, paymentIntent, amountCents }: Parameters<PaymentProvider['refund']>[0]): Promise<void> {
    await this.db.tx('payments.test-refund', async (tx) => {
      const [payment] = await tx.query<Pick<CheckoutSession, 'amount_cents'>>(
        `select amount_cents from checkout_sessions where payment_intent = $1 and test_mode and status = 'paid' for update`,
        [paymentIntent],
      );
      if (payment === undefined) throw new PaymentRefused('resource_missing');
      const before = (await reversalsOf(tx, paymentIntent)).filter(({ returned_at }) => returned_at === null);
      if (before.some(({ id }) => id === requestId)) return;
      const left = payment.amount_cents - before.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
      if (left === 0) throw new PaymentRefused('charge_already_refunded');
      if (amountCents > left) throw new PaymentRefused('amount_too_large');
      await tx.execute(
        `insert into test_reversals (id, payment_intent, kind, amount_cents, created_at) values ($1, $2, 'refund', $3, $4)`,
        [requestId, paymentIntent, amountCents, iso(await this.clock.now(tx))],
      );
    });
  }

  async *entries({ from, to }: { from: Instant; to: Instant }): AsyncIterable<ProviderEntry> {
    const lines = await this.db.tx('payments.test-entries', (tx) =>
      tx.query<EntryRow>(
        `select 'txn_test_' || id as id, 'payment' as kind, payment_intent, amount_cents as cents, paid_at as at,
           case kind when 'automatic' then id end as payment_id from checkout_sessions
          where test_mode and status = 'paid' and payment_intent is not null and paid_at >= $1 and paid_at < $2
         union all
         select 'txn_test_' || id, kind, payment_intent, amount_cents, created_at, null from test_reversals
          where created_at >= $1 and created_at < $2
         union all
         select 'txn_test_back_' || id, case kind when 'refund' then 'refund_failed' else 'dispute_won' end,
           payment_intent, amount_cents, returned_at, null from test_reversals
          where returned_at >= $1 and returned_at < $2
         limit $3`,
        [iso(from), iso(to), ENTRIES_MAX + 1],
      ),
    );
    if (lines.length > ENTRIES_MAX) throw new Error('too many test payments');
    for (const { id, kind, payment_intent: paymentIntent, payment_id: paymentId, cents, at } of lines) {
      const entry = { id, paymentIntent, cents, at, currency: CURRENCY };
      yield kind === 'payment' ? { ...entry, kind, paymentId } : { ...entry, kind };
    }
  }
}

function reversalsOf(tx: Tx, paymentIntent: string): Promise<ReversalRow[]> {
  return tx.query<ReversalRow>(
    `select id, kind, amount_cents, created_at, returned_at from test_reversals
      where payment_intent = $1 order by created_at, id`,
    [paymentIntent],
  );
}

function reversal({ id, kind, amount_cents: cents, created_at: at, returned_at: back }: ReversalRow): Reversal {
  const moved = { cents, feeCents: 0, currency: CURRENCY };
  const [over, standing] = kind === 'refund' ? ['failed', 'succeeded'] : ['won', 'needs_response'];
  return {
    id: `${kind === 'refund' ? 're' : 'dp'}_test_${id}`,
    kind,
    cents,
    currency: CURRENCY,
    status: back === null ? standing : over,
    reason: null,
    dueBy: kind === 'refund' ? null : at + DISPUTE_MS,
    refundRequestId: kind === 'refund' ? id : null,
    createdAt: at,
    movements: [
      { ...moved, id: `txn_test_${id}`, kind, at },
      ...(back === null ? [] : [{ ...moved, id: `txn_test_back_${id}`, kind: RETURNS[kind], at: back }]),
    ],
  };
}

const RETURNS = { refund: 'refund_failed', dispute: 'dispute_won' } as const;
