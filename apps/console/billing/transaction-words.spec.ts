import { describe, expect, it } from '@jest/globals';
import { Money, SENTENCES, TRANSACTION_TYPES } from '@moorage/domain';
import { csvOf } from './csv';
import { hourlyOf, readSentence, rowsOf, sumOf, type Transaction } from './transaction-words';

const NAME = 'maralind: pangolin-338851';
const DAY = '2026-11-21';
const one = (over: Partial<Transaction>): Transaction => ({
  id: 1,
  type: 'charge',
  description: '',
  amount: -0.8544,
  created_at: '2026-11-21T00:00:00.000Z',
  deployment_id: 3,
  ...over,
});

describe("the ledger's own sentences are understood", () => {
  it.each([1, 14, 24])('a charge of %d hours', (hours) => {
    const description = SENTENCES.charge({ clientName: NAME, day: DAY, hours });
    expect(readSentence({ type: 'charge', description })).toEqual({ name: NAME, hours, credit: null, rest: '' });
  });

  it('a change of level', () => {
    const description = SENTENCES.rerate({ clientName: NAME, day: DAY });
    expect(readSentence({ type: 'rerate', description })).toMatchObject({ name: NAME, rest: '' });
  });

  it('hours that came back, and what lapsed of them', () => {
    expect(
      readSentence({ type: 'refund', description: SENTENCES.refund({ clientName: NAME, day: DAY, lapses: [] }) }),
    ).toMatchObject({ name: NAME, rest: '' });
    const lapses = [
      { amount: Money.of(0.25), endedAt: Date.UTC(2026, 10, 20, 20) },
      { amount: Money.of(1), endedAt: Date.UTC(2026, 10, 21, 8, 30) },
    ];
    const description = SENTENCES.refund({ clientName: NAME, day: DAY, lapses });
    expect(readSentence({ type: 'refund', description })).toMatchObject({
      name: NAME,
      rest: '0.250000 would have gone back to a credit that ended 2026-11-20 20:00 UTC. 1.000000 would have gone back to a credit that ended 2026-11-21 08:30 UTC',
    });
  });

  it.each(['credit_granted', 'credit_expired', 'credit_adjusted'] as const)('%s says which credit', (type) => {
    expect(readSentence({ type, description: SENTENCES[type]('signup') })).toMatchObject({
      credit: 'signup',
      rest: '',
    });
    expect(readSentence({ type, description: SENTENCES[type]('referred') })).toMatchObject({ credit: 'referral' });
  });

  it.each(['payment', 'payment_refund', 'dispute', 'dispute_won', 'owed_paid', 'adjustment'] as const)(
    '%s says nothing beyond its kind',
    (type) => {
      expect(readSentence({ type, description: SENTENCES[type]() }).rest).toBe('');
    },
  );
});

describe('any other sentence', () => {
  it.each(Object.keys(TRANSACTION_TYPES) as Transaction['type'][])('of kind %s is shown as it is', (type) => {
    const description = 'Goodwill: ticket 4711';
    expect(readSentence({ type, description }).rest).toBe(description);
  });
});

describe('the sum of a day', () => {
  it('is exact to the micro-unit', () => {
    expect(sumOf([0.1, 0.2, -0.3].map((amount) => ({ amount })))).toBe(0);
    expect(sumOf(Array.from({ length: 1_000 }, () => ({ amount: -0.000001 })))).toBe(-0.001);
  });
});

describe('what an hour cost', () => {
  it('is said only where all hours cost the same', () => {
    expect(hourlyOf(one({ amount: -0.3916 }), 11)).toBe(0.0356);
    expect(hourlyOf(one({ amount: -0.391601 }), 11)).toBeNull();
  });
});

describe('the charges of one midnight', () => {
  const midnight = [one({ id: 4 }), one({ id: 3 }), one({ id: 2 })];

  it('are one row', () => {
    expect(rowsOf([one({ id: 9, type: 'payment', amount: 30 }), ...midnight]).map(({ kind }) => kind)).toEqual([
      'one',
      'charges',
    ]);
  });

  it('stay alone when there is only one, and when a day began in between', () => {
    expect(rowsOf([one({})]).map(({ kind }) => kind)).toEqual(['one']);
    const started = one({ id: 5, created_at: '2026-11-21T14:04:00.000Z' });
    const again = one({ id: 6, created_at: '2026-11-21T14:04:00.000Z' });
    expect(rowsOf([again, started]).map(({ kind }) => kind)).toEqual(['one', 'one']);
  });
});

describe('the export', () => {
  it('has six decimals, times in UTC, and quotes in quotes', () => {
    const text = csvOf([
      one({ id: 20, amount: -0.1764, description: 'a "b", c', created_at: '2026-11-21T14:04:09.000Z' }),
    ]);
    expect(text.split('\r\n')[1]).toBe('2026-11-21,14:04:09,20,charge,"a ""b"", c",3,-0.176400');
    expect(text.startsWith('\uFEFFdate,time_utc,id,type,description,deployment_id,amount_usd\r\n')).toBe(true);
  });

  it.each(['=1+1', '+1', '-1', '@x'])('never hands %s to a spreadsheet as a formula', (description) => {
    expect(csvOf([one({ description })])).toContain(`"'${description}"`);
  });
});
