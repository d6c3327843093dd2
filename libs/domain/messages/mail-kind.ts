import type { MailKind } from '../account/mail-kinds';
import { messageTable } from './message';

/** What the kinds of mails are called. */
export const MAIL_KIND_MESSAGES = messageTable('mail_kind', {
  security: 'Security: logins, passwords, changes of your account',
  money: 'Money: payments, balance, credits',
  support: 'Answers of the support',
  deployment_ready: 'A deployment is ready',
  deployment_trouble: 'A deployment needs you or has failed',
  getting_started: 'Getting started',
} as const satisfies Readonly<Record<MailKind, string>>);
