import { type ComponentType, lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { useSession } from '../data/session';
import { go, useAddress } from '../navigation';
import { PageGuard } from '../ui/page-guard';
import { Waiting } from '../ui/waiting';
import { Depth } from './depth';
import './public.css';
import { PublicFooter } from './public-footer';
import { PublicHeader } from './public-header';
import { afterLogin } from './after-login';

/** Every page a chunk of its own: nobody loads the forms to read the prices. */
const PAGES = {
  '/': page(() => import('./home')),
  '/pricing': page(() => import('./pricing')),
  '/login': page(() => import('./login')),
  '/signup': page(() => import('./signup')),
  '/forgot-password': page(() => import('./forgot-password')),
  '/reset-password': page(() => import('./reset-password')),
  '/verify-email': page(() => import('./verify-email')),
  '/account-deactivated': page(() => import('./account-deactivated')),
  '/success': page(() => import('./success')),
  '/cancel': page(() => import('./cancel')),
};
type PublicPath = keyof typeof PAGES;

/** For visitors only: whoever is signed in is led on. */
const VISITORS_ONLY: readonly string[] = ['/login', '/signup'];
/** Much to read: nothing is drawn behind it. */
const PLAIN_GROUND: readonly string[] = ['/pricing'];

const plain = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') : path);
const pageOf = (path: string) => PAGES[(plain(path) in PAGES ? plain(path) : '/') as PublicPath];

// the first page's chunk is on its way while name and language are still being asked for
void pageOf(location.pathname)
  .load()
  .catch(() => undefined);

/** The pages anybody may open. */
export function PublicSide({ path: asked }: { path: string }) {
  const path = plain(asked);
  const { query } = useAddress();
  const signedIn = useSession() !== null;
  const leaves = signedIn && VISITORS_ONLY.includes(path);
  const next = afterLogin(query.get('next'));
  useLayoutEffect(() => {
    document.body.classList.add('pub');
    return () => document.body.classList.remove('pub');
  }, []);
  useEffect(() => {
    if (leaves) go(next, { replace: true });
  }, [leaves, next]);
  useFocusOnChange(path);

  const { Page } = pageOf(path);
  return (
    <>
      <PublicHeader path={path} />
      {PLAIN_GROUND.includes(path) ? null : <Depth />}
      <div id="content" tabIndex={-1}>
        <PageGuard key={path}>
          <Suspense fallback={<Holding />}>
            {leaves ? (
              <Holding />
            ) : (
              <>
                <Page />
                <PublicFooter />
              </>
            )}
          </Suspense>
        </PageGuard>
      </div>
    </>
  );
}

/** Keeps the place of a page, so that what stands below does not jump. */
function Holding() {
  return (
    <main className="holding">
      <Waiting />
    </main>
  );
}

/** A new page is read from its beginning: the focus follows the address, as it does when a browser loads a page. */
function useFocusOnChange(path: string): void {
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [path]);
}

function page(load: () => Promise<{ default: ComponentType }>) {
  return { load, Page: lazy(load) };
}
