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
  const isDeactivated = isDeactivatedUsername(useSession()?.user?.username ?? '');
  useEffect(() => {
    if (!isDeactivated) return;
    if (!isImpersonating()) go('/account-deactivated', { replace: true });
    endSession();
  }, [isDeactivated]);

  return (
    <>
      {/* Not within the placeholder below, because the HTML of public pages is hydrated at once. */}
      {isPublicPath(path) ? (
        <Public path={path} />
      ) : (
        <PageGuard>
          <Suspense fallback={<SideSkeleton />}>
            <ConsoleOrLogin path={path} isDeactivated={isDeactivated} />
          </Suspense>
        </PageGuard>
      )}
      <Support />
      <Toasts />
    </>
  );
}

function Public({ path }: { path: string }) {
  usePublicGround(true);
  return <PublicSide path={path} />;
}

/** Shows the console. Visitors who open one of its pages are redirected to the login. */
function ConsoleOrLogin({ path, isDeactivated }: { path: string; isDeactivated: boolean }) {
  const signedIn = useSession() !== null;
  const isConsole = signedIn || use(loadScreens()).isConsolePath(path);
  const leaves = isConsole && !signedIn;
  usePublicGround(!isConsole);
  useEffect(() => {
    if (leaves)
      go(`/login?next=${encodeURIComponent(location.pathname + location.search + location.hash)}`, { replace: true });
  }, [leaves]);
  if (!isConsole) return <PublicSide path={path} />;
  return leaves || isDeactivated ? <SideSkeleton /> : <Console />;
}

/** Gives the page the ground of public pages, or takes it away. */
function usePublicGround(isPublic: boolean): void {
  useLayoutEffect(() => {
    document.body.classList.toggle('pub', isPublic);
  }, [isPublic]);
}
