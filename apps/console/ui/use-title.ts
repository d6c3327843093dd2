import { useEffect } from 'react';
import { useBrand } from '../data/brand';

/** Sets the window title to the page and the product, or to the product alone. */
export function useTitle(page: string | null): void {
  const { name } = useBrand();
  useEffect(() => {
    document.title = page === null ? name : `${page} · ${name}`;
  }, [page, name]);
}
