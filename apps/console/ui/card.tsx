import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorAlert } from './error-alert';

/** Section of the account page. Its ID is its anchor. */
export function SectionCard({
  id,
  title,
  aside,
  children,
}: {
  id: string;
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="card" id={id} aria-labelledby={`${id}-title`} tabIndex={-1}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

const LINES = [260, 320, 220];

/** Query result with its loading and error states. */
export function Loaded<T>({
  query: { data, isError, refetch },
  failed,
  children,
}: {
  query: { data: T | undefined; isError: boolean; refetch: UseQueryResult['refetch'] };
  failed: string;
  children: (data: T) => ReactNode;
}) {
  if (data !== undefined) return children(data);
  return (
    <div className="pad">
      {isError ? (
        <ErrorAlert text={failed} onRetry={() => void refetch()} />
      ) : (
        <div className="late skeleton" aria-hidden="true">
          {LINES.map((width) => (
            <span key={width} className="skel" style={{ width }} />
          ))}
        </div>
      )}
    </div>
  );
}
