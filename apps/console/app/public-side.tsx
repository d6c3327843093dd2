import { type ComponentType, Fragment, lazy, Suspense, useDeferredValue, useEffect, useRef } from 'react';
import { useSession } from '../data/session';
import { wantedPackage } from '../data/wanted-package';
import { go, useAddress } from '../data/navigation';
import { PUBLIC_SCREENS, type PublicScreen } from './public-screens';
import { homeOf, isPublicPath, plainPath, type PublicPath } from '../data/addresses';
import { PageGuard } from '../ui/page-guard';
import { PageSkeleton } from '../ui/page-skeleton';
import { useHydrated } from '../ui/use-hydrated';
import { DepthLayers } from '../pages/public/depth-layers';
import '../pages/public/public.css';
import { PublicFooter } from '../pages/public/public-footer';
import { PublicHeader } from '../pages/public/public-header';
import { afterLogin, ORDER } from '../pages/public/after-login';

const SCREENS: Readonly<Record<PublicPath, PublicScreen>> = PUBLIC_SCREENS;

export const addressOf = (path: string): PublicPath => (isPublicPath(path) ? (plainPath(path) as PublicPath) : '/');

const PAGES = Object.fromEntries(
  Object.entries(SCREENS).map(([path, { load }]) => [path, lazy(load)]),
) as unknown as Readonly<Record<PublicPath, ComponentType>>;

const NotFound = lazy(() => import('../pages/public/not-found'));

/** Pages that can be rendered at once, because React would show a placeholder of a lazy page first. */
const loaded: Partial<Record<PublicPath, ComponentType>> = {};

/** Loads the page at a path for the first render. */
export async function loadPublicPage(path: PublicPath): Promise<void> {
  loaded[path] = (await SCREENS[path].load()).default;
}

/** Public pages, with a "not found" page for every other address. */
export function PublicSide({ path: current }: { path: string }) {
  // The previous page stays until the next one has loaded.
  const requested = useDeferredValue(current);
  const path = addressOf(requested);
  const { visitorsOnly, plainGround, readsQuery } = SCREENS[path];
  const { query } = useAddress();
  const session = useSession();
  const signedIn = session !== null;
  const isHydrated = useHydrated();
  const leaves = signedIn && visitorsOnly === true;
  // Whoever signed up for a package continues with it.
  const isOrdering = path === '/signup' && wantedPackage() !== null;
  const next = afterLogin(query.get('next'), isOrdering ? ORDER : homeOf(session?.user));
  useEffect(() => {
    if (leaves) go(next, { replace: true });
  }, [leaves, next]);
  useFocusOnChange(requested);

  const Page = isPublicPath(requested) ? (loaded[path] ?? PAGES[path]) : NotFound;
  return (
    <>
      <PublicHeader path={path} />
      {plainGround === true ? null : <DepthLayers />}
      <div id="content" tabIndex={-1}>
        <PageGuard at={requested}>
          <Suspense fallback={<Holding />}>
            {leaves || (readsQuery === true && !isHydrated) ? (
              <Holding />
            ) : (
              // The footer belongs to its page, otherwise it would jump from one page's end to the other's.
              <Fragment key={requested}>
                <Page />
                <PublicFooter />
              </Fragment>
            )}
          </Suspense>
        </PageGuard>
      </div>
    </>
  );
}

/** Reserves the space of a page, so that the content below does not jump. */
function Holding() {
  return (
    <main className="holding">
      <PageSkeleton />
    </main>
  );
}

/** Moves the focus to the new page when the address changes, as after a page load. */
function useFocusOnChange(path: string): void {
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [path]);
}
