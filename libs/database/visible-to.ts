import type { SqlValue } from '@moorage/server';

/** Who asks for rows that belong to users: a user sees their own, an administrator those of all. */
export interface Viewer {
  readonly userId: number;
  readonly isAdmin: boolean;
}

/**
 * The condition that leaves only rows the viewer may see, and its parameters. `column` holds the owner's id; `ownOnly`: not
 * even administrators see others' rows. The text depends on who asks for it and on no value, so every statement has one
 * plan for users, by the index on their rows, and one for administrators.
 */
export function visibleTo(
  { userId, isAdmin }: Viewer,
  { column, firstParameter, ownOnly = false }: { column: string; firstParameter: number; ownOnly?: boolean },
): { readonly sql: string; readonly params: readonly SqlValue[] } {
  if (isAdmin && !ownOnly) return { sql: 'true', params: [] };
  return { sql: `${column} = $${firstParameter}`, params: [userId] };
}

/** The same rule where no row is read: does the viewer see what belongs to `userId`? */
export function isVisibleTo(viewer: Viewer, userId: number, { ownOnly = false }: { ownOnly?: boolean } = {}): boolean {
  return viewer.userId === userId || (viewer.isAdmin && !ownOnly);
}
