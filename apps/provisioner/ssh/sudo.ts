import { type Message, SERVER_CHECK_MESSAGES } from '@moorage/domain';
import { SshError, type SshTarget } from './types';

/** Error messages of sudo, each with what the owner can change. The first that matches applies. */
const REASONS: readonly (readonly [words: RegExp, remedy: (user: string) => Message])[] = [
  [/must have a tty/, (user) => SERVER_CHECK_MESSAGES.sudo_tty({ user })],
  [/not found|No such file/, () => SERVER_CHECK_MESSAGES.sudo_missing],
  [/not in the sudoers|not allowed|may not run/, (user) => SERVER_CHECK_MESSAGES.sudo_not_allowed({ user })],
  [/incorrect password|try again/, (user) => SERVER_CHECK_MESSAGES.sudo_password_wrong({ user })],
];

/** Returns the error for a user who cannot become root. sudo prints no password. */
export function sudoFailure(errors: string, { user, sudoPassword = null }: SshTarget): SshError {
  const [, remedy] = REASONS.find(([words]) => words.test(errors)) ?? [];
  const otherwise =
    sudoPassword === null
      ? SERVER_CHECK_MESSAGES.sudo_password_needed({ user })
      : SERVER_CHECK_MESSAGES.sudo_password_wrong({ user });
  return new SshError('no_sudo', errors.slice(0, 300), null, remedy?.(user) ?? otherwise);
}
