import type { AdminUserAnswer, DeploymentAnswer } from '@moorage/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from './api';

const FOUND_MAX = 6;

/** Results from the server and their search term. */
export interface Found {
  readonly term: string;
  readonly deployments: readonly DeploymentAnswer[];
  readonly users: readonly AdminUserAnswer[];
}

interface Question {
  readonly term: string;
  /** ID of a deployment if the term is one, or null. */
  readonly number: number | null;
  /** Also search users. */
  readonly isAdmin: boolean;
}

/** Searches deployments and, for administrators, users. The results arrive together, so that none moves another. */
export function useFound(question: Question, { enabled }: { enabled: boolean }) {
  return useQuery({
    // Begins with `deployments`, so that live hints reload it.
    queryKey: ['deployments', 'search', question],
    queryFn: ({ signal }) => find(question, signal),
    enabled,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
}

async function find({ term, number, isAdmin }: Question, signal: AbortSignal): Promise<Found> {
  const words = number === null ? term : String(number);
  const deployments = (query: { id: number } | { search: string }) =>
    api('GET /deployments', { query: { ...query, page: 1, per_page: FOUND_MAX }, signal });
  const [byNumber, byText, users] = await Promise.all([
    number === null ? [] : deployments({ id: number }),
    deployments({ search: words }),
    isAdmin ? api('GET /users', { query: { search: words, page: 1, per_page: 10 }, signal }) : [],
  ]);
  return {
    term,
    deployments: [...byNumber, ...byText.filter(({ id }) => id !== number)].slice(0, FOUND_MAX),
    users: users.slice(0, FOUND_MAX),
  };
}
