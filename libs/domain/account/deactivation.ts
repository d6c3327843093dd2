import type { Message } from '../messages/message';
import { USERS_MESSAGES } from '../messages/users';
import type { Money } from '../money';

export interface DeactivationFacts {
  /** An administrator asks about the own account. */
  readonly isSelf: boolean;
  /** Nobody else is an administrator whose account is active. */
  readonly isLastAdministrator: boolean;
  readonly isDeactivated: boolean;
  /** Active deployments (`ACTIVE_DEPLOYMENT`). */
  readonly active: number;
  /** The regular balance. */
  readonly regular: Money;
  readonly name: string;
}

/** Why an administrator cannot deactivate an account, or null (decision 19). */
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
  if (count > 0 && regular.isPositive) return USERS_MESSAGES.deactivate_both({ name, count, balance });
  if (count > 0) return USERS_MESSAGES.deactivate_deployments({ name, count });
  return regular.isPositive ? USERS_MESSAGES.deactivate_balance({ name, balance }) : null;
}
