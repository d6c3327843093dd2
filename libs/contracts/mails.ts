import { ACCESS_MESSAGES } from '@moorage/domain';
import { z } from 'zod';
import type { Call } from './call';
import { issueText, sent } from './message';

const LINK_INCOMPLETE = issueText(ACCESS_MESSAGES.link_incomplete);

const TOKEN = /^[a-z0-9-]{1,20}\.[A-Za-z0-9_-]{20,200}$/;

export const MAILS_CALLS = {
  unsubscribePage: {
    operation: 'redirectToUnsubscribe',
    method: 'GET',
    path: '/mails/unsubscribe',
    summary: 'Redirect an unsubscribe link to its page',
    description: 'Returns 303 to the page that requests confirmation.',
    access: 'public',
    // The page itself reports an invalid token.
    query: z.object({ token: z.string().regex(TOKEN).optional().catch(undefined) }),
    without_client_key: true,
    status: 200,
    answer: null,
    errors: [],
  },
  unsubscribe: {
    operation: 'unsubscribe',
    method: 'POST',
    path: '/mails/unsubscribe',
    summary: 'Unsubscribe from a kind of email',
    description: 'Takes the token from the email. Mail programs send it with one click (RFC 8058).',
    access: 'public',
    query: z.object({
      token: z.string(LINK_INCOMPLETE).regex(TOKEN, LINK_INCOMPLETE),
    }),
    form: true,
    without_client_key: true,
    status: 200,
    answer: sent,
    errors: ['TOKEN_INVALID'],
    limit: 'link_token',
  },
} as const satisfies Record<string, Call>;
