import { useEffect } from 'react';
import { ApiError } from './api';
import { currentSession, isViewing, RECENT } from './session';

/** Something whose details were opened lately, for the search to offer it again: its number and name, nothing else of it. */
export interface Recent {
  readonly kind: 'deployment' | 'user';
  readonly id: number;
  readonly name: string;
}

interface Stored {
  /** Whose: another account at this browser finds nothing of it. */
  readonly owner: number;
  readonly opened: readonly Recent[];
}

const RECENT_MAX = 6;

/** Newest first. */
export function recent(): readonly Recent[] {
  try {
    const stored = JSON.parse(localStorage.getItem(RECENT) ?? 'null') as Stored | null;
    return stored !== null && stored.owner === owner() ? stored.opened.filter(isWhole) : [];
  } catch {
    return [];
  }
}

export function keepRecent(opened: Recent): void {
  keep([opened, ...others(opened)].slice(0, RECENT_MAX));
}

/** It is not there any more. */
export function forgetRecent(gone: Pick<Recent, 'kind' | 'id'>): void {
  keep(others(gone));
}

/** While its details are shown it was opened lately; when they are not to be had any more it is forgotten. */
export function useRecent(
  kind: Recent['kind'],
  id: number,
  { name, error }: { name: string | undefined; error: unknown },
): void {
  const isGone = error instanceof ApiError && error.status === 404;
  useEffect(() => {
    if (isGone) forgetRecent({ kind, id });
    else if (name !== undefined) keepRecent({ kind, id, name });
  }, [kind, id, name, isGone]);
}

const owner = (): number | undefined => currentSession()?.user?.id;
const others = ({ kind, id }: Pick<Recent, 'kind' | 'id'>): readonly Recent[] =>
  recent().filter((each) => each.kind !== kind || each.id !== id);

function keep(opened: readonly Recent[]): void {
  const of = owner();
  // what is seen through a view is not offered to anybody again
  if (of === undefined || isViewing()) return;
  try {
    localStorage.setItem(RECENT, JSON.stringify({ owner: of, opened } satisfies Stored));
  } catch {
    // storage is switched off or full: nothing is offered again
  }
}

function isWhole(each: Partial<Recent> | null): boolean {
  return (
    (each?.kind === 'deployment' || each?.kind === 'user') && Number.isInteger(each.id) && typeof each.name === 'string'
  );
}
