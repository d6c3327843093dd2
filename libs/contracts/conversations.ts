import { DEPLOYMENT_STATUSES, PROGRESS_STATES, PROGRESS_STEPS, SUPPORT_MESSAGES } from '@moorage/domain';
import { z } from 'zod';
import { idParams } from './account-fields';
import type { Call } from './call';
import { CONVERSATION_EXAMPLE, SUPPORT_REPLY_EXAMPLE } from './examples';
import { supportLevel } from './fields';
import { issueText, message } from './message';
import { numberedPages, pageNumber } from './numbered-pages';
import { paragraphs } from './paragraphs';

const instant = z.iso.datetime();

/** `open` waits for support, `answered` waits for the user, if at all, and `closed` is reopened by a reply. */
export const CONVERSATION_STATES = ['open', 'answered', 'closed'] as const;
export type ConversationState = (typeof CONVERSATION_STATES)[number];

export const CONVERSATION_KINDS = ['contact', 'package'] as const;
export type ConversationKind = (typeof CONVERSATION_KINDS)[number];

const brief = {
  id: z.int(),
  kind: z.enum(CONVERSATION_KINDS),
  /** Package name for a package request. */
  subject: z.string(),
  state: z.enum(CONVERSATION_STATES),
  created_at: instant,
  /** Time of the last message, or of the closing. */
  last_at: instant,
  /** Deadline of the reply. Null if none is expected or the level promises none. */
  due_at: instant.nullable(),
  /** Deployment concerned, with its name at that time. */
  deployment: z.object({ id: z.int(), client_name: z.string() }).nullable(),
};

export const conversationBrief = z.object(brief).meta({ id: 'ConversationBrief' });
export type ConversationBrief = z.infer<typeof conversationBrief>;

/** A message, or the closing of the conversation. */
const entry = z
  .object({
    /** 0 for the first message. */
    id: z.int(),
    by: z.enum(['person', 'support']),
    what: z.enum(['message', 'closed']),
    /** Empty for an entry without text. */
    message: z.string(),
    at: instant,
  })
  .meta({ id: 'ConversationEntry' });
export type ConversationEntry = z.infer<typeof entry>;

export const conversation = z
  .object({
    ...brief,
    /** Address to which replies are emailed. */
    email: z.string(),
    entries: z.array(entry),
    /** The conversation accepts no more entries. Further messages require a new conversation. */
    is_full: z.boolean(),
  })
  .meta({ id: 'Conversation', examples: [CONVERSATION_EXAMPLE] });
export type ConversationAnswer = z.infer<typeof conversation>;

/** Snapshot of a deployment at the time of the message, without secrets and environment values. */
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
    /** Time of the snapshot. */
    at: instant,
  })
  .meta({ id: 'SupportContext' });
export type SupportContext = z.infer<typeof supportContext>;

const desk = z
  .object({
    /** Highest support level of the account's deployments. */
    level: supportLevel,
    /** Hours within which a message is answered, or null if no time is promised. */
    answered_within_hours: z.int().nullable(),
    /** Hours of days off do not count. */
    counts_working_days_only: z.boolean(),
    /** Support hours, such as `Mon-Fri 09:00-17:00`, and their time zone. */
    hours: z.string(),
    time_zone: z.string(),
    /** Phone number for level 3, if the installation has it. */
    phone: z.string().nullable(),
    success_manager: z.object({ name: z.string(), email: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'SupportDesk' });
export type SupportDesk = z.infer<typeof desk>;

const MISSING = issueText(SUPPORT_MESSAGES.reply_missing);
export const supportReply = z
  .object({
    message: z.string(MISSING).pipe(paragraphs(5_000)).pipe(z.string().min(1, MISSING)),
  })
  .meta({ examples: [SUPPORT_REPLY_EXAMPLE] });

/** Token from an email to a visitor without an account. */
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
  // The token is in the body, because URLs are logged.
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
