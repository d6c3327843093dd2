import { USERS_MESSAGES } from '@moorage/domain';
import { useImpersonation } from '../data/session';
import { messageText } from '../texts/locale';

/** Returns why nothing can be changed while an administrator views the account, or null if it can. */
export function useViewLock(): string | null {
  return useImpersonation() === null ? null : messageText(USERS_MESSAGES.view_reads);
}
