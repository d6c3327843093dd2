import { describe, expect, it } from '@jest/globals';
import { USERS_MESSAGES } from '../messages/users';
import { Money } from '../money';
import { refusalToDemote, refusalToPromote } from './administrators';
import { type DeactivationFacts, refusalToDeactivate } from './deactivation';

const OTHER = { isSelf: false, isDeactivated: false, isLastAdministrator: false };

describe('changing the administrator role', () => {
  it.each([
    ['of another user is possible', {}, null, null],
    ['of the current administrator', { isSelf: true }, USERS_MESSAGES.admin_self, USERS_MESSAGES.admin_self],
    ['of the last administrator', { isLastAdministrator: true }, null, USERS_MESSAGES.admin_last],
    [
      'of a deactivated account',
      { isDeactivated: true },
      USERS_MESSAGES.admin_deactivated,
      USERS_MESSAGES.deactivated_already,
    ],
  ])('%s', (_, change, toPromote, toDemote) => {
    const facts = { ...OTHER, ...change };
    expect([refusalToPromote(facts), refusalToDemote(facts)]).toEqual([toPromote, toDemote]);
  });
});

describe('deactivation by an administrator', () => {
  const FREE: DeactivationFacts = { ...OTHER, active: 0, regular: Money.ZERO, name: 'jane' };
  const five = Money.of(5);

  it.each<[string, Partial<DeactivationFacts>, string | null]>([
    ['is possible with no deployment and no balance', {}, null],
    ['of the own account', { isSelf: true }, "You can't deactivate yourself. Ask another administrator."],
    [
      'of the last administrator',
      { isLastAdministrator: true },
      'This is the last administrator. Make another user an administrator first.',
    ],
    [
      'of a deactivated account',
      { isDeactivated: true, active: 1, regular: five },
      'This account is already deactivated.',
    ],
    ['with a deployment', { active: 1 }, 'Cannot deactivate jane: 1 active deployment(s).'],
    ['with a balance', { regular: five }, 'Cannot deactivate jane: a positive balance of $5.00.'],
    [
      'with both',
      { active: 2, regular: five },
      'Cannot deactivate jane: 2 active deployment(s) and a positive balance of $5.00.',
    ],
    [
      'with a balance that is truncated, not rounded',
      { regular: Money.of(4.999) },
      'Cannot deactivate jane: a positive balance of $4.99.',
    ],
    [
      'with a balance of one cent',
      { regular: Money.micros(10_000n) },
      'Cannot deactivate jane: a positive balance of $0.01.',
    ],
    ['is possible with less than a cent', { regular: Money.micros(9_999n) }, null],
    [
      'with a deployment and less than a cent',
      { active: 1, regular: Money.micros(1n) },
      'Cannot deactivate jane: 1 active deployment(s).',
    ],
  ])('%s', (_, change, detail) => {
    expect(refusalToDeactivate({ ...FREE, ...change })?.detail ?? null).toBe(detail);
  });
});
