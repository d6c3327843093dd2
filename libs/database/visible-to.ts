import type { SqlValue } from '@moorage/server';

/** A user who reads rows that belong to users. Customers see their own rows, and administrators see all rows. */
export interface Viewer {
  readonly userId: number;
  readonly isAdmin: boolean;
}

/**
 * Returns the condition for the rows that a viewer may see, and its parameters.
 *
 * The text depends only on the viewer's role and on no value. Every statement therefore has a plan for users, by the
 * index on their rows, and a plan for administrators.
 *
 * @param options `column` holds the owner's ID. With `ownOnly`, not even administrators see other users' rows.
 */
export function visibleTo(
  { userId, isAdmin }: Viewer,
  { column, firstParameter, ownOnly = false }: { column: string; firstParameter: number; ownOnly?: boolean },
): { readonly sql: string; readonly params: readonly SqlValue[] } {
  if (isAdmin && !ownOnly) return { sql: 'true', params: [] };
  return { sql: `${column} = $${firstParameter}`, params: [userId] };
}

/** Applies the same rule without reading rows, and returns whether the viewer may see what belongs to `userId`. */
export function isVisibleTo(viewer: Viewer, userId: number, { ownOnly = false }: { ownOnly?: boolean } = {}): boolean {
  return viewer.userId === userId || (viewer.isAdmin && !ownOnly);
}
