import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isForbidden } from '../data/errors';
import { errorText } from '../data/problem-message';
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

/**
 * Query result with its loading and error states. Within a card, both are padded. A refusal shows only its reason,
 * because a retry can't help.
 */
export function Loaded<T>({
  query: { data, isError, error = null, refetch },
  failed,
  detail,
  skeleton,
  children,
}: {
  query: { data: T | undefined; isError: boolean; error?: Error | null; refetch: UseQueryResult['refetch'] };
  failed: string;
  /** Returns the reason of an error, which is shown below `failed`. */
  detail?: (error: Error) => string;
  /** Placeholder of a result that is not in a card. */
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  if (data !== undefined) return children(data);
  const state = isForbidden(error) ? (
    <ErrorAlert text={errorText(error)} onRetry={null} />
  ) : isError ? (
    <ErrorAlert text={failed} detail={error === null ? '' : (detail?.(error) ?? '')} onRetry={() => void refetch()} />
  ) : (
    (skeleton ?? <SkeletonLines />)
  );
  return skeleton === undefined ? <div className="pad">{state}</div> : state;
}

/** Placeholder of a short text. */
export function SkeletonLines() {
  return (
    <div className="late skeleton" aria-hidden="true">
      {LINES.map((width) => (
        <span key={width} className="skel" style={{ width }} />
      ))}
    </div>
  );
}
