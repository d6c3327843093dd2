import { z } from 'zod';
import { idParams } from './account-fields';
import type { Call } from './call';

const mail = z.object({
  id: z.int(),
  to: z.string(),
  subject: z.string(),
  created_at: z.iso.datetime(),
});

/** Exists only where mail goes to files instead of people. */
export const MAILBOX_CALLS = {
  list: {
    method: 'GET',
    path: '/mailbox',
    summary: 'The newest mails of an installation that sends none',
    access: 'admin',
    status: 200,
    answer: z.array(mail),
    errors: [],
  },
  read: {
    method: 'GET',
    path: '/mailbox/{id}',
    summary: 'One of them, with its text',
    access: 'admin',
    params: idParams,
    status: 200,
    answer: mail.extend({ text: z.string() }),
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Call>;
