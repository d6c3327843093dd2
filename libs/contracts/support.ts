import { ACCOUNT_MESSAGES } from '@moorage/domain';
import { z } from 'zod';
import { email, line } from './account-fields';
import type { Call } from './call';
import { issueText, sent } from './message';
import { paragraphs } from './paragraphs';

const BOTH = issueText(ACCOUNT_MESSAGES.both_missing);

export const packageRequest = z.object({
  package_name: z.string(BOTH).pipe(line(100)).pipe(z.string().min(1, BOTH)),
  reason: z.string(BOTH).pipe(paragraphs(2_000)).pipe(z.string().min(1, BOTH)),
});
export type PackageRequest = z.output<typeof packageRequest>;

const NEEDED = {
  name: issueText(ACCOUNT_MESSAGES.name_missing),
  subject: issueText(ACCOUNT_MESSAGES.subject_missing),
  message: issueText(ACCOUNT_MESSAGES.message_missing),
};

export const supportMessage = z.object({
  name: z.string(NEEDED.name).pipe(line(100)).pipe(z.string().min(1, NEEDED.name)),
  email,
  subject: z.string(NEEDED.subject).pipe(line(150)).pipe(z.string().min(1, NEEDED.subject)),
  message: z.string(NEEDED.message).pipe(paragraphs(5_000)).pipe(z.string().min(1, NEEDED.message)),
  /** Deployment concerned, of the account that is logged in. A snapshot of its state is added to the message. */
  deployment_id: z.int().positive().nullish(),
});
export type SupportMessage = z.output<typeof supportMessage>;

export const creditRequest = z.object({
  email: z.string(BOTH).trim().min(1, BOTH).pipe(email),
  reason: z.string(BOTH).pipe(paragraphs(2_000)).pipe(z.string().min(1, BOTH)),
});
export type NewCreditRequest = z.output<typeof creditRequest>;

/** `conversation_id` is the conversation in the account. Null for visitors, who receive the reply by email only. */
const begun = sent.extend({ conversation_id: z.int().nullable() }).meta({ id: 'ConversationBegun' });
export type ConversationBegun = z.infer<typeof begun>;

export const SUPPORT_CALLS = {
  packageRequest: {
    operation: 'requestPackage',
    method: 'POST',
    path: '/deployments/package-request',
    summary: 'Request a new package',
    access: 'user',
    body: packageRequest,
    status: 201,
    answer: begun,
    errors: [],
    limit: 'package_request',
  },
  creditRequest: {
    operation: 'requestFreeCredits',
    method: 'POST',
    path: '/support/referral-request',
    summary: 'Request free credits',
    description:
      'An administrator decides within 24 hours, and the decision is sent by email. Another request from the same mailbox has no effect while one is pending.',
    access: 'public',
    optionalAuth: true,
    body: creditRequest,
    status: 201,
    answer: sent,
    errors: [],
    limit: 'credit_request',
  },
  contact: {
    operation: 'contactSupport',
    method: 'POST',
    path: '/support/contact',
    summary: 'Contact support',
    description: 'With a token, the message is linked to the user.',
    access: 'public',
    optionalAuth: true,
    body: supportMessage,
    status: 201,
    answer: begun,
    errors: ['NOT_FOUND'],
    limit: 'support_contact',
  },
} as const satisfies Record<string, Call>;
