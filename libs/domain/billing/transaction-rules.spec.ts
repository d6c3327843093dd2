import { describe, expect, it } from '@jest/globals';
import { Money } from '../money';
import type { Line, Bucket } from './books';
import { assertEntry, faultsOfEntry } from './transaction-rules';
import type { TransactionType } from './transaction-type';

const line = (bucket: Bucket, micros: number, creditId: number | null = null): Line => ({
  bucket,
  creditId,
  amount: Money.micros(BigInt(micros)),
});

const DAY = { deploymentId: 1, chargedOn: '2026-12-01', creditId: null };
const CREDIT = { deploymentId: null, chargedOn: null, creditId: 7 };
const BALANCE = { deploymentId: null, chargedOn: null, creditId: null };
const CLOCK = { cause: null, actorUserId: null };

type Subject = typeof DAY | typeof CREDIT | typeof BALANCE;
const entry = (type: TransactionType, subject: Subject, ...lines: Line[]) => ({ type, ...subject, lines });

const ALLOWED = [
  entry('payment', BALANCE, line('payments', -5), line('regular', 5)),
  entry('charge', DAY, line('credit', -2, 7), line('regular', -3), line('revenue', 5)),
  entry('rerate', DAY, line('regular', -3), line('revenue', 3)),
  entry('rerate', DAY, line('revenue', -3), line('credit', 1, 7), line('lapsed', 2)),
  entry('refund', DAY, line('revenue', -3), line('regular', 1), line('lapsed', 2)),
  entry('credit_granted', CREDIT, line('adjustments', -5), line('credit', 5, 7)),
  entry('credit_expired', CREDIT, line('credit', -5, 7), line('lapsed', 5)),
  entry('credit_adjusted', CREDIT, line('adjustments', 5), line('credit', -5, 7)),
  entry('adjustment', BALANCE, line('adjustments', 5), line('regular', -5)),
  entry('payment_refund', BALANCE, line('payments', 5), line('regular', -3), line('owed', -2)),
  entry('dispute', BALANCE, line('payments', 5), line('owed', -5)),
  entry('refund_failed', BALANCE, line('payments', -5), line('regular', 5)),
  entry('dispute_won', BALANCE, line('payments', -5), line('regular', 5)),
  entry('owed_paid', BALANCE, line('regular', -5), line('owed', 5)),
];

const needs = (type: TransactionType) => ({
  cause: ['payment', 'payment_refund', 'refund_failed', 'dispute', 'dispute_won'].includes(type) ? 'evt_1' : null,
  actorUserId: ['adjustment', 'credit_adjusted'].includes(type) ? 1 : null,
});

describe('rules of transaction types', () => {
  it.each(ALLOWED.map((one) => [one.type, one] as const))('allow a %s with its own accounts and cause', (type, one) => {
    expect(faultsOfEntry(one, needs(type))).toEqual([]);
  });

  it.each([
    [
      'a payment from adjustments',
      entry('payment', BALANCE, line('adjustments', -5), line('regular', 5)),
      'adjustments',
    ],
    ['an adjustment from payments', entry('adjustment', BALANCE, line('payments', -5), line('regular', 5)), 'payments'],
    ['a charge to the lapsed account', entry('charge', DAY, line('regular', -5), line('lapsed', 5)), 'lapsed'],
    ['a charge that pays the customer', entry('charge', DAY, line('regular', 5), line('revenue', -5)), 'regular'],
    ['a refund that takes from the customer', entry('refund', DAY, line('revenue', 5), line('regular', -5)), 'revenue'],
    ['a grant from revenue', entry('credit_granted', CREDIT, line('revenue', -5), line('credit', 5, 7)), 'revenue'],
    ['an expiry that pays us', entry('credit_expired', CREDIT, line('credit', -5, 7), line('revenue', 5)), 'revenue'],
    ['a dispute that takes a credit', entry('dispute', BALANCE, line('payments', 5), line('credit', -5, 7)), 'credit'],
  ])('refuse %s', (_, one, bucket) => {
    expect(faultsOfEntry(one, needs(one.type)).join()).toContain(`moves ${bucket}`);
  });

  it.each([
    ['a payment without a cause', ALLOWED[0], CLOCK, 'has no cause'],
    ['a charge that was requested', ALLOWED[1], { cause: 'request', actorUserId: null }, 'has a cause'],
    ['an adjustment without an actor', ALLOWED[8], CLOCK, 'has no actor'],
    ['a charge without a day', { ...ALLOWED[1], ...BALANCE }, CLOCK, 'names no day'],
    ['a payment with a day', { ...ALLOWED[0], ...DAY }, needs('payment'), 'names no day, or names one without need'],
    ['a grant without a credit', { ...ALLOWED[5], ...BALANCE }, CLOCK, 'names no credit'],
    ['a grant of another credit', { ...ALLOWED[5], creditId: 8 }, CLOCK, 'moves a credit other than the one it names'],
    [
      'lines that do not sum to zero',
      entry('owed_paid', BALANCE, line('regular', -5), line('owed', 4)),
      CLOCK,
      'sum to zero',
    ],
  ])('refuse %s', (_, one, by, fault) => {
    expect(faultsOfEntry(one as (typeof ALLOWED)[number], by).join()).toContain(fault);
  });

  it('reject an amount that differs from the lines, and prevent writing invalid transactions', () => {
    const payment = {
      ...entry('payment', BALANCE, line('payments', -5), line('regular', 5)),
      amount: Money.micros(6n),
    };
    expect(faultsOfEntry(payment, needs('payment'))).toEqual(['shows an amount other than the one it moved']);
    expect(() => assertEntry(entry('payment', BALANCE), CLOCK)).toThrow('a payment that has no cause');
  });
});
