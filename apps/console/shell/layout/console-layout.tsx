import type { ReactNode } from 'react';
import { Suspense } from 'react';
import { useLocation } from 'react-router-dom';
import { LiveHints } from '../../data/live-hints';
import { useText } from '../../texts/console-i18n';
import { PageGuard } from '../../ui/page-guard';
import { Waiting } from '../../ui/waiting';
import { ConfirmIdentity } from '../confirm-identity';
import { Welcome } from '../welcome';
import { ConsoleBar } from './console-bar';

/** react-admin's Layout without its sidebar: five destinations fit the bar, and width belongs to tables. */
export function ConsoleLayout({ children }: { children?: ReactNode }) {
  const t = useText();
  const { pathname } = useLocation();
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
        <Suspense fallback={<Waiting />}>{children}</Suspense>
      </PageGuard>
    </>
  );
}
