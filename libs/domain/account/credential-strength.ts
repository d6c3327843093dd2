import { CONSTANTS } from '../constants';
import type { Instant } from '../time';

/** How a credential was obtained, read from its own row, beside what its account and the installation need today. */
export interface CredentialStrength {
  /** The account is an administrator now. */
  readonly isAdministrator: boolean;
  /** The account has two-factor authentication on. */
  readonly accountHasSecondFactor: boolean;
  /** `ADMIN_TWO_FACTOR=required`. */
  readonly installationNeedsSecondFactor: boolean;
  /** The session gave a second factor, or the session that created the API token did. */
  readonly gaveSecondFactor: boolean;
  /** Null for a session. */
  readonly apiToken: { readonly scope: 'read' | 'write' | 'admin'; readonly ownerWasAdministrator: boolean } | null;
}

/**
 * Whether a credential may administer, and if not, why: the account is no administrator, the API token was not created for
 * it, two-factor authentication is off although the installation needs it, or the credential never gave a second factor.
 */
export type AdministratorRights =
  'granted' | 'no_administrator' | 'scope_missing' | 'second_factor_off' | 'second_factor_not_given';

/**
 * Rights that were obtained later than a credential never belong to it: a token made by a customer stays a customer's
 * token after a promotion, and a session without a code stays one after the second factor was turned on.
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
 * Whether a session confirmed its password less than ten minutes ago. Where the account has a second factor the session must
 * have given it too.
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
