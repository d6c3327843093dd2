import type { ADMIN_PAYMENTS_CALLS, AdminPaymentAnswer, AdminPaymentDetailsAnswer } from '@moorage/contracts';
import type { CheckoutSession, User } from '@moorage/database';
import { DomainError, iso, Money, ORDER_MESSAGES, refundable } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Clock, Db, type SqlValue, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { type Counted, countRows } from '../http/count';
import { numberedPage } from '../http/numbered-page';
import { ApiSettings } from '../settings';
import { readRefundFacts } from './refundable';

type ListQuestion = z.infer<typeof ADMIN_PAYMENTS_CALLS.payments.query>;
type ListAnswer = z.infer<typeof ADMIN_PAYMENTS_CALLS.payments.answer>;
type ComparisonAnswer = z.infer<typeof ADMIN_PAYMENTS_CALLS.paymentComparison.answer>;

interface PaymentRow
  extends
    Pick<
      CheckoutSession,
      | 'id'
      | 'kind'
      | 'status'
      | 'test_mode'
      | 'user_id'
      | 'amount_cents'
      | 'payment_intent'
      | 'failure'
      | 'save_card'
      | 'created_at'
      | 'paid_at'
    >,
    Pick<User, 'username' | 'email'> {
  readonly taken_back_micros: string;
  readonly is_disputed: boolean;
}

const SELECT = `
select c.id, c.kind, c.status, c.test_mode, c.user_id, u.username, u.email, c.amount_cents, c.payment_intent, c.failure,
  c.save_card, c.created_at, c.paid_at,
  (select coalesce(sum(case when m.kind in ('refund', 'dispute') then m.posted_micros else - m.posted_micros end), 0)
     from payment_movements m where m.payment_intent = c.payment_intent)::text as taken_back_micros,
  exists (select 1 from payment_reversals r where r.payment_intent = c.payment_intent and r.kind = 'dispute'
     and r.status not in ('won', 'warning_closed', 'prevented')) as is_disputed
from checkout_sessions c join users u on u.id = c.user_id`;

const PROBLEMS: Readonly<Record<NonNullable<ListQuestion['problem']>, string>> = {
  refunded: `c.payment_intent in (select payment_intent from payment_reversals where kind = 'refund')`,
  disputed: `c.payment_intent in (select payment_intent from payment_reversals where kind = 'dispute')`,
  differs: `c.payment_intent in (select payment_intent from payment_differences where resolved_at is null)`,
};

/** SQL condition that finds payments by any id of ours or the provider's, or by owner. */
const found = (id: string, pattern: string): string => `c.id in (
  select id from checkout_sessions where id = ${id}
  union all select id from checkout_sessions where payment_intent = ${id}
  union all select s.id from payment_reversals r join checkout_sessions s on s.payment_intent = r.payment_intent where r.id = ${id}
  union all select s.id from payment_movements m join checkout_sessions s on s.payment_intent = m.payment_intent where m.id = ${id}
  union all select s.id from users o join checkout_sessions s on s.user_id = o.id where folded(o.username || ' ' || o.email) like folded(${pattern}))`;

const EVENTS_MAX = 100;
const DIFFERENCES_MAX = 200;

/** Card payments for administrators. */
@Injectable()
export class AdminPayments {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly ledger: Ledger,
    private readonly settings: ApiSettings,
  ) {}

  page({ page, per_page: perPage, ...filters }: ListQuestion): Promise<{ answer: ListAnswer; counted: Counted }> {
    return this.db.tx('payments.list', async (tx) => {
      const params: SqlValue[] = [];
      const param = (value: SqlValue): string => `$${params.push(value)}`;
      const where = conditionsOf(filters, param).join(' and ');
      const counted = await countRows(tx, `checkout_sessions c where ${where}`, params);
      const rows = await tx.query<PaymentRow>(
        `${SELECT} where ${where} order by c.created_at desc, c.id limit ${param(perPage)} offset ${param((page - 1) * perPage)}`,
        params,
      );
      return {
        answer: { payments: rows.map(paymentAnswer), ...numberedPage({ page, perPage, total: counted.total }) },
        counted,
      };
    });
  }

  details(id: string): Promise<AdminPaymentDetailsAnswer> {
    return this.db.tx('payments.details', async (tx) => {
      const [row] = await tx.query<PaymentRow>(`${SELECT} where c.id = $1`, [id]);
      if (row === undefined) throw new DomainError('NOT_FOUND', ORDER_MESSAGES.checkout_unknown);
      const at = await this.clock.now(tx);
      const { regular } = await this.ledger.balance(tx, { userId: row.user_id, at });
      const reversals = await reversalsOf(tx, row.payment_intent);
      const movements = reversals.flatMap(({ movements }) => movements);
      const canRefund = isRefundable(row) ? refundable(await readRefundFacts(tx, row)) : Money.ZERO;
      return {
        ...paymentAnswer(row),
        payment_intent: row.payment_intent,
        failure: row.failure,
        save_card: row.save_card,
        provider_url: this.providerUrl(row),
        events: await eventsOf(tx, row),
        reversals,
        refund_requests: await requestsOf(tx, id),
        ledger: await ledgerOf(tx, row.user_id, [id, ...movements.map(({ id: movement }) => movement)]),
        refundable: canRefund.toWire(),
        regular_balance: regular.toWire(),
        differences: await differencesOf(tx, row.payment_intent),
      };
    });
  }

  comparison(): Promise<ComparisonAnswer> {
    return this.db.tx('payments.comparison', async (tx) => {
      const [last] = await tx.query<{
        at: number;
        from_at: number;
        to_at: number;
        compared: number;
        differences: number;
      }>('select at, from_at, to_at, compared, differences from payment_comparisons order by id desc limit 1');
      const open = await tx.query<DifferenceRow & { payment_id: string | null; payment_intent: string | null }>(
        `select d.id, d.kind, d.payment_intent, d.their_micros::text, d.our_micros::text, d.first_seen_at, d.resolved_at,
           c.id as payment_id
         from payment_differences d left join checkout_sessions c on c.payment_intent = d.payment_intent
         where d.resolved_at is null order by d.first_seen_at, d.id limit ${DIFFERENCES_MAX}`,
      );
      return {
        last:
          last === undefined
            ? null
            : {
                at: iso(last.at),
                from: iso(last.from_at),
                to: iso(last.to_at),
                compared: last.compared,
                differences: last.differences,
              },
        differences: open.map(({ payment_id, payment_intent, ...row }) => {
          const { resolved_at: _, ...difference } = differenceAnswer(row);
          return { ...difference, payment_id, payment_intent };
        }),
      };
    });
  }

  /** Returns the address of the provider's page for a payment, or null if there is none. */
  private providerUrl({ test_mode: isTest, payment_intent: intent }: PaymentRow): string | null {
    if (isTest || intent === null) return null;
    const part = this.settings.stripe?.secretKey.includes('_test_') === true ? 'test/' : '';
    return `https://dashboard.stripe.com/${part}payments/${intent}`;
  }
}

function conditionsOf(
  { status, problem, search }: Omit<ListQuestion, 'page' | 'per_page'>,
  param: (value: SqlValue) => string,
): string[] {
  const conditions = ['true'];
  if (status !== undefined) conditions.push(`c.status = ${param(status)}`);
  if (problem !== undefined) conditions.push(PROBLEMS[problem]);
  const text = search?.trim() ?? '';
  if (text !== '')
    conditions.push(found(param(text), param(`%${text.replace(/[\\%_]/g, (letter) => `\\${letter}`)}%`)));
  return conditions;
}

const micros = (amount: string): number => Money.fromMicrosText(amount).toWire();
const cents = (amount: number): number => Money.ofCents(amount).toWire();

function paymentAnswer(row: PaymentRow): AdminPaymentAnswer {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    test_mode: row.test_mode,
    user_id: row.user_id,
    username: row.username,
    email: row.email,
    amount: cents(row.amount_cents),
    taken_back: micros(row.taken_back_micros),
    is_disputed: row.is_disputed,
    created_at: iso(row.created_at),
    paid_at: row.paid_at === null ? null : iso(row.paid_at),
  };
}

async function eventsOf(
  tx: Tx,
  { id, payment_intent: intent }: Pick<PaymentRow, 'id' | 'payment_intent'>,
): Promise<AdminPaymentDetailsAnswer['events']> {
  const rows = await tx.query<{ id: string; type: string; outcome: string; received_at: number }>(
    `select id, type, outcome, received_at from stripe_events where session_id = $1 or payment_intent = $2
       order by received_at, id limit ${EVENTS_MAX}`,
    [id, intent],
  );
  return rows.map((row) => ({ ...row, received_at: iso(row.received_at) }));
}

type Reversals = AdminPaymentDetailsAnswer['reversals'];

/** Returns the oldest first. A payment has at most a few, because each withdraws part of its money. */
async function reversalsOf(tx: Tx, intent: string | null): Promise<Reversals> {
  if (intent === null) return [];
  const reversals = await tx.query<{
    id: string;
    kind: 'refund' | 'dispute';
    amount_cents: number;
    status: string;
    reason: string | null;
    due_by: number | null;
    created_at: number;
    requested_by: string | null;
  }>(
    `select r.id, r.kind, r.amount_cents, r.status, r.reason, r.due_by, r.created_at,
       (select a.username from refund_requests q join users a on a.id = q.actor_user_id
          where q.id = r.refund_request_id) as requested_by
     from payment_reversals r
     where r.payment_intent = $1 order by r.created_at, r.id limit 100`,
    [intent],
  );
  const movements = await tx.query<{
    id: string;
    reversal_id: string;
    kind: Reversals[number]['movements'][number]['kind'];
    amount_micros: string;
    posted_micros: string;
    fee_micros: string;
    created_at: number;
  }>(
    `select id, reversal_id, kind, amount_micros::text, posted_micros::text, fee_micros::text, created_at
     from payment_movements where payment_intent = $1 order by created_at, id limit 400`,
    [intent],
  );
  return reversals.map((row) => ({
    id: row.id,
    kind: row.kind,
    amount: cents(row.amount_cents),
    status: row.status,
    reason: row.reason,
    due_by: row.due_by === null ? null : iso(row.due_by),
    created_at: iso(row.created_at),
    requested_by: row.requested_by,
    movements: movements
      .filter(({ reversal_id: reversal }) => reversal === row.id)
      .map((movement) => ({
        id: movement.id,
        kind: movement.kind,
        amount: micros(movement.amount_micros),
        posted: micros(movement.posted_micros),
        fee: micros(movement.fee_micros),
        created_at: iso(movement.created_at),
      })),
  }));
}

type Request = AdminPaymentDetailsAnswer['refund_requests'][number];

async function requestsOf(tx: Tx, paymentId: string): Promise<Request[]> {
  const rows = await tx.query<{
    id: string;
    amount_cents: number;
    reason: string;
    requested_by: string;
    state: Request['state'];
    refusal: string | null;
    created_at: number;
  }>(
    `select q.id, q.amount_cents, q.reason, q.state, q.refusal, q.created_at,
       (select a.username from users a where a.id = q.actor_user_id) as requested_by
     from refund_requests q
     where q.payment_id = $1 order by q.created_at, q.id limit 100`,
    [paymentId],
  );
  return rows.map(({ amount_cents, created_at, ...row }) => ({
    ...row,
    amount: cents(amount_cents),
    created_at: iso(created_at),
  }));
}

const CAUSED = ['payment', 'payment_refund', 'refund_failed', 'dispute', 'dispute_won'];

/** Returns the postings of the payment and of each movement, with the debts that each of them paid. */
async function ledgerOf(
  tx: Tx,
  userId: number,
  causes: readonly string[],
): Promise<AdminPaymentDetailsAnswer['ledger']> {
  const rows = await tx.query<{
    id: string;
    type: string;
    amount_micros: string;
    owed_micros: string;
    cause: string | null;
    posted_at: number;
  }>(
    `with caused as (
       select id, user_id, hash, due_at from ledger_transactions where type = any($2) and cause = any($3) and user_id = $1
     )
     select t.id, t.type, t.amount_micros::text, t.cause, t.posted_at,
       (select coalesce(sum(l.amount_micros), 0) from ledger_lines l
          where l.transaction_id = t.id and l.ledger_account = 'owed')::text as owed_micros
     from ledger_transactions t
     where t.id in (
       select id from caused
       union all
       select o.id from caused c join ledger_transactions o
         on o.user_id = c.user_id and o.due_at = c.due_at and o.hash = c.hash and o.type = 'owed_paid')
     order by t.id limit 400`,
    [userId, CAUSED, [...causes]],
  );
  return rows.map((row) => ({
    id: Number(row.id),
    type: row.type,
    amount: micros(row.amount_micros),
    owed: micros(row.owed_micros),
    cause: row.cause,
    created_at: iso(row.posted_at),
  }));
}

interface DifferenceRow {
  readonly id: string;
  readonly kind: 'missing_here' | 'missing_there' | 'amount';
  readonly their_micros: string | null;
  readonly our_micros: string | null;
  readonly first_seen_at: number;
  readonly resolved_at: number | null;
}

interface SettledRow extends DifferenceRow {
  readonly settled_by: string | null;
  readonly settled_because: string | null;
}

async function differencesOf(tx: Tx, intent: string | null): Promise<AdminPaymentDetailsAnswer['differences']> {
  const rows = await tx.query<SettledRow>(
    `select d.id, d.kind, d.their_micros::text, d.our_micros::text, d.first_seen_at, d.resolved_at, d.settled_because,
       (select a.username from users a where a.id = d.settled_by) as settled_by
     from payment_differences d where d.payment_intent = $1 order by d.first_seen_at, d.id limit ${DIFFERENCES_MAX}`,
    [intent],
  );
  return rows.map(({ settled_by: by, settled_because: because, ...row }) => ({
    ...differenceAnswer(row),
    settled: by === null || because === null ? null : { by, because },
  }));
}

function differenceAnswer({ their_micros, our_micros, first_seen_at, resolved_at, id, kind }: DifferenceRow) {
  return {
    id,
    kind,
    theirs: their_micros === null ? null : micros(their_micros),
    ours: our_micros === null ? null : micros(our_micros),
    first_seen_at: iso(first_seen_at),
    resolved_at: resolved_at === null ? null : iso(resolved_at),
  };
}

const isRefundable = (row: PaymentRow): row is PaymentRow & { payment_intent: string } =>
  row.status === 'paid' && row.payment_intent !== null;
