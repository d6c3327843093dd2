import { isDeactivatedUsername } from '@moorage/domain';
import { lazy, Suspense, useEffect, useLayoutEffect } from 'react';
import { endSession, isImpersonating, useSession } from '../data/session';
import { go, useAddress } from '../data/navigation';
import { PublicSide } from './public-side';
import { isConsolePath } from './screens';
import { isPublicPath } from '../data/addresses';
import { currentLocale, loadConsoleTexts } from '../texts/locale';
import { PageGuard } from '../ui/page-guard';
import { Support } from '../parts/support/support';
import { Toasts } from '../ui/toasts';
import { SideSkeleton } from '../parts/side-skeleton';

/** The logged-in side with its UI kit and its texts, loaded on demand. */
const Console = lazy(async () => {
  const [page] = await Promise.all([import('./console'), loadConsoleTexts(currentLocale())]);
  return page;
});

/** Root component. Its guard also catches a page that fails while it is being left. */
export function Moorage() {
  const { path } = useAddress();
  return (
    <PageGuard at={path}>
      <Sides path={path} />
    </PageGuard>
  );
}

/** Shows either public pages of a few kB or the console. */
function Sides({ path }: { path: string }) {
  const session = useSession();
  const signedIn = session !== null;
  // Visitors who open an existing console page are redirected to the login.
  const leaves = isConsolePath(path) && !signedIn;
  const isDeactivated = isDeactivatedUsername(session?.user?.username ?? '');
  const isPublic = isPublicPath(path) || (!signedIn && !leaves);
  useLayoutEffect(() => {
    document.body.classList.toggle('pub', isPublic);
  }, [isPublic]);
  useEffect(() => {
    if (!isDeactivated) return;
    if (!isImpersonating()) go('/account-deactivated', { replace: true });
    endSession();
  }, [isDeactivated]);
  useEffect(() => {
    if (leaves)
      go(`/login?next=${encodeURIComponent(location.pathname + location.search + location.hash)}`, { replace: true });
  }, [leaves]);

  return (
    <>
      {isPublic ? (
        <PublicSide path={path} />
      ) : leaves || isDeactivated ? (
        <SideSkeleton />
      ) : (
        <PageGuard>
          <Suspense fallback={<SideSkeleton />}>
            <Console />
          </Suspense>
        </PageGuard>
      )}
      <Support />
      <Toasts />
    </>
  );
}
