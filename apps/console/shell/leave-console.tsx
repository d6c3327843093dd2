import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { NotFound } from './layout/not-found';
import { addressChanged } from '../navigation';
import { isPublicPath } from '../screens';

/** Addresses that are not the console's: a public page takes over; any other is not found. */
export function LeaveConsole() {
  const { pathname } = useLocation();
  const isPublic = isPublicPath(pathname);
  useEffect(() => {
    if (isPublic) addressChanged();
  }, [isPublic]);
  return isPublic ? null : <NotFound />;
}
