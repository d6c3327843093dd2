import type { ReactNode } from 'react';
import { Suspense } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { LiveHints } from '../../data/live-hints';
import { useText } from '../../texts/console-i18n';
import { FocusOnArrival } from '../../ui/focus-on-arrival';
import { PageGuard } from '../../ui/page-guard';
import { PageSkeleton } from '../../ui/page-skeleton';
import { ConfirmIdentity } from '../confirm-identity';
import { movedTo } from '../old-addresses';
import { Welcome } from '../welcome';
import { ConsoleBar } from './console-bar';

/**
 * Replaces react-admin's Layout. There is no sidebar, because five destinations fit the app bar and tables need the
 * width.
 */
export function ConsoleLayout({ children }: { children?: ReactNode }) {
  const t = useText();
  const { pathname, search } = useLocation();
  const moved = movedTo(pathname, search);
  return (
    <>
      <a className="skip" href="#content">
        {t('layout.skip')}
      </a>
      <ConsoleBar />
      <LiveHints />
      <Welcome />
      <ConfirmIdentity />
      <PageGuard at={pathname}>
        <Suspense fallback={<PageSkeleton />}>
          {moved === null ? children : <Navigate replace to={moved} />}
          <FocusOnArrival at={pathname} />
        </Suspense>
      </PageGuard>
    </>
  );
}
