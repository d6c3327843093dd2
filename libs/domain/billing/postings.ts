import { DomainError } from '../errors';
import { Money } from '../money';
import type { Instant } from '../time';
import type { Account } from './account';
import { type Books, closeBooks, type Entry, type Line, openBooks, type Bucket } from './books';
import { type Credit, hasEnded, usedOfCredit } from './credit';
import type { Message } from '../messages/message';
import type { MovementKind } from './reversal';
import { SENTENCES, type TransactionType } from './transaction-type';
import { ORDER_MESSAGES } from '../messages/order';

/**
 * Result of a posting that does not depend on time, such as payments, refunds and disputes, adjustments and credits.
 */
export interface Posting {
  readonly entries: readonly Entry[];
  readonly after: Account;
}

/** Posts a payment, which first pays what the account owes. */
export function postPayment(account: Account, { amount, at }: { amount: Money; at: Instant }): Posting {
  return post(account, (books) => {
    moveRegular(books, { type: 'payment', from: 'payments', amount, at });
    payOwed(books, at);
  });
}

/**
 * Posts a refund or dispute. The regular balance is reduced and any shortfall becomes owed. No deployment is destroyed
 * by it.
 */
export function postWithdrawal(
  account: Account,
  { kind, amount, at }: { kind: 'refund' | 'dispute'; amount: Money; at: Instant },
): Posting {
  return post(account, (books) => {
    const held = Money.min(books.regular, amount);
    const missing = amount.minus(held);
    books.regular = books.regular.minus(held);
    books.owed = books.owed.minus(missing);
    const type = kind === 'refund' ? 'payment_refund' : 'dispute';
    write(books, {
      type,
      at,
      description: SENTENCES[type](),
      lines: [line('payments', amount), line('regular', held.negated()), line('owed', missing.negated())],
    });
  });
}

/** Posts money that returns to the account after a dispute was won or a refund failed to reach the card. */
export function postReturn(
  account: Account,
  { kind, amount, at }: { kind: 'refund_failed' | 'dispute_won'; amount: Money; at: Instant },
): Posting {
  return post(account, (books) => {
    moveRegular(books, { type: kind, from: 'payments', amount, at });
    payOwed(books, at);
  });
}

/** Posts a balance transaction of the payment provider, limited to the part that the account bears. */
export function postMovement(
  account: Account,
  { kind, amount, at }: { kind: MovementKind; amount: Money; at: Instant },
): Posting {
  if (kind === 'refund' || kind === 'dispute') return postWithdrawal(account, { kind, amount, at });
  return postReturn(account, { kind, amount, at });
}

/** Returns why an administrator can't adjust the regular balance by this amount, or null if they can. */
export function refusalToAdjust({ regular, amount }: { regular: Money; amount: Money }): Message | null {
  const left = regular.plus(amount);
  if (!left.isNegative) return null;
  return ORDER_MESSAGES.balance_negative({
    balance: regular.toDisplay('balance'),
    left: left.toDisplay('balance'),
  });
}

/**
 * Posts an adjustment by an administrator.
 *
 * @throws DomainError `BALANCE_WOULD_BE_NEGATIVE` if the regular balance would fall below zero
 */
export function postAdjustment(
  account: Account,
  { amount, at, description }: { amount: Money; at: Instant; description?: string | undefined },
): Posting {
  const refusal = refusalToAdjust({ regular: account.regular, amount });
  if (refusal !== null)
    throw new DomainError('BALANCE_WOULD_BE_NEGATIVE', refusal, { available: account.regular.toWire() });
  return post(account, (books) =>
    moveRegular(books, { type: 'adjustment', from: 'adjustments', amount, at, description }),
  );
}

/** Posts a new credit with its full amount. The caller supplies its ID. */
export function postGrant(account: Account, { credit, at }: { credit: Credit; at: Instant }): Posting {
  return post(
    { ...account, credits: [...account.credits, { ...credit, remaining: credit.amount, lapsed: Money.ZERO }] },
    (books) =>
      write(books, {
        type: 'credit_granted',
        at,
        creditId: credit.id,
        description: SENTENCES.credit_granted(credit.creditType),
        lines: [line('adjustments', credit.amount.negated()), line('credit', credit.amount, credit.id)],
      }),
  );
}

/**
 * Changes the amount of a credit and posts the difference.
 *
 * @throws DomainError `CREDIT_STATE` if the credit has ended or the amount is below what was used
 */
export function postCreditAdjustment(
  account: Account,
  { creditId, amount, at }: { creditId: number; amount: Money; at: Instant },
): Posting {
  return post(account, (books) => {
    const credit = books.credits.get(creditId);
    if (credit === undefined || hasEnded(credit, at))
      throw new DomainError('CREDIT_STATE', ORDER_MESSAGES.credit_ended);
    const used = usedOfCredit(credit);
    if (amount.isLessThan(used))
      throw new DomainError('CREDIT_STATE', ORDER_MESSAGES.credit_used({ used: used.toDisplay('needed') }));
    const difference = amount.minus(credit.amount);
    if (difference.isZero) return;
    credit.amount = amount;
    credit.remaining = credit.remaining.plus(difference);
    write(books, {
      type: 'credit_adjusted',
      at,
      creditId,
      description: SENTENCES.credit_adjusted(credit.creditType),
      lines: [line('adjustments', difference.negated()), line('credit', difference, creditId)],
    });
  });
}

function post(account: Account, work: (books: Books) => void): Posting {
  const books = openBooks(account);
  work(books);
  return { entries: books.entries, after: closeBooks(books) };
}

const line = (bucket: Bucket, amount: Money, creditId: number | null = null): Line => ({ bucket, creditId, amount });

function write(
  books: Books,
  entry: { type: TransactionType; at: Instant; description: string; lines: readonly Line[]; creditId?: number },
): void {
  books.entries.push({
    type: entry.type,
    dueAt: entry.at,
    deploymentId: null,
    chargedOn: null,
    creditId: entry.creditId ?? null,
    description: entry.description,
    lines: entry.lines.filter(({ amount }) => !amount.isZero),
  });
}

function moveRegular(
  books: Books,
  move: {
    type: 'payment' | 'refund_failed' | 'dispute_won' | 'adjustment';
    from: Bucket;
    amount: Money;
    at: Instant;
    description?: string | undefined;
  },
): void {
  books.regular = books.regular.plus(move.amount);
  write(books, {
    type: move.type,
    at: move.at,
    description: move.description ?? SENTENCES[move.type](),
    lines: [line(move.from, move.amount.negated()), line('regular', move.amount)],
  });
}

function payOwed(books: Books, at: Instant): void {
  const paid = Money.min(books.regular, books.owed.negated());
  if (!paid.isPositive) return;
  books.regular = books.regular.minus(paid);
  books.owed = books.owed.plus(paid);
  write(books, {
    type: 'owed_paid',
    at,
    description: SENTENCES.owed_paid(),
    lines: [line('regular', paid.negated()), line('owed', paid)],
  });
}
