import { useEffect } from 'react';
import { isMissing } from './errors';
import { currentSession, isImpersonating, RECENT } from './session';

/** A recently opened record that the search offers again. Stores only its ID and name. */
export interface Recent {
  readonly kind: 'deployment' | 'user';
  readonly id: number;
  readonly name: string;
}

interface Stored {
  /** Owner of the list. Other accounts in this browser cannot read it. */
  readonly owner: number;
  readonly opened: readonly Recent[];
}

const RECENT_MAX = 6;

/** Returns the recent records, newest first. */
export function recent(): readonly Recent[] {
  try {
    const stored = JSON.parse(localStorage.getItem(RECENT) ?? 'null') as Stored | null;
    return stored !== null && stored.owner === owner() ? stored.opened.filter(isWhole) : [];
  } catch {
    return [];
  }
}

export function storeRecent(opened: Recent): void {
  store([opened, ...others(opened)].slice(0, RECENT_MAX));
}

/** Removes a record that no longer exists. */
export function forgetRecent(gone: Pick<Recent, 'kind' | 'id'>): void {
  store(others(gone));
}

/** Adds a record while its details are shown, and removes it once they can no longer be loaded. */
export function useRecent(
  kind: Recent['kind'],
  id: number,
  { name, error }: { name: string | undefined; error: unknown },
): void {
  const isGone = isMissing(error);
  useEffect(() => {
    if (isGone) forgetRecent({ kind, id });
    else if (name !== undefined) storeRecent({ kind, id, name });
  }, [kind, id, name, isGone]);
}

const owner = (): number | undefined => currentSession()?.user?.id;
const others = ({ kind, id }: Pick<Recent, 'kind' | 'id'>): readonly Recent[] =>
  recent().filter((each) => each.kind !== kind || each.id !== id);

function store(opened: readonly Recent[]): void {
  const of = owner();
  // Records opened during impersonation are not offered again.
  if (of === undefined || isImpersonating()) return;
  try {
    localStorage.setItem(RECENT, JSON.stringify({ owner: of, opened } satisfies Stored));
  } catch {
    // If storage is disabled or full, nothing is offered again.
  }
}

function isWhole(each: Partial<Recent> | null): boolean {
  return (
    (each?.kind === 'deployment' || each?.kind === 'user') && Number.isInteger(each.id) && typeof each.name === 'string'
  );
}
