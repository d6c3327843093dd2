import { useLayoutEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router-dom';

/** Returns the address of the list with the filters and the page that the reader came from. */
export function useWayBack(): string {
  const from = (useLocation().state as { list?: string } | null)?.list ?? '';
  return `/support-inbox${from}`;
}

/** Link to a conversation. Has the focus after a return from that conversation. */
export function SubjectLink({ id, subject }: { id: number; subject: string }) {
  const { search, ...location } = useLocation();
  const link = useRef<HTMLAnchorElement>(null);
  const isLast = (location.state as { from?: number } | null)?.from === id;
  useLayoutEffect(() => {
    if (isLast) link.current?.focus();
  }, [isLast]);
  return (
    <Link ref={link} className="name anywhere" to={`/support-inbox/${id}`} state={{ list: search }}>
      {subject}
    </Link>
  );
}
