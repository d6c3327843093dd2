import type { ConversationAnswer } from '@moorage/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { action } from '../action';
import { readKey } from '../use-read';

/** A conversation of the user with support. */
export const OWN_CONVERSATION = 'GET /support/conversations/{id}';

const apply = (client: QueryClient, conversation: ConversationAnswer): void => {
  client.setQueryData(readKey('support', OWN_CONVERSATION, { params: { id: conversation.id } }), conversation);
};

/** Messages of users to the staff. */
export const SUPPORT = {
  /** Sent only once, because repeated attempts have the same key until one is accepted. */
  reply: action('POST /support/conversations/{id}/messages', {
    once: ({ params }) => ({ target: `reply ${params.id}` }),
    apply,
  }),
  close: action('POST /support/conversations/{id}/close', { apply }),
  /** Requests a package that is not in the catalogue. */
  requestPackage: action('POST /deployments/package-request'),
} as const;
