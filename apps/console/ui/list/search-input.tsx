import { CONSTANTS } from '@moorage/domain';
import { useEffect, useRef, useState } from 'react';
import { useListContext } from 'react-admin';
import { useDebounced } from '../debounced';
import { SearchField } from './search-field';
import { useIsPhone } from '../use-is-phone';

/**
 * Search of a list, sent half a second after the last keystroke. Back restores the previous search. `short` is the
 * placeholder on phones, where the label would be truncated.
 */
export function SearchInput({ label, short = label }: { label: string; short?: string }) {
  const isPhone = useIsPhone();
  const { setFilters, ...list } = useListContext();
  const filters = list.filterValues as Record<string, unknown>;
  const requested = searchIn(filters);
  const [typed, setTyped] = useState(requested);
  const settled = useDebounced(typed, CONSTANTS.searchDebounceMs).trim();
  const sent = useRef(requested);
  useEffect(() => {
    // The search was changed elsewhere on the page.
    if (requested === sent.current) return;
    sent.current = requested;
    setTyped(requested);
  }, [requested]);
  useEffect(() => {
    if (settled === sent.current) return;
    sent.current = settled;
    const { q: _before, ...others } = filters;
    setFilters(settled === '' ? others : { ...others, q: settled });
  }, [settled, filters, setFilters]);
  return <SearchField label={label} placeholder={isPhone ? short : label} wide value={typed} onChange={setTyped} />;
}

/** Returns the search text of a list's filters. */
export function searchIn(filters: unknown): string {
  const { q } = filters as { q?: unknown };
  return typeof q === 'string' ? q : '';
}
