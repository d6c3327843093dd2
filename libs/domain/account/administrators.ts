import type { Message } from '../messages/message';
import { USERS_MESSAGES } from '../messages/users';

export interface RoleFacts {
  /** The target account is the administrator's own. */
  readonly isSelf: boolean;
  readonly isDeactivated: boolean;
  /** The account is the only active administrator. */
  readonly isLastAdministrator: boolean;
}

/** Returns why an account cannot be promoted to administrator, or null if it can. */
export function refusalToPromote({ isSelf, isDeactivated }: RoleFacts): Message | null {
  if (isSelf) return USERS_MESSAGES.admin_self;
  return isDeactivated ? USERS_MESSAGES.admin_deactivated : null;
}

/** Returns why the administrator role cannot be removed from an account, or null if it can. */
export function refusalToDemote({ isSelf, isDeactivated, isLastAdministrator }: RoleFacts): Message | null {
  if (isSelf) return USERS_MESSAGES.admin_self;
  if (isDeactivated) return USERS_MESSAGES.deactivated_already;
  return isLastAdministrator ? USERS_MESSAGES.admin_last : null;
}
