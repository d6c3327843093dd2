import type { Message } from '../messages/message';
import { USERS_MESSAGES } from '../messages/users';

interface ImpersonatedAccount {
  readonly isSelf: boolean;
  readonly isAdmin: boolean;
  readonly isDeactivated: boolean;
}

/**
 * Returns why an administrator may not impersonate this account, or null if they may. Administrator accounts are
 * excluded, because their console gives access to all accounts.
 */
export function refusalToImpersonate({ isSelf, isAdmin, isDeactivated }: ImpersonatedAccount): Message | null {
  if (isSelf) return USERS_MESSAGES.view_self;
  if (isAdmin) return USERS_MESSAGES.view_administrator;
  return isDeactivated ? USERS_MESSAGES.view_deactivated : null;
}
