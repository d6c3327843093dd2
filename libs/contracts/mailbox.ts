import { z } from 'zod';
import { idParams } from './account-fields';
import type { Call } from './call';

const mail = z.object({
  id: z.int(),
  to: z.string(),
  subject: z.string(),
  created_at: z.iso.datetime(),
});

/** Calls that exist only if emails are written to files instead of being sent, so that recipients can read them. */
export const MAILBOX_CALLS = {
  list: {
    operation: 'listMailbox',
    method: 'GET',
    path: '/mailbox',
    summary: 'List the newest emails in the mailbox',
    description: 'Only on an installation that sends no email. Administrators see all emails.',
    access: 'user',
    // Emails contain links that change the account.
    session_only: true,
    status: 200,
    answer: z.array(mail),
    errors: [],
    limit: 'mailbox',
  },
  read: {
    operation: 'getMailboxEmail',
    method: 'GET',
    path: '/mailbox/{id}',
    summary: 'Get an email as text and HTML',
    access: 'user',
    session_only: true,
    params: idParams,
    status: 200,
    answer: mail.extend({ text: z.string(), html: z.string() }),
    errors: ['NOT_FOUND'],
    limit: 'mailbox',
  },
} as const satisfies Record<string, Call>;
