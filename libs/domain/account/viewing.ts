import type { Message } from '../messages/message';
import { USERS_MESSAGES } from '../messages/users';

interface Viewed {
  readonly isSelf: boolean;
  readonly isAdmin: boolean;
  readonly isDeactivated: boolean;
}

/**
 * Why an administrator may not see the console as this account, or null. An administrator's console shows everybody's
 * accounts: a view of it would be a view of all of them.
 */
export function refusalToView({ isSelf, isAdmin, isDeactivated }: Viewed): Message | null {
  if (isSelf) return USERS_MESSAGES.view_self;
  if (isAdmin) return USERS_MESSAGES.view_administrator;
  return isDeactivated ? USERS_MESSAGES.view_deactivated : null;
}
