import type { Message } from '../messages/message';
import { USERS_MESSAGES } from '../messages/users';

/** Why an administrator may not move this account's money, or null: nobody decides about their own wallet. */
export function refusalToMoveMoney({ isSelf }: { readonly isSelf: boolean }): Message | null {
  return isSelf ? USERS_MESSAGES.money_self : null;
}
