import { CONSTANTS } from '@moorage/domain';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDestinations } from '../layout/destinations';
import { api } from '../../data/api';
import { recent } from '../../data/recent';
import { useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { useDebounced } from '../../ui/debounced';
import { type Found, type Hit, hitsFor, numberIn } from './search-results';
import { errorText } from '../../data/problem-message';

const FOUND_MAX = 6;
const NOTHING: Found = { term: '', deployments: [], users: [] };

export interface SearchState {
  readonly hits: readonly Hit[];
  readonly isSearching: boolean;
  /** The server's error, or null. */
  readonly failure: string | null;
  readonly tryAgain: () => void;
}

/**
 * Searches screens and recent records immediately. Deployments and, for administrators, users follow after a pause in
 * typing.
 */
export function useSearch(typed: string): SearchState {
  const t = useText();
  const isAdmin = useSession()?.user?.is_admin === true;
  const screens = useDestinations();
  const [opened] = useState(recent);
  const term = typed.trim();
  const settled = useDebounced(term, CONSTANTS.searchDebounceMs);
  const { data, error, isFetching, refetch } = useQuery({
    // Begins with `deployments`, so that live hints reload it.
    queryKey: ['deployments', 'search', settled, isAdmin],
    queryFn: ({ signal }) => find(settled, { isAdmin, signal }),
    enabled: settled !== '' && term !== '',
    placeholderData: (before) => before,
    gcTime: 0,
    retry: false,
  });
  const hits = hitsFor(typed, {
    screens,
    recent: opened,
    found: data ?? NOTHING,
    backupsOf: (name) => t('backups.of', { name }),
  });
  const requested = term !== '' && settled === term;
  return {
    hits,
    isSearching: term !== '' && (!requested || (isFetching && data?.term !== term)),
    failure: requested && error !== null && !isFetching ? errorText(error) : null,
    tryAgain: () => void refetch(),
  };
}

async function find(term: string, { isAdmin, signal }: { isAdmin: boolean; signal: AbortSignal }): Promise<Found> {
  const number = numberIn(term);
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
