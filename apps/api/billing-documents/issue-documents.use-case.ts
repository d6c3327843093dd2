import type { DocumentKind } from '@moorage/contracts';
import type { User } from '@moorage/database';
import {
  CARD_MOVEMENTS,
  type CardMovement,
  BILLING_DOCUMENT_MESSAGES,
  countryNameIn,
  DomainError,
  type Instant,
  iso,
  Money,
  type Month,
  statementEarliest,
  statementRefusal,
  taxIncluded,
  taxReversed,
  townLine,
  unprintedLetters,
} from '@moorage/domain';
import { OnEvent, type ProductEvent } from '@moorage/runtime';
import { Clock, type Tx } from '@moorage/server';
import { moment } from '@moorage/texts/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';
import { usersRepository } from '../users-store/users.repository';
import type { DocumentFacts, MovementDocument } from './document-facts';
import { type DocumentRow, DOCUMENT_COLUMNS } from './document-row';
import { statementSums } from './statement-sums';
import { TaxRates } from './tax-rates.service';

/** Events of money moved between a card and a balance. */
const MOVED = ['payment.received', 'payment.refunded', 'payment.refund_failed', 'payment.disputed'] as const;

/** More than an account has in a year. The next request for its documents issues the rest. */
const ISSUED_AT_ONCE_MAX = 500;

type Account = Pick<User, 'id' | 'username' | 'email' | 'language' | 'created_at'>;

interface Movement {
  readonly id: string;
  readonly type: CardMovement;
  readonly cause: string;
  readonly due_at: Instant;
  readonly amount_micros: string;
  readonly payment_id: string | null;
  readonly test_mode: boolean | null;
}

/** Facts shared by all documents of an account. */
type Issue = Pick<DocumentFacts, 'language' | 'issued_at' | 'operator' | 'customer'>;

/**
 * Issues receipts, credit notes and statements. The account's row is locked first, then counters in the order of
 * `ISSUE_ORDER`, so that two transactions cannot deadlock. A counter is incremented in the transaction that inserts the
 * document, so that a rollback leaves no gap.
 */
@Injectable()
export class IssueDocuments {
  constructor(
    private readonly clock: Clock,
    private readonly settings: ApiSettings,
    private readonly taxRates: TaxRates,
  ) {}

  /** Issues documents when an event reports a movement. The details are read from the ledger. */
  @OnEvent(...MOVED)
  async onPayment(tx: Tx, { data }: ProductEvent<(typeof MOVED)[number]>): Promise<void> {
    await this.issueMissing(tx, data.user_id);
  }

  /** Issues a receipt or a credit note for every movement between a card and the balance that has none. */
  async issueMissing(tx: Tx, userId: number): Promise<void> {
    if ((await missing(tx, userId)).length === 0) return;
    const account = await lockAccount(tx, userId);
    const movements = await missing(tx, userId);
    const issue = await this.issueFor(tx, account);
    for (const kind of ISSUE_ORDER)
      for (const movement of movements)
        if (KINDS[movement.type] === kind) await this.issueMovement(tx, issue, kind, movement);
  }

  /** Issues the statement of a past month once. */
  async issueStatement(tx: Tx, userId: number, month: Month): Promise<DocumentRow> {
    const account = await lockAccount(tx, userId);
    const at = await this.clock.now(tx);
    switch (statementRefusal(month, { since: account.created_at, at })) {
      case 'not_ended': {
        const from = moment(iso(statementEarliest(month)));
        throw new DomainError('STATEMENT_NOT_READY', BILLING_DOCUMENT_MESSAGES.statement_not_ready({ month, from }));
      }
      case 'before_account':
        throw new DomainError('NOT_FOUND', BILLING_DOCUMENT_MESSAGES.statement_before_account({ month }));
      case null:
        break;
    }
    const [before] = await tx.query<DocumentRow>(
      `select ${DOCUMENT_COLUMNS} from billing_documents where user_id = $1 and kind = 'statement' and month = $2`,
      [userId, `${month}-01`],
    );
    if (before !== undefined) return before;
    const issue = await this.issueFor(tx, account);
    const sums = await statementSums(tx, { userId, month });
    const number = await nextNumber(tx, 'statement', issue.issued_at);
    return insert(tx, { ...issue, ...sums, kind: 'statement', number, month }, null);
  }

  private async issueMovement(
    tx: Tx,
    issue: Issue,
    kind: 'receipt' | 'credit_note',
    movement: Movement,
  ): Promise<void> {
    const { type, cause, due_at, amount_micros, payment_id, test_mode } = movement;
    const receipt = type === 'payment' ? null : await receiptOf(tx, payment_id);
    const number = await nextNumber(tx, kind, issue.issued_at);
    const facts: MovementDocument = {
      ...issue,
      kind,
      number,
      movement: type,
      moved_at: iso(due_at),
      reference: cause,
      receipt: receipt?.number ?? null,
      test_mode: test_mode ?? false,
      amount_micros,
      tax: await this.taxOf(tx, Money.fromMicrosText(amount_micros), { receipt, at: due_at }),
    };
    await insert(tx, facts, movement.id);
  }

  /** Uses the tax of the receipt that the movement reverses, otherwise the tax rate of the day. */
  private async taxOf(
    tx: Tx,
    gross: Money,
    { receipt, at }: { receipt: Receipt | null; at: Instant },
  ): Promise<MovementDocument['tax']> {
    if (receipt !== null) {
      if (receipt.tax === null) return null;
      const { text, net_micros, tax_micros } = receipt.tax;
      const of = { net: Money.fromMicrosText(net_micros), tax: Money.fromMicrosText(tax_micros) };
      return taxLine(text, taxReversed(gross, of));
    }
    const tax = await this.taxRates.at(tx, at);
    return tax === null ? null : taxLine(tax.text, taxIncluded(gross, tax.rate));
  }

  private async issueFor(tx: Tx, account: Account): Promise<Issue> {
    const { name, address, taxId } = this.settings.operator;
    return {
      language: account.language,
      issued_at: iso(await this.clock.now(tx)),
      operator: { name, lines: [...address], tax_id: taxId },
      customer: { ...(await customerOf(tx, account)), account_id: account.id },
    };
  }
}

const ISSUE_ORDER = ['receipt', 'credit_note'] as const;

/**
 * Document per kind of movement. Incoming money has a receipt, whether it is a payment or returns after a refund or a
 * dispute.
 */
const KINDS: Readonly<Record<CardMovement, 'receipt' | 'credit_note'>> = {
  payment: 'receipt',
  payment_refund: 'credit_note',
  refund_failed: 'receipt',
  dispute: 'credit_note',
  dispute_won: 'receipt',
};

function missing(tx: Tx, userId: number): Promise<Movement[]> {
  return tx.query<Movement>(
    `select t.id, t.type, t.cause, t.due_at, abs(l.amount_micros)::text as amount_micros,
       coalesce(paid.id, moved.id) as payment_id, coalesce(paid.test_mode, moved.test_mode) as test_mode
     from ledger_transactions t
     join ledger_lines l on l.transaction_id = t.id and l.ledger_account = 'payments'
     left join checkout_sessions paid on t.type = 'payment' and paid.id = t.cause
     left join payment_movements m on t.type <> 'payment' and m.id = t.cause
     left join checkout_sessions moved on moved.payment_intent = m.payment_intent
     where t.user_id = $1 and t.type in (${CARD_MOVEMENTS.map((type) => `'${type}'`).join(', ')})
       and not exists (select 1 from billing_documents d where d.transaction_id = t.id)
     order by t.id limit ${ISSUED_AT_ONCE_MAX}`,
    [userId],
  );
}

async function lockAccount(tx: Tx, userId: number): Promise<Account> {
  const columns = ['id', 'username', 'email', 'language', 'created_at'] as const;
  const account = await usersRepository.find(tx, userId, columns, { lock: 'for no key update' });
  if (account === null) throw new Error('the account of the documents does not exist');
  return account;
}

async function customerOf(
  tx: Tx,
  { id, username, email, language }: Account,
): Promise<Pick<Issue['customer'], 'name' | 'lines' | 'tax_id'>> {
  const [details] = await tx.query<{
    name: string;
    lines: string[];
    postal_code: string;
    city: string;
    country: string;
    tax_id: string | null;
  }>('select name, lines, postal_code, city, country, tax_id from billing_details where user_id = $1', [id]);
  if (details === undefined)
    return unprintedLetters(username) === ''
      ? { name: username, lines: [email], tax_id: null }
      : { name: email, lines: [], tax_id: null };
  const { name, lines, country, tax_id } = details;
  return { name, lines: [...lines, townLine(details), countryNameIn(country, language)], tax_id };
}

type Receipt = Pick<MovementDocument, 'number' | 'tax'>;

/** Returns the receipt of a payment, or null if the payment is unknown. */
async function receiptOf(tx: Tx, paymentId: string | null): Promise<Receipt | null> {
  if (paymentId === null) return null;
  const [row] = await tx.query<{ number: string; tax: MovementDocument['tax'] }>(
    `select d.number, d.facts -> 'tax' as tax from ledger_transactions t join billing_documents d on d.transaction_id = t.id
     where t.type = 'payment' and t.cause = $1`,
    [paymentId],
  );
  return row ?? null;
}

const taxLine = (text: string, { net, tax }: { net: Money; tax: Money }): MovementDocument['tax'] => ({
  text,
  net_micros: net.micros.toString(),
  tax_micros: tax.micros.toString(),
});

const LETTERS: Readonly<Record<DocumentKind, string>> = { receipt: 'R', credit_note: 'C', statement: 'S' };

/** Returns the next number and locks the counter until the transaction ends. */
async function nextNumber(tx: Tx, kind: DocumentKind, issuedAt: string): Promise<string> {
  const year = issuedAt.slice(0, 4);
  const [row] = await tx.query<{ last: number }>(
    `insert into billing_document_counters (kind, year, last) values ($1, $2, 1)
     on conflict (kind, year) do update set last = billing_document_counters.last + 1 returning last`,
    [kind, Number(year)],
  );
  if (row === undefined) throw new Error('the document counter returned no row');
  return `${LETTERS[kind]}-${year}-${String(row.last).padStart(6, '0')}`;
}

async function insert(tx: Tx, facts: DocumentFacts, transactionId: string | null): Promise<DocumentRow> {
  const [row] = await tx.query<DocumentRow>(
    `insert into billing_documents (user_id, kind, number, issued_at, transaction_id, month, amount_micros, facts)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${DOCUMENT_COLUMNS}`,
    [
      facts.customer.account_id,
      facts.kind,
      facts.number,
      facts.issued_at,
      transactionId,
      facts.kind === 'statement' ? `${facts.month}-01` : null,
      facts.kind === 'statement' ? null : facts.amount_micros,
      JSON.stringify(facts),
    ],
  );
  if (row === undefined) throw new Error('the document insert returned no row');
  return row;
}
