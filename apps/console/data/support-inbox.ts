import type { InboxConversation, InboxList } from '@moorage/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './api';
import { sendOnce } from './request-key';

const keyOf = (...part: readonly unknown[]) => ['support', 'inbox', ...part] as const;

/** Due and overdue states change with time alone. */
const REFRESH_MS = 60_000;

export type InboxQuery = Omit<InboxList, 'level'> & { level?: '1' | '2' | '3' | undefined };

export function useInbox(query: InboxQuery) {
  return useQuery({
    queryKey: keyOf('list', query),
    queryFn: ({ signal }) => api('GET /support/admin/conversations', { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

export function useInboxCounts() {
  return useQuery({
    queryKey: keyOf('counts'),
    queryFn: ({ signal }) => api('GET /support/admin/counts', { signal }),
  });
}

export function useSupportStaff() {
  return useQuery({
    queryKey: keyOf('staff'),
    queryFn: ({ signal }) => api('GET /support/admin/staff', { signal }),
  });
}

const conversationKey = (id: number) => keyOf('conversation', id);

export function useInboxConversation(id: number) {
  return useQuery({
    queryKey: conversationKey(id),
    queryFn: ({ signal }) => api('GET /support/admin/conversations/{id}', { params: { id }, signal }),
    refetchInterval: REFRESH_MS,
  });
}

function useAct<Input = void>(id: number, act: (input: Input) => Promise<InboxConversation>) {
  const client = useQueryClient();
  // A refusal also means that the data shown is stale.
  return useMutation({
    mutationFn: act,
    onSuccess: (conversation) => client.setQueryData<InboxConversation>(conversationKey(id), conversation),
    onSettled: () => void client.invalidateQueries({ queryKey: ['support'] }),
  });
}

export const useAnswer = (id: number) =>
  useAct(id, (message: string) =>
    sendOnce({ target: `answer ${id}`, content: message }, (idempotencyKey) =>
      api('POST /support/admin/conversations/{id}/answers', { params: { id }, body: { message }, idempotencyKey }),
    ),
  );

export const useNote = (id: number) =>
  useAct(id, (message: string) =>
    sendOnce({ target: `note ${id}`, content: message }, (idempotencyKey) =>
      api('POST /support/admin/conversations/{id}/notes', { params: { id }, body: { message }, idempotencyKey }),
    ),
  );

export const useAssign = (id: number) =>
  useAct(id, (user_id: number | null) =>
    api('PUT /support/admin/conversations/{id}/assignee', { params: { id }, body: { user_id } }),
  );

export const useCloseConversation = (id: number) =>
  useAct(id, () => api('POST /support/admin/conversations/{id}/close', { params: { id } }));
