import type { Message } from '../messages/message';
import { USERS_MESSAGES } from '../messages/users';

/**
 * Returns why an administrator may not change this account's balance, or null if they may. Administrators cannot change
 * their own wallet.
 */
export function refusalToMoveMoney({ isSelf }: { readonly isSelf: boolean }): Message | null {
  return isSelf ? USERS_MESSAGES.money_self : null;
}
