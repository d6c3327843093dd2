import { useListContext } from 'react-admin';
import { useLocation } from 'react-router-dom';
import { PageLinks } from './page-links';

/** Links to the pages of a list whose API counts pages instead of records. */
export function PlainPager({ pages }: { pages: number }) {
  const { page } = useListContext();
  const { pathname, search } = useLocation();
  const addressOf = (number: number): string => {
    const query = new URLSearchParams(search);
    query.set('page', String(number));
    return `${pathname}?${query.toString()}`;
  };
  return (
    <div className="pager">
      <span className="grow" />
      <PageLinks page={page} total={pages} addressOf={addressOf} />
    </div>
  );
}
