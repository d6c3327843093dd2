import { isDeactivatedUsername } from '@moorage/domain';
import { lazy, Suspense, use, useEffect, useLayoutEffect } from 'react';
import { endSession, isImpersonating, useSession } from '../data/session';
import { go, useAddress } from '../data/navigation';
import { PublicSide } from './public-side';
import { isPublicPath, plainPath } from '../data/addresses';
import { currentLocale, loadConsoleTexts } from '../texts/locale';
import { PageGuard } from '../ui/page-guard';
import { Support } from '../parts/support/support';
import { Toasts } from '../ui/toasts';
import { SideSkeleton } from '../parts/side-skeleton';

let screens: Promise<typeof import('./screens')> | undefined;
/** Loads the list of all screens, which public pages do without. */
export const loadScreens = () => (screens ??= import('./screens'));

/** Loads the logged-in side with its UI kit and its texts, and the page at a path. */
export async function loadConsole(path: string) {
  const page = loadScreens().then(({ PAGES }) => PAGES.find((each) => each.path === plainPath(path))?.load());
  const [console] = await Promise.all([import('./console'), loadConsoleTexts(currentLocale()), page]);
  return console;
}

const Console = lazy(() => loadConsole(location.pathname));

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
  const showsConsole = signedIn && !isPublicPath(path);
  const isDeactivated = isDeactivatedUsername(session?.user?.username ?? '');
  useLayoutEffect(() => {
    if (showsConsole) document.body.classList.remove('pub');
  }, [showsConsole]);
  useEffect(() => {
    if (!isDeactivated) return;
    if (!isImpersonating()) go('/account-deactivated', { replace: true });
    endSession();
  }, [isDeactivated]);

  return (
    <>
      <PageGuard>
        <Suspense fallback={<SideSkeleton />}>
          {!showsConsole ? <PublicOrLogin path={path} /> : isDeactivated ? <SideSkeleton /> : <Console />}
        </Suspense>
      </PageGuard>
      <Support />
      <Toasts />
    </>
  );
}

/** Shows public pages. Visitors who open an existing console page are redirected to the login. */
function PublicOrLogin({ path }: { path: string }) {
  const leaves = !isPublicPath(path) && use(loadScreens()).isConsolePath(path);
  useLayoutEffect(() => {
    document.body.classList.toggle('pub', !leaves);
  }, [leaves]);
  useEffect(() => {
    if (leaves)
      go(`/login?next=${encodeURIComponent(location.pathname + location.search + location.hash)}`, { replace: true });
  }, [leaves]);
  return leaves ? <SideSkeleton /> : <PublicSide path={path} />;
}
