import { asciiDomain } from '../domain-name';
import { isDomainName } from '../text';
import { ACCOUNT_MESSAGES } from '../messages/account';
import type { Message } from '../messages/message';

export const EMAIL_LENGTH_MAX = 254;
export const EMAIL_MALFORMED = ACCOUNT_MESSAGES.email_malformed;

const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/**
 * Returns why a text is not a valid email address, or null if it is. Quoted local parts and address literals are
 * rejected. The domain may contain non-ASCII letters.
 */
export function checkEmail(email: string): Message | null {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  const domain = email.slice(at + 1);
  const host = asciiDomain(domain);
  const right =
    at > 0 &&
    email.length <= EMAIL_LENGTH_MAX &&
    local.length <= 64 &&
    LOCAL_PART.test(local) &&
    isDomainName(host) &&
    domain.trim() === domain;
  return right ? null : EMAIL_MALFORMED;
}

/** Providers that deliver `a.b+c@` to `ab@`. */
const DOTS_IGNORED = ['gmail.com', 'googlemail.com'];
const TAGS_IGNORED = [
  ...DOTS_IGNORED,
  'outlook.com',
  'hotmail.com',
  'live.com',
  'icloud.com',
  'me.com',
  'fastmail.com',
  'protonmail.com',
  'proton.me',
  'pm.me',
];

/**
 * Reduces an email address to one spelling per mailbox where the provider's rules are known. Used to detect a second
 * signup credit for the same mailbox.
 */
export function normaliseEmail(email: string): string {
  const at = email.lastIndexOf('@');
  let local = email.slice(0, at).toLowerCase();
  let host = email.slice(at + 1).toLowerCase();
  if (host === 'googlemail.com') host = 'gmail.com';
  if (TAGS_IGNORED.includes(host)) local = local.split('+')[0] ?? local;
  if (DOTS_IGNORED.includes(host)) local = local.replaceAll('.', '');
  return `${local}@${host}`;
}
