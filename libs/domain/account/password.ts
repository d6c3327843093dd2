import { ACCOUNT_MESSAGES } from '../messages/account';
import type { Message } from '../messages/message';

export const PASSWORD_LENGTH_MIN = 6;
/** Longest password accepted. Longer passwords are rejected before hashing, to limit the cost of hashing. */
export const PASSWORD_LENGTH_MAX = 200;

export const PASSWORD_TOO_LONG = ACCOUNT_MESSAGES.password_long;
export const PASSWORDS_DIFFER = ACCOUNT_MESSAGES.passwords_differ;

/**
 * Returns why a new password is rejected, or null if it is accepted. `confirmation` is passed only by forms with a
 * second password field.
 */
export function checkNewPassword(password: string, confirmation?: string): Message | null {
  if (confirmation !== undefined && confirmation !== password) return PASSWORDS_DIFFER;
  if ([...password].length < PASSWORD_LENGTH_MIN) return ACCOUNT_MESSAGES.password_short;
  return [...password].length > PASSWORD_LENGTH_MAX ? PASSWORD_TOO_LONG : null;
}

export interface PasswordContext {
  readonly username: string;
  readonly email: string;
  /** Name of the installation. */
  readonly brand: string;
  /** Common passwords in lower case. */
  readonly common: ReadonlySet<string>;
}

/** Returns why a new password is among an attacker's first guesses, or null. The comparison ignores case. */
export function checkGuessable(password: string, { username, email, brand, common }: PasswordContext): Message | null {
  const guess = password.toLowerCase();
  if (common.has(guess)) return ACCOUNT_MESSAGES.password_common;
  const personal = [username, email, email.slice(0, email.lastIndexOf('@')), brand].map((word) => word.toLowerCase());
  return personal.includes(guess) ? ACCOUNT_MESSAGES.password_personal({ brand }) : null;
}

/**
 * Returns an error if the text is too short to be any user's password, so that the login form need not call the server
 * (decision 14).
 */
export function checkLoginPassword(password: string): Message | null {
  return [...password].length < PASSWORD_LENGTH_MIN ? ACCOUNT_MESSAGES.login_password_short : null;
}

/** Rates a password from 0 (weak) to 4 (strong). The rating is advice on screen and never rejects a password. */
export function passwordStrength(password: string): 0 | 1 | 2 | 3 | 4 {
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z0-9]/].filter((kind) => kind.test(password)).length;
  const varied = new Set(password).size >= 5;
  const length = [...password].length;
  if (length < PASSWORD_LENGTH_MIN || !varied) return 0;
  if (length >= 16 && classes >= 2) return 4;
  if (length >= 12 && classes >= 3) return 4;
  if (length >= 12 || (length >= 10 && classes >= 3)) return 3;
  return length >= 8 && classes >= 2 ? 2 : 1;
}
