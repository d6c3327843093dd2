import { CONSTANTS } from '@moorage/domain';
import { useState } from 'react';
import { useDestinations } from '../layout/destinations';
import { recent } from '../../data/recent';
import { type Found, useFound } from '../../data/search';
import { useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { useDebounced } from '../../ui/debounced';
import { useActs } from './use-acts';
import { type Hit, hitsFor, numberIn } from './search-results';
import { errorText } from '../../data/problem-message';

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
  const acts = useActs();
  const [opened] = useState(recent);
  const term = typed.trim();
  const settled = useDebounced(term, CONSTANTS.searchDebounceMs);
  const { data, error, isFetching, refetch } = useFound(
    { term: settled, number: numberIn(settled), isAdmin },
    { enabled: settled !== '' && term !== '' },
  );
  const hits = hitsFor(typed, {
    screens,
    acts,
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
