import { isDeactivatedUsername } from '@moorage/domain';
import { lazy, Suspense, useEffect } from 'react';
import { endSession, isViewing, useSession } from './data/session';
import { go, useAddress } from './navigation';
import { PublicSide } from './public/public-side';
import { isConsolePath, isPublicPath } from './screens';
import { PageGuard } from './ui/page-guard';
import { Support } from './ui/support/support';
import { Toasts } from './ui/toasts';
import { Waiting } from './ui/waiting';

/** The signed-in side with its kit: loaded when somebody goes there, not before. */
const Console = lazy(() => import('./shell/console'));

/** Two sides on one address bar: public pages of a few kB, and the console. */
export function Moorage() {
  const { path } = useAddress();
  const session = useSession();
  const signedIn = session !== null;
  // whoever is not signed in is led to the login where there is a screen behind it
  const leaves = isConsolePath(path) && !signedIn;
  const isDeactivated = isDeactivatedUsername(session?.user?.username ?? '');
  useEffect(() => {
    if (!isDeactivated) return;
    if (!isViewing()) go('/account-deactivated', { replace: true });
    endSession();
  }, [isDeactivated]);
  useEffect(() => {
    if (leaves)
      go(`/login?next=${encodeURIComponent(location.pathname + location.search + location.hash)}`, { replace: true });
  }, [leaves]);

  return (
    <>
      {isPublicPath(path) || (!signedIn && !leaves) ? (
        <PublicSide path={path} />
      ) : leaves || isDeactivated ? (
        <Waiting />
      ) : (
        <PageGuard>
          <Suspense fallback={<Waiting />}>
            <Console />
          </Suspense>
        </PageGuard>
      )}
      <Support />
      <Toasts />
    </>
  );
}
