import { useEffect } from 'react';
import { useBrand } from './brand';

/** The window's title: the page and the product; only the product where the page has no name of its own. */
export function useTitle(page: string | null): void {
  const { name } = useBrand();
  useEffect(() => {
    document.title = page === null ? name : `${page} · ${name}`;
  }, [page, name]);
}
