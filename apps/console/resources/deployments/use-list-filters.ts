import { CONSTANTS, type DeploymentGroup } from '@moorage/domain';
import { useState } from 'react';
import { useDebounced } from '../../ui/debounced';
import { useOwnerFilter } from './use-owner-filter';

/** Returns search, tab and owner as entered, and the filter of the list that follows from them. */
export function useListFilters(isAdmin: boolean) {
  const [search, setSearch] = useState('');
  const [group, setGroup] = useState<DeploymentGroup>('all');
  const owner = useOwnerFilter(isAdmin);
  const q = useDebounced(search, CONSTANTS.searchDebounceMs).trim();
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
