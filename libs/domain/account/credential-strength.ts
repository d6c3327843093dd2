import { CONSTANTS } from '../constants';
import type { Instant } from '../time';

/** Facts about a credential from its own row, and the current requirements of its account and the installation. */
export interface CredentialStrength {
  /** The account is currently an administrator. */
  readonly isAdministrator: boolean;
  /** The account has two-factor authentication on. */
  readonly accountHasSecondFactor: boolean;
  /** `ADMIN_TWO_FACTOR=required`. */
  readonly installationNeedsSecondFactor: boolean;
  /** The session, or the session that created the API token, passed a second factor. */
  readonly gaveSecondFactor: boolean;
  /** Null for a session. */
  readonly apiToken: { readonly scope: 'read' | 'write' | 'admin'; readonly ownerWasAdministrator: boolean } | null;
}

/**
 * Result of checking a credential for administrator rights. A denial names its reason. The account is not an
 * administrator, the API token lacks the scope, two-factor authentication is off although the installation requires it,
 * or the credential never passed a second factor.
 */
export type AdministratorRights =
  'granted' | 'no_administrator' | 'scope_missing' | 'second_factor_off' | 'second_factor_not_given';

/**
 * Checks whether a credential has administrator rights.
 *
 * Rights obtained after a credential was created never extend to it. A customer's token stays a customer's token after
 * a promotion, and a session without a second factor gains none when two-factor authentication is turned on later.
 */
export function administratorRights(credential: CredentialStrength): AdministratorRights {
  const { apiToken } = credential;
  if (!credential.isAdministrator) return 'no_administrator';
  if (apiToken !== null && (apiToken.scope !== 'admin' || !apiToken.ownerWasAdministrator)) return 'scope_missing';
  if (!credential.accountHasSecondFactor)
    return credential.installationNeedsSecondFactor ? 'second_factor_off' : 'granted';
  return credential.gaveSecondFactor ? 'granted' : 'second_factor_not_given';
}

/**
 * Returns whether a session confirmed its password less than ten minutes ago. If the account has a second factor, the
 * session must have passed it too.
 */
export function isRecentlyAuthenticated(
  session: Pick<CredentialStrength, 'accountHasSecondFactor' | 'gaveSecondFactor'> & {
    readonly authenticatedAt: Instant;
  },
  now: Instant,
): boolean {
  if (session.accountHasSecondFactor && !session.gaveSecondFactor) return false;
  return now - session.authenticatedAt < CONSTANTS.recentAuthenticationMs;
}
