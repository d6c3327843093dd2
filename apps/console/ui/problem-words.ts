import {
  checkUsername,
  EMAIL_MALFORMED,
  LOGIN_PASSWORD_TOO_SHORT,
  PASSWORD_TOO_LONG,
  PASSWORD_TOO_SHORT,
  PASSWORDS_DIFFER,
  USERNAME_LENGTH_MAX,
} from '@moorage/domain';
import { ApiError } from '../data/api';
import { currentLocale, type PublicTextKey } from '../texts/locale';
import type { Params } from '../texts/translate';
import { duration } from './dates';

export type Say = (key: PublicTextKey, params?: Params) => string;

/** The rules' sentences by the key under which they exist in every language; names by what the rule says to an example. */
const PROBLEMS = new Map<string | null, PublicTextKey>([
  [checkUsername(''), 'problems.username_missing'],
  [checkUsername('a'.repeat(USERNAME_LENGTH_MAX + 1)), 'problems.username_long'],
  [checkUsername('-'), 'problems.username_letters'],
  [checkUsername('deactivated_'), 'problems.username_deactivated'],
  [EMAIL_MALFORMED, 'problems.email_malformed'],
  [PASSWORD_TOO_SHORT, 'problems.password_short'],
  [PASSWORD_TOO_LONG, 'problems.password_long'],
  [PASSWORDS_DIFFER, 'problems.passwords_differ'],
  [LOGIN_PASSWORD_TOO_SHORT, 'problems.login_password_short'],
]);

/** What a rule says about a field, in the page's language. */
export function problemText(t: Say, sentence: string | null): string | null {
  const key = PROBLEMS.get(sentence);
  return key === undefined ? sentence : t(key);
}

const REFUSALS = [
  'NETWORK',
  'CREDENTIALS_WRONG',
  'ACCOUNT_EXISTS',
  'TOKEN_INVALID',
  'PACE_EXCEEDED',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_ERROR',
] as const;

/** What went wrong: the api's own sentence, which is English; in another language ours for the same code where we have one. */
export function refusalText(t: Say, error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  const code = REFUSALS.find((known) => known === error.code);
  if (currentLocale() === 'en' || code === undefined) return error.message;
  return t(`refusals.${code}`, { wait: duration((error.retryAfterS ?? 60) * 1_000) });
}
