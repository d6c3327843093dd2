import { CONSTANTS } from '@moorage/domain';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useDebounced } from '../../ui/debounced';

/** Returns the administrators' owner filter, synchronized with the address (`?user=`). */
export function useOwnerFilter(isAdmin: boolean): { typed: string; settled: string; set: (text: string) => void } {
  const [params, setParams] = useSearchParams();
  const inAddress = isAdmin ? (params.get('user') ?? '') : '';
  const [typed, setTyped] = useState(inAddress);
  const [known, setKnown] = useState(inAddress);
  // The user followed a link to a user's deployments, or navigated back to it.
  if (known !== inAddress) {
    setKnown(inAddress);
    if (typed.trim() !== inAddress) setTyped(inAddress);
  }
  const settled = useDebounced(typed, CONSTANTS.searchDebounceMs).trim();
  useEffect(() => {
    if (!isAdmin || settled !== typed.trim() || settled === inAddress) return;
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (settled === '') next.delete('user');
        else next.set('user', settled);
        return next;
      },
      { replace: true },
    );
  }, [isAdmin, settled, typed, inAddress, setParams]);
  return { typed, settled: isAdmin ? inAddress : '', set: setTyped };
}
