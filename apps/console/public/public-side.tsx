import { useEffect } from 'react';
import { Home } from './home';
import { PublicHeader } from './public-header';

const PAGES: Readonly<Record<string, () => React.ReactNode>> = {
  '/': Home,
};

/** The pages anybody may open. */
export function PublicSide({ path }: { path: string }) {
  const Page = PAGES[path.length > 1 ? path.replace(/\/+$/, '') : path] ?? Home;
  useEffect(() => {
    document.body.classList.add('pub');
    return () => document.body.classList.remove('pub');
  }, []);
  return (
    <>
      <PublicHeader path={path} />
      <Page />
    </>
  );
}
