import { DEPLOYMENT_STATUSES, PROGRESS_STATES, PROGRESS_STEPS, SUPPORT_MESSAGES } from '@moorage/domain';
import { z } from 'zod';
import { idParams } from './account-fields';
import type { Call } from './call';
import { supportLevel } from './fields';
import { issueText, message } from './message';
import { numberedPages, pageNumber } from './numbered-pages';
import { paragraphs } from './paragraphs';

const instant = z.iso.datetime();

/** `open`: waits for the support; `answered`: waits for the person, if for anybody; `closed`: a reply opens it again. */
export const CONVERSATION_STATES = ['open', 'answered', 'closed'] as const;
export type ConversationState = (typeof CONVERSATION_STATES)[number];

export const CONVERSATION_KINDS = ['contact', 'package'] as const;
export type ConversationKind = (typeof CONVERSATION_KINDS)[number];

const brief = {
  id: z.int(),
  kind: z.enum(CONVERSATION_KINDS),
  /** Of a request for a package: its name. */
  subject: z.string(),
  state: z.enum(CONVERSATION_STATES),
  created_at: instant,
  /** When somebody last wrote in it, or closed it. */
  last_at: instant,
  /** By when an answer is promised; null: nobody waits for one, or the level promises none. */
  due_at: instant.nullable(),
  /** What it is about, by the name it had then. */
  deployment: z.object({ id: z.int(), client_name: z.string() }).nullable(),
};

export const conversationBrief = z.object(brief).meta({ id: 'ConversationBrief' });
export type ConversationBrief = z.infer<typeof conversationBrief>;

/** What was said, or done with the conversation. */
const entry = z
  .object({
    /** 0: the message that began it. */
    id: z.int(),
    by: z.enum(['person', 'support']),
    what: z.enum(['message', 'closed']),
    /** Empty where nothing was said. */
    message: z.string(),
    at: instant,
  })
  .meta({ id: 'ConversationEntry' });
export type ConversationEntry = z.infer<typeof entry>;

export const conversation = z
  .object({
    ...brief,
    /** Answers are mailed to it. */
    email: z.string(),
    entries: z.array(entry),
    /** It takes no more: what is still to be said begins another. */
    is_full: z.boolean(),
  })
  .meta({ id: 'Conversation' });
export type ConversationAnswer = z.infer<typeof conversation>;

/** A deployment as it was when somebody wrote about it: no secret, and no value of its environment. */
export const supportContext = z
  .object({
    client_name: z.string(),
    package: z.string(),
    server_type: z.enum(['new', 'vps']),
    cloud_provider: z.string().nullable(),
    region: z.string().nullable(),
    instance_type: z.string().nullable(),
    support_level: supportLevel,
    domain: z.string().nullable(),
    status: z.enum(DEPLOYMENT_STATUSES),
    failure: message.nullable(),
    created_at: instant,
    steps: z.array(
      z.object({
        name: z.enum(PROGRESS_STEPS),
        part: z.enum(['run', 'cleanup']),
        state: z.enum(PROGRESS_STATES),
        started_at: instant.nullable(),
        ended_at: instant.nullable(),
        message: message.nullable(),
        attempts: z.int(),
      }),
    ),
    /** When it was so. */
    at: instant,
  })
  .meta({ id: 'SupportContext' });
export type SupportContext = z.infer<typeof supportContext>;

const desk = z
  .object({
    /** The highest level of what the account runs. */
    level: supportLevel,
    /** Within how many hours a message is answered; null: no time is promised. */
    answered_within_hours: z.int().nullable(),
    /** Hours of days on which nobody works do not count. */
    counts_working_days_only: z.boolean(),
    /** When somebody is there, as `Mon-Fri 09:00-17:00`, and in which time zone. */
    hours: z.string(),
    time_zone: z.string(),
    /** For level 3 only, where the installation has one. */
    phone: z.string().nullable(),
    success_manager: z.object({ name: z.string(), email: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'SupportDesk' });
export type SupportDesk = z.infer<typeof desk>;

const MISSING = issueText(SUPPORT_MESSAGES.reply_missing);
export const supportReply = z.object({
  message: z.string(MISSING).pipe(paragraphs(5_000)).pipe(z.string().min(1, MISSING)),
});

/** From a mail to somebody without an account. */
const conversationToken = z
  .string(issueText(SUPPORT_MESSAGES.link_unknown))
  .regex(/^[a-z0-9-]{1,20}\.[A-Za-z0-9_-]{20,200}$/, issueText(SUPPORT_MESSAGES.link_unknown));

export const CONVERSATIONS_CALLS = {
  desk: {
    operation: 'getSupportDesk',
    method: 'GET',
    path: '/support/desk',
    summary: 'Get your support contact details',
    description: 'Response times and contact details of your support level.',
    access: 'user',
    status: 200,
    answer: desk,
    errors: [],
  },
  list: {
    operation: 'listConversations',
    method: 'GET',
    path: '/support/conversations',
    summary: 'List your support conversations',
    description: 'Most recent message first.',
    access: 'user',
    query: z.object({ page: pageNumber }),
    status: 200,
    answer: z.object({ conversations: z.array(conversationBrief), ...numberedPages }).meta({ id: 'ConversationPage' }),
    errors: ['FIELDS_INVALID'],
  },
  read: {
    operation: 'getConversation',
    method: 'GET',
    path: '/support/conversations/{id}',
    summary: 'Get a support conversation',
    description: 'Oldest message first.',
    access: 'user',
    params: idParams,
    status: 200,
    answer: conversation,
    errors: ['NOT_FOUND'],
  },
  reply: {
    operation: 'replyToConversation',
    method: 'POST',
    path: '/support/conversations/{id}/messages',
    summary: 'Reply in a support conversation',
    description: 'Reopens a closed conversation.',
    access: 'user',
    params: idParams,
    body: supportReply,
    idempotency_key: true,
    status: 201,
    answer: conversation,
    errors: ['NOT_FOUND', 'CONVERSATION_STATE'],
    limit: 'support_reply',
  },
  close: {
    operation: 'closeConversation',
    method: 'POST',
    path: '/support/conversations/{id}/close',
    summary: 'Close a support conversation',
    description: 'Has no effect on a closed conversation.',
    access: 'user',
    params: idParams,
    status: 200,
    answer: conversation,
    errors: ['NOT_FOUND'],
  },
  // the token is in the body: addresses are logged
  visit: {
    operation: 'getConversationByLink',
    method: 'POST',
    path: '/support/visits',
    summary: 'Get a conversation by its email link',
    access: 'public',
    body: z.object({ token: conversationToken }),
    status: 200,
    answer: conversation,
    errors: ['NOT_FOUND'],
    limit: 'link_token',
  },
  visitorReply: {
    operation: 'replyByLink',
    method: 'POST',
    path: '/support/visits/messages',
    summary: 'Reply to a conversation by its email link',
    description: 'Reopens a closed conversation.',
    access: 'public',
    body: supportReply.extend({ token: conversationToken }),
    idempotency_key: true,
    status: 201,
    answer: conversation,
    errors: ['NOT_FOUND', 'CONVERSATION_STATE'],
    limit: 'support_reply',
  },
} as const satisfies Record<string, Call>;
