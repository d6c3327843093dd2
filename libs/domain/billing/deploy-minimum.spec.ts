import { describe, expect, it } from '@jest/globals';
import { Money } from '../money';
import { type AccountFacts, neededToCreate, refusalToCreate, refuse } from './deploy-minimum';

const H1 = Money.micros(35_600n);
const H2 = Money.micros(104_100n);
const H3 = Money.micros(309_600n);
const V1 = Money.micros(5_000n);

const facts = (more: Partial<AccountFacts>): AccountFacts => ({
  available: Money.of(5),
  owed: Money.ZERO,
  runningHourly: Money.ZERO,
  runningCount: 0,
  everBillable: true,
  creating: false,
  everPaid: true,
  ...more,
});

describe('minimum to deploy', () => {
  it.each([
    ['5.00 is enough', facts({}), H1, null],
    ['4.999999 is not', facts({ available: Money.of(4.999999) }), H1, 'BALANCE_TOO_LOW'],
    ['4.99 is enough for the first deployment', facts({ available: Money.of(4.99), everBillable: false }), H1, null],
    ['4.989999 is not', facts({ available: Money.of(4.989999), everBillable: false }), H1, 'BALANCE_TOO_LOW'],
    [
      '4.99 is not enough while the first is being created',
      facts({ available: Money.of(4.99), everBillable: false, creating: true }),
      H1,
      'BALANCE_TOO_LOW',
    ],
    [
      'a day of everything (G01): enough',
      facts({ available: Money.of(6), runningHourly: H2.plus(V1), runningCount: 2 }),
      H2,
      null,
    ],
    [
      'a day of everything (G01): not enough',
      facts({ available: Money.of(6), runningHourly: H2.plus(V1), runningCount: 2 }),
      H3,
      'BALANCE_TOO_LOW',
    ],
    [
      'an expensive first deployment needs its own daily price',
      facts({ available: Money.of(7), everBillable: false }),
      H3,
      'BALANCE_TOO_LOW',
    ],
    ['debts come first', facts({ available: Money.of(100), owed: Money.of(0.01) }), H1, 'BALANCE_OWED'],
    [
      'credits only: one deployment at a time',
      facts({ available: Money.of(9), everPaid: false, runningCount: 1, runningHourly: V1 }),
      V1,
      'CREDIT_ONLY_LIMIT',
    ],
    ['credits only: at most 0.10 an hour', facts({ available: Money.of(9), everPaid: false }), H2, 'CREDIT_ONLY_LIMIT'],
    ['credits only: exactly 0.10 an hour', facts({ available: Money.of(9), everPaid: false }), Money.of(0.1), null],
    [
      'the minimum is checked before the limit of credits',
      facts({ available: Money.of(2), everPaid: false }),
      H2,
      'BALANCE_TOO_LOW',
    ],
  ] as const)('%s', (_, account, hourly, code) => {
    expect(refusalToCreate(account, hourly)?.code ?? null).toBe(code);
  });

  it('states the required and the available amount in text and figures', () => {
    const refusal = refusalToCreate(facts({ available: Money.of(6), runningHourly: H2.plus(V1), runningCount: 2 }), H3);
    expect(refusal && refuse(refusal)).toMatchObject({
      code: 'BALANCE_TOO_LOW',
      reason: {
        code: 'order.balance_too_low',
        facts: { needed: '10.05', available: '6.00' },
        detail: 'Your balance is too low. You need 10.05, and 6.00 is available. Add funds and try again.',
      },
      fields: { needed: 10.0488, available: 6, owed: 0 },
    });
    expect(neededToCreate(facts({}), H1).toWire()).toBe(5);
  });
});
