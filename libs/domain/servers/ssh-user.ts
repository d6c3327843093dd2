import { type Message } from '../messages/message';
import { SERVER_CHECK_MESSAGES } from '../messages/server-check';

/** User as whom we log in to a server unless another one is chosen. */
export const ROOT_USER = 'root';
export const SSH_USER_LENGTH_MAX = 32;
export const SUDO_PASSWORD_LENGTH_MAX = 256;

const USER = /^[A-Za-z_][A-Za-z0-9._-]{0,31}$/;

/** Returns why this cannot be a user on a customer's server, or null. */
export function checkSshUser(user: string): Message | null {
  return USER.test(user) ? null : SERVER_CHECK_MESSAGES.user_name({ most: SSH_USER_LENGTH_MAX });
}

/**
 * Returns why this cannot be a password for sudo, or null. sudo reads it as a single line, before the line break that
 * ends it.
 */
export function checkSudoPassword(password: string): Message | null {
  const isOneLine = ![...password].some((character) => character < ' ' || character === '\u007F');
  return isOneLine && password !== '' && password.length <= SUDO_PASSWORD_LENGTH_MAX
    ? null
    : SERVER_CHECK_MESSAGES.sudo_password_line({ most: SUDO_PASSWORD_LENGTH_MAX });
}
