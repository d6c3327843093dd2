import { CONSTANTS } from '@moorage/domain';
import { z } from 'zod';
import { idParams, line } from './account-fields';
import type { Call } from './call';
import {
  CONVERSATION_KINDS,
  CONVERSATION_STATES,
  conversationBrief,
  supportContext,
  supportReply,
} from './conversations';
import { queryNumber, supportLevel } from './fields';
import { numberedPages, pageNumber } from './numbered-pages';

const instant = z.iso.datetime();
const staff = z.object({ id: z.int(), username: z.string() }).meta({ id: 'SupportStaff' });
export type SupportStaff = z.infer<typeof staff>;

const inboxRow = conversationBrief
  .extend({
    name: z.string(),
    email: z.string(),
    /** Author's account, or null for a visitor. */
    account: z.object({ id: z.int(), username: z.string(), is_deactivated: z.boolean() }).nullable(),
    /** Level of the deployment concerned, otherwise the account's highest level. */
    level: supportLevel,
    assignee: staff.nullable(),
    /** Time since which the author has been waiting for a reply, or null if no reply is expected. */
    waiting_since: instant.nullable(),
    /** `due_at` is near, and the warning has been or is about to be sent. */
    is_due_soon: z.boolean(),
    is_overdue: z.boolean(),
  })
  .meta({ id: 'InboxRow' });
export type InboxRow = z.infer<typeof inboxRow>;

const inboxEntry = z
  .object({
    /** 0 for the first message. */
    id: z.int(),
    by: z.enum(['person', 'support']),
    /** `note` is visible to administrators only. */
    what: z.enum(['message', 'note', 'closed']),
    /** Administrator who wrote the entry, or null for the user. */
    author: staff.nullable(),
    message: z.string(),
    at: instant,
  })
  .meta({ id: 'InboxEntry' });
export type InboxEntry = z.infer<typeof inboxEntry>;

const inboxConversation = inboxRow
  .extend({
    ip_address: z.string().nullable(),
    /** Snapshot of the deployment at the time of the message. */
    context: supportContext.nullable(),
    entries: z.array(inboxEntry),
    is_full: z.boolean(),
  })
  .meta({ id: 'InboxConversation' });
export type InboxConversation = z.infer<typeof inboxConversation>;

export const inboxList = z.object({
  state: z.enum(CONVERSATION_STATES).default('open'),
  kind: z.enum(CONVERSATION_KINDS).optional(),
  level: z
    .enum(['1', '2', '3'])
    .transform((text) => Number(text) as 1 | 2 | 3)
    .optional(),
  assigned_to: z.enum(['me', 'nobody']).optional(),
  /** Limits the list to an account. */
  user_id: queryNumber(1, 999_999_999).optional(),
  /** Part of a subject, a name or an address. */
  search: line(CONSTANTS.searchLengthMax).optional(),
  page: pageNumber,
});
export type InboxList = z.infer<typeof inboxList>;

const waiting = z
  .object({
    open: z.int(),
    unassigned: z.int(),
    mine: z.int(),
    due_soon: z.int(),
    overdue: z.int(),
  })
  .meta({ id: 'InboxCounts' });
export type InboxCounts = z.infer<typeof waiting>;

const one = { access: 'admin', params: idParams, status: 200, answer: inboxConversation } as const;

export const ADMIN_SUPPORT_CALLS = {
  list: {
    operation: 'listSupportInbox',
    method: 'GET',
    path: '/support/admin/conversations',
    summary: 'List the support inbox',
    description:
      'Support messages and package requests. Open conversations are sorted by urgency, others by most recent message.',
    access: 'admin',
    query: inboxList,
    status: 200,
    answer: z.object({ conversations: z.array(inboxRow), ...numberedPages }).meta({ id: 'InboxPage' }),
    errors: ['FIELDS_INVALID'],
  },
  counts: {
    operation: 'countSupportInbox',
    method: 'GET',
    path: '/support/admin/counts',
    summary: 'Count conversations awaiting a reply',
    access: 'admin',
    status: 200,
    answer: waiting,
    errors: [],
  },
  staff: {
    operation: 'listSupportStaff',
    method: 'GET',
    path: '/support/admin/staff',
    summary: 'List administrators for assignment',
    access: 'admin',
    status: 200,
    answer: z.array(staff),
    errors: [],
  },
  read: {
    operation: 'getInboxConversation',
    ...one,
    method: 'GET',
    path: '/support/admin/conversations/{id}',
    summary: 'Get a conversation with its notes and context',
    errors: ['NOT_FOUND'],
  },
  answer: {
    operation: 'answerConversation',
    ...one,
    method: 'POST',
    path: '/support/admin/conversations/{id}/answers',
    summary: 'Answer a conversation',
    description:
      'Emails the reply, assigns the conversation to you if it is unassigned, and reopens it if it is closed.',
    body: supportReply,
    idempotency_key: true,
    status: 201,
    errors: ['NOT_FOUND', 'CONVERSATION_STATE'],
  },
  note: {
    operation: 'addConversationNote',
    ...one,
    method: 'POST',
    path: '/support/admin/conversations/{id}/notes',
    summary: 'Add an internal note to a conversation',
    description: 'Visible to administrators only.',
    body: supportReply,
    idempotency_key: true,
    status: 201,
    errors: ['NOT_FOUND', 'CONVERSATION_STATE'],
  },
  assign: {
    operation: 'assignConversation',
    ...one,
    method: 'PUT',
    path: '/support/admin/conversations/{id}/assignee',
    summary: 'Assign a conversation',
    description: '`null` removes the assignment.',
    body: z.object({ user_id: z.int().positive().nullable() }),
    errors: ['NOT_FOUND'],
  },
  close: {
    operation: 'closeInboxConversation',
    ...one,
    method: 'POST',
    path: '/support/admin/conversations/{id}/close',
    summary: 'Close a conversation in the inbox',
    description: 'Has no effect on a closed conversation.',
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Call>;
