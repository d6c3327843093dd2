import type { BillingDetailsAnswer, BillingDocumentAnswer } from '@moorage/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, fetchFile } from './api';

/** Query keys begin with the subject of a live hint. A payment changes the balance and has a receipt. */
const DOCUMENTS = ['billing', 'documents'] as const;
const STATEMENTS = ['billing', 'statements'] as const;
const DETAILS = ['account', 'billing-details'] as const;

export function useBillingDetails() {
  return useQuery({
    queryKey: DETAILS,
    queryFn: async ({ signal }) => (await api('GET /billing/details', { signal })).details,
  });
}

export function useSaveBillingDetails(): (details: BillingDetailsAnswer) => Promise<void> {
  const client = useQueryClient();
  return async (body) => {
    const { details } = await api('PUT /billing/details', { body });
    client.setQueryData(DETAILS, details);
  };
}

export const DOCUMENTS_PER_PAGE = 10;

/** Loads receipts, credit notes and statements, newest first. */
export function useDocuments(page: number) {
  return useQuery({
    queryKey: [...DOCUMENTS, page],
    queryFn: ({ signal }) => api('GET /billing/documents', { query: { page, per_page: DOCUMENTS_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Loads the months for which a statement is available, newest first. */
export function useStatementMonths() {
  return useQuery({ queryKey: STATEMENTS, queryFn: ({ signal }) => api('GET /billing/statements', { signal }) });
}

/** Issues a statement or returns the existing one, and adds it to the list. */
export function useStatement() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (month: string) => api('POST /billing/statements/{month}', { params: { month } }),
    onSettled: () =>
      Promise.all([DOCUMENTS, STATEMENTS].map((queryKey) => client.invalidateQueries({ queryKey: [...queryKey] }))),
  });
}

export const fetchDocument = ({ id }: Pick<BillingDocumentAnswer, 'id'>): Promise<Blob> =>
  fetchFile(`/billing/documents/${id}/pdf`);
