import { asciiDomain } from '../domain-name';
import { isDomainName } from '../text';
import { ACCOUNT_MESSAGES } from '../messages/account';
import type { Message } from '../messages/message';

export const EMAIL_LENGTH_MAX = 254;
export const EMAIL_MALFORMED = ACCOUNT_MESSAGES.email_malformed;

const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/** The sentence why it is no email address, or null. Quoted local parts and address literals are not taken. The domain may be written in letters beyond ASCII. */
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

/** Hosts that deliver `a.b+c@` to `ab@`. */
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

/** One spelling per mailbox where the host's rules are known: tells one person's second signup credit from the first. */
export function normaliseEmail(email: string): string {
  const at = email.lastIndexOf('@');
  let local = email.slice(0, at).toLowerCase();
  let host = email.slice(at + 1).toLowerCase();
  if (host === 'googlemail.com') host = 'gmail.com';
  if (TAGS_IGNORED.includes(host)) local = local.split('+')[0] ?? local;
  if (DOTS_IGNORED.includes(host)) local = local.replaceAll('.', '');
  return `${local}@${host}`;
}
