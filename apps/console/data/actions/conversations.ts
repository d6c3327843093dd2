import type { InboxConversation } from '@moorage/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { action } from '../action';

/** Shows the conversation as react-admin's record. */
function show(client: QueryClient, conversation: InboxConversation): void {
  client.setQueryData(['conversations', 'getOne', { id: String(conversation.id) }], conversation);
}

const common = { apply: show, changes: ['support'] } as const;

/** Actions of administrators on conversations with customers and visitors. */
export const CONVERSATIONS = {
  answer: action('POST /support/admin/conversations/{id}/answers', {
    ...common,
    once: ({ params }) => ({ target: `answer ${params.id}` }),
  }),
  note: action('POST /support/admin/conversations/{id}/notes', {
    ...common,
    once: ({ params }) => ({ target: `note ${params.id}` }),
  }),
  assign: action('PUT /support/admin/conversations/{id}/assignee', common),
  close: action('POST /support/admin/conversations/{id}/close', common),
} as const;
