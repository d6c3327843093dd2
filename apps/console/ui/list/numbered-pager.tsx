import { CONSTANTS } from '@moorage/domain';
import { useListContext } from 'react-admin';
import { useLocation, useSearchParams } from 'react-router-dom';
import {
  type Beyond,
  numberedPages,
  type PageMeta,
  type Place,
  type Shown,
  type Step,
  stepTo,
} from '../../data/paging';
import { PageLinks } from './page-links';
import { Pager } from './pager';

/** Pager with numbered pages. Beyond the last numbered page, only previous and next. */
export function NumberedPager({ pageSizes, total }: { pageSizes: readonly number[]; total: number }) {
  const { page, perPage, setPerPage, data, ...list } = useListContext();
  const { pathname, search } = useLocation();
  const meta = list.meta as PageMeta | undefined;
  const beyond = useBeyond();
  const shown: Shown = { page, beyond, perPage, total, rows: data?.length ?? 0, meta };
  const pages = Math.max(1, Math.min(Math.ceil(total / perPage), numberedPages(perPage)));
  const addressOf = (place: Place): string => {
    const query = new URLSearchParams(search);
    query.set('page', String(place.page));
    query.set('perPage', String(perPage));
    for (const name of ['cursor', 'from'] as const) {
      if (place.beyond === null) query.delete(name);
      else query.set(name, String(place.beyond[name]));
    }
    return `${pathname}?${query.toString()}`;
  };
  const stepAddress = (step: Step): string | null => {
    const to = stepTo(step, shown);
    if (to === null) return null;
    // The cursor of the page being left leads back to the same place.
    return to.beyond !== null && list.isPlaceholderData === true ? pathname + search : addressOf(to);
  };
  return (
    <Pager shown={shown} pageSizes={pageSizes} onPerPage={setPerPage}>
      {pages > 1 ? (
        <PageLinks
          page={beyond === null ? page : pages + 1}
          total={pages}
          addressOf={(number) => addressOf({ page: number, beyond: null })}
          previous={stepAddress('previous')}
          next={stepAddress('next')}
        />
      ) : null}
    </Pager>
  );
}

/**
 * Reads `?cursor=…&from=10001`, a position beyond the last numbered page. Ignored on any other page, where the
 * parameters are left over from an earlier search or order.
 */
export function useBeyond(): Beyond | null {
  const [address] = useSearchParams();
  const numberIn = (name: string): number => Number(address.get(name));
  const cursor = address.get('cursor');
  const from = numberIn('from');
  if (cursor === null || !Number.isInteger(from) || from <= CONSTANTS.pagedRowsMax) return null;
  return numberIn('page') === numberedPages(numberIn('perPage')) ? { cursor, from, isGuess: false } : null;
}
