import type { ReactNode } from 'react';

/** Rows of a list, or the reason why there are none. After an error, the previous rows stay below the message. */
export function ListBox({
  rows,
  failed,
  loading,
  empty,
  isChanging = false,
  children,
}: {
  /** Undefined until the first response. */
  rows: readonly unknown[] | undefined;
  /** Error message, or null. */
  failed: ReactNode;
  loading: ReactNode;
  empty: ReactNode;
  /** The rows are still those of the previous page. */
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
