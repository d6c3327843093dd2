import type { Message } from '../messages/message';
import { USERS_MESSAGES } from '../messages/users';
import { Money } from '../money';

export interface DeactivationFacts {
  /** The target account is the administrator's own. */
  readonly isSelf: boolean;
  /** The account is the only active administrator. */
  readonly isLastAdministrator: boolean;
  readonly isDeactivated: boolean;
  /** Number of active deployments (`ACTIVE_DEPLOYMENT`). */
  readonly active: number;
  /** The regular balance. */
  readonly regular: Money;
  readonly name: string;
}

/** Smallest amount that can be paid out. */
const CENT = Money.ofCents(1);

/**
 * Returns whether a balance prevents deactivation. Less than a cent does not, because it cannot be paid out. It stays
 * in the regular balance, where the ledger accounts for it, and is available again if the account is reactivated.
 */
export const blocksDeactivation = (regular: Money): boolean => regular.isAtLeast(CENT);

/** Returns why an administrator cannot deactivate an account, or null if they can (decision 19). */
export function refusalToDeactivate({
  isSelf,
  isLastAdministrator,
  isDeactivated,
  active: count,
  regular,
  name,
}: DeactivationFacts): Message | null {
  if (isSelf) return USERS_MESSAGES.deactivate_self;
  if (isDeactivated) return USERS_MESSAGES.deactivated_already;
  if (isLastAdministrator) return USERS_MESSAGES.admin_last;
  const balance = `$${regular.toDisplay('balance')}`;
  if (count > 0 && blocksDeactivation(regular)) return USERS_MESSAGES.deactivate_both({ name, count, balance });
  if (count > 0) return USERS_MESSAGES.deactivate_deployments({ name, count });
  return blocksDeactivation(regular) ? USERS_MESSAGES.deactivate_balance({ name, balance }) : null;
}
