import { Money } from '../money';
import type { Day } from '../time';
import type { Allocation } from './account';
import type { Books, Entry, OpenMetered } from './books';

/**
 * Applies a posted transaction to books by its lines, without checking it against the rules.
 *
 * @throws RangeError if the transaction names a credit or a deployment that the books do not contain
 */
export function applyPosted(books: Books, { type, lines, ...of }: Entry): void {
  const sum = (bucket: string): Money =>
    Money.sum(lines.filter((line) => line.bucket === bucket).map(({ amount }) => amount));
  books.regular = books.regular.plus(sum('regular'));
  books.owed = books.owed.plus(sum('owed'));
  for (const { bucket, creditId, amount } of lines)
    if (bucket === 'credit') {
      const credit = known(books.credits.get(creditId ?? 0));
      credit.remaining = credit.remaining.plus(amount);
    }
  switch (type) {
    case 'charge':
    case 'rerate':
    case 'refund': {
      const deployment = known(books.deployments.get(of.deploymentId ?? 0));
      if (of.chargedOn === null) throw new RangeError('names no day');
      const revenue = sum('revenue');
      if (type === 'charge') deployment.chargedThrough = of.chargedOn;
      if (revenue.isNegative) giveBack(books, deployment, { day: of.chargedOn, amount: revenue.negated(), lines });
      else pushAllocations(deployment, of.chargedOn, lines);
      return;
    }
    case 'credit_expired': {
      const credit = known(books.credits.get(of.creditId ?? 0));
      credit.lapsed = credit.lapsed.plus(sum('lapsed'));
      credit.expired = true;
      return;
    }
    case 'credit_adjusted': {
      const credit = known(books.credits.get(of.creditId ?? 0));
      credit.amount = credit.amount.plus(sum('credit'));
      return;
    }
    case 'credit_granted':
    case 'payment':
    case 'payment_refund':
    case 'refund_failed':
    case 'dispute':
    case 'dispute_won':
    case 'adjustment':
    case 'owed_paid':
      return;
  }
}

function known<T>(subject: T | undefined): T {
  if (subject === undefined) throw new RangeError('deployment or credit is unknown or belongs to another account');
  return subject;
}

function pushAllocations(deployment: OpenMetered, day: Day, lines: Entry['lines']): void {
  const allocations = lines.flatMap(({ bucket, creditId, amount }): Allocation[] =>
    bucket === 'regular' || bucket === 'credit' ? [{ creditId, amount: amount.negated() }] : [],
  );
  deployment.allocations.set(day, [...(deployment.allocations.get(day) ?? []), ...allocations]);
}

/** Reverses allocations, last applied first, by the refunded amount. The part that returned to no credit has lapsed. */
function giveBack(
  books: Books,
  deployment: OpenMetered,
  { day, amount, lines }: { day: Day; amount: Money; lines: Entry['lines'] },
): void {
  const stack = [...(deployment.allocations.get(day) ?? [])];
  const returned = new Map<number, Money>();
  for (let rest = amount; rest.isPositive;) {
    const last = stack.pop();
    if (last === undefined) throw new RangeError('refund exceeds the amount charged');
    const part = Money.min(last.amount, rest);
    if (part.isLessThan(last.amount)) stack.push({ ...last, amount: last.amount.minus(part) });
    rest = rest.minus(part);
    if (last.creditId !== null) returned.set(last.creditId, (returned.get(last.creditId) ?? Money.ZERO).plus(part));
  }
  for (const { creditId, amount: back } of lines)
    if (creditId !== null) returned.set(creditId, (returned.get(creditId) ?? Money.ZERO).minus(back));
  for (const [creditId, lapsed] of returned) {
    const credit = known(books.credits.get(creditId));
    if (lapsed.isPositive) credit.lapsed = credit.lapsed.plus(lapsed);
  }
  deployment.allocations.set(day, stack);
}
