import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConversationAnswer } from '@moorage/contracts';
import { api } from './api';
import { sendOnce } from './request-key';

/** Query keys begin with the subject of a live hint (`keysOf`). */
const keys = {
  desk: ['support', 'desk'] as const,
  lists: ['support', 'list'] as const,
  conversation: (id: number) => ['support', 'conversation', id] as const,
};

/** Loads the support level of this account. */
export function useDesk() {
  return useQuery({ queryKey: keys.desk, queryFn: ({ signal }) => api('GET /support/desk', { signal }) });
}

/** Loads a page of the account's own conversations. */
export function useConversations(page: number) {
  return useQuery({
    queryKey: [...keys.lists, page],
    queryFn: ({ signal }) => api('GET /support/conversations', { query: { page }, signal }),
    placeholderData: (before) => before,
  });
}

export function useConversation(id: number) {
  return useQuery({
    queryKey: keys.conversation(id),
    queryFn: ({ signal }) => api('GET /support/conversations/{id}', { params: { id }, signal }),
  });
}

export function useReply(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (message: string) =>
      sendOnce({ target: `reply ${id}`, content: message }, (idempotencyKey) =>
        api('POST /support/conversations/{id}/messages', { params: { id }, body: { message }, idempotencyKey }),
      ),
    onSuccess: (answer) => show(client, answer),
  });
}

export function useCloseConversation(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('POST /support/conversations/{id}/close', { params: { id } }),
    onSuccess: (answer) => show(client, answer),
  });
}

function show(client: QueryClient, answer: ConversationAnswer): void {
  client.setQueryData(keys.conversation(answer.id), answer);
  void client.invalidateQueries({ queryKey: keys.lists });
}
