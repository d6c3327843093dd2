import type { Message } from '../messages/message';
import { USERS_MESSAGES } from '../messages/users';

export interface RoleFacts {
  /** An administrator asks about the own account. */
  readonly isSelf: boolean;
  readonly isDeactivated: boolean;
  /** Nobody else is an administrator whose account is active. */
  readonly isLastAdministrator: boolean;
}

/** Why an account cannot be made an administrator, or null. */
export function refusalToPromote({ isSelf, isDeactivated }: RoleFacts): Message | null {
  if (isSelf) return USERS_MESSAGES.admin_self;
  return isDeactivated ? USERS_MESSAGES.admin_deactivated : null;
}

/** Why the administrator role cannot be taken from an account, or null. */
export function refusalToDemote({ isSelf, isDeactivated, isLastAdministrator }: RoleFacts): Message | null {
  if (isSelf) return USERS_MESSAGES.admin_self;
  if (isDeactivated) return USERS_MESSAGES.deactivated_already;
  return isLastAdministrator ? USERS_MESSAGES.admin_last : null;
}
