import { CONSTANTS, DEPLOYMENT_GROUPS, type DeploymentGroup } from '@moorage/domain';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useDebounced } from '../../ui/debounced';
import { useOwnerFilter } from './use-owner-filter';

/**
 * Returns search, tab and owner as entered, and the filter of the list that follows from them. Search and tab are in the
 * address, so that a reload or a link shows the same list.
 */
export function useListFilters(isAdmin: boolean) {
  const { search: address } = useLocation();
  const navigate = useNavigate();
  const [search, setSearch] = useState(() => new URLSearchParams(address).get('q') ?? '');
  const [group, setGroup] = useState<DeploymentGroup>(() => groupIn(address));
  const owner = useOwnerFilter(isAdmin);
  const q = useDebounced(search, CONSTANTS.searchDebounceMs).trim();
  const show = useEffectEvent(() => {
    const query = new URLSearchParams(address);
    const set = (name: string, value: string): void => (value === '' ? query.delete(name) : query.set(name, value));
    set('q', q);
    set('group', group === 'all' ? '' : group);
    const next = query.size === 0 ? '' : `?${query.toString()}`;
    if (next !== address) void navigate({ search: next }, { replace: true, state: currentState() });
  });
  const entered = useRef(false);
  useEffect(() => {
    if (entered.current) show();
    entered.current = true;
  }, [q, group]);
  return {
    search,
    setSearch,
    group,
    setGroup,
    owner: isAdmin ? owner.typed : null,
    setOwner: owner.set,
    filter: {
      ...(q === '' ? {} : { q }),
      ...(group === 'all' ? {} : { group }),
      ...(owner.settled === '' ? {} : { user: owner.settled }),
    },
    /** Filter of the counts, which are those of every tab. */
    counted: { search: q, user: owner.settled },
    /** Text that is searched for, or the owner. */
    searched: q === '' ? owner.settled : q,
  };
}

/**
 * Returns the router's state of the current history entry, which holds the open details. `useLocation` returns it only
 * after the details have loaded.
 */
const currentState = (): unknown => (history.state as { usr?: unknown } | null)?.usr ?? null;

const groupIn = (address: string): DeploymentGroup =>
  DEPLOYMENT_GROUPS.find((each) => each === new URLSearchParams(address).get('group')) ?? 'all';
