import type { MailKind } from '../account/mail-kinds';
import { messageTable } from './message';

/** Names of the email kinds. */
export const MAIL_KIND_MESSAGES = messageTable('mail_kind', {
  security: 'Security: logins, passwords, account changes',
  money: 'Billing: payments, balance, credits',
  support: 'Support replies',
  deployment_ready: 'Deployment ready',
  deployment_trouble: 'Deployment needs action or failed',
  deployment_updates: 'Updates of deployments',
  getting_started: 'Getting started',
} as const satisfies Readonly<Record<MailKind, string>>);
