import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { NotFound } from './layout/not-found';
import { addressChanged } from '../data/navigation';
import { isPublicPath } from '../data/addresses';

/** Handles addresses outside the console. Public pages take over, all others are not found. */
export function LeaveConsole() {
  const { pathname } = useLocation();
  const isPublic = isPublicPath(pathname);
  useEffect(() => {
    if (isPublic) addressChanged();
  }, [isPublic]);
  return isPublic ? null : <NotFound />;
}
