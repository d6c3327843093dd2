import { describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '../time';
import { administratorRights, type CredentialStrength, isRecentlyAuthenticated } from './credential-strength';

const SESSION: CredentialStrength = {
  isAdministrator: true,
  accountHasSecondFactor: false,
  installationNeedsSecondFactor: false,
  gaveSecondFactor: false,
  apiToken: null,
};
const TOKEN = { scope: 'admin', ownerWasAdministrator: true } as const;
const WITH_FACTOR = { accountHasSecondFactor: true, gaveSecondFactor: true };

describe('administrator rights', () => {
  it.each([
    ['a session of a customer', { isAdministrator: false }, 'no_administrator'],
    ['a session without a required second factor', {}, 'granted'],
    [
      'a session without the second factor that the installation requires',
      { installationNeedsSecondFactor: true },
      'second_factor_off',
    ],
    [
      'a session from before the second factor was turned on',
      { accountHasSecondFactor: true },
      'second_factor_not_given',
    ],
    [
      'a session from before it was turned on, where it is required',
      { accountHasSecondFactor: true, installationNeedsSecondFactor: true },
      'second_factor_not_given',
    ],
    ['a session that passed the second factor', WITH_FACTOR, 'granted'],
    [
      'a session that passed a second factor that is now off',
      { gaveSecondFactor: true, installationNeedsSecondFactor: true },
      'second_factor_off',
    ],
    ['a token with the scope that an administrator created', { apiToken: TOKEN }, 'granted'],
    ['a token limited to writing', { apiToken: { ...TOKEN, scope: 'write' } }, 'scope_missing'],
    ['a token limited to reading', { apiToken: { ...TOKEN, scope: 'read' } }, 'scope_missing'],
    ['a token created before the promotion', { apiToken: { ...TOKEN, ownerWasAdministrator: false } }, 'scope_missing'],
    ['a token of a former administrator', { apiToken: TOKEN, isAdministrator: false }, 'no_administrator'],
    [
      'a token created without the second factor that is on now',
      { apiToken: TOKEN, accountHasSecondFactor: true },
      'second_factor_not_given',
    ],
    ['a token created with the current second factor', { apiToken: TOKEN, ...WITH_FACTOR }, 'granted'],
  ] as const)('of %s', (_, differences, rights) => {
    expect(administratorRights({ ...SESSION, ...differences })).toBe(rights);
  });
});

describe('recent authentication', () => {
  const at = Date.parse('2026-11-28T12:00:00Z');
  const session = { authenticatedAt: at, accountHasSecondFactor: false, gaveSecondFactor: false };

  it('lasts for ten minutes', () => {
    expect(isRecentlyAuthenticated(session, at)).toBe(true);
    expect(isRecentlyAuthenticated(session, at + 10 * MINUTE_MS - 1)).toBe(true);
    expect(isRecentlyAuthenticated(session, at + 10 * MINUTE_MS)).toBe(false);
  });

  it('requires the second factor if the account has one', () => {
    expect(isRecentlyAuthenticated({ ...session, accountHasSecondFactor: true }, at)).toBe(false);
    expect(isRecentlyAuthenticated({ ...session, accountHasSecondFactor: true, gaveSecondFactor: true }, at)).toBe(
      true,
    );
  });
});
