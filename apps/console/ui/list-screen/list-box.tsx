import type { ReactNode } from 'react';

/**
 * What a list shows below its tools: its rows, or why there are none. After a failure the rows that were there stay, below
 * the note.
 */
export function ListBox({
  rows,
  failed,
  loading,
  empty,
  isChanging = false,
  children,
}: {
  /** undefined: there was no answer yet. */
  rows: readonly unknown[] | undefined;
  /** The note of what went wrong; null: nothing did. */
  failed: ReactNode;
  loading: ReactNode;
  empty: ReactNode;
  /** The rows are those of the page before. */
  isChanging?: boolean;
  children: ReactNode;
}) {
  return (
    <>
      {failed}
      {rows === undefined && failed !== null ? null : (
        <div className="card tablebox" aria-busy={isChanging}>
          {rows === undefined ? loading : rows.length === 0 ? empty : children}
        </div>
      )}
    </>
  );
}
