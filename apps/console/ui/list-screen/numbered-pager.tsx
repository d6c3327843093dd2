import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { CONSTANTS } from '@moorage/domain';
import { useListContext } from 'react-admin';
import { useLocation, useSearchParams } from 'react-router-dom';
import {
  type Beyond,
  numberedPages,
  type PageMeta,
  type Place,
  rowsShown,
  type Shown,
  type Step,
  stepTo,
} from '../../data/paging';
import { useText } from '../../texts/console-i18n';
import { Pages } from '../pages';

/** How many rows there are, how many to a page, and numbered pages; behind the last of them from each to the next. */
export function NumberedPager({ pageSizes, total }: { pageSizes: readonly number[]; total: number }) {
  const t = useText();
  const { page, perPage, setPerPage, data, ...list } = useListContext();
  const { pathname, search } = useLocation();
  const meta = list.meta as PageMeta | undefined;
  const beyond = useBeyond();
  const shown: Shown = { page, beyond, perPage, total, rows: data?.length ?? 0, meta };
  const { from, to, count } = rowsShown(shown);
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
    // a cursor of the page that is just being left leads nowhere else
    return to.beyond !== null && list.isPlaceholderData === true ? pathname + search : addressOf(to);
  };
  return (
    <div className="pager">
      <span className="grow">
        {t('layout.shown', {
          from: from.toLocaleString('en-US'),
          to: to.toLocaleString('en-US'),
          count:
            meta?.isEstimated === true
              ? t('layout.about', { count: count.toLocaleString('en-US') })
              : count.toLocaleString('en-US'),
        })}
      </span>
      <label className="rows">
        {t('layout.rows')}
        <TextField
          select
          value={pageSizes.includes(perPage) ? perPage : ''}
          onChange={({ target }) => setPerPage(Number(target.value))}
          slotProps={{ htmlInput: { 'aria-label': t('layout.rows') } }}
        >
          {pageSizes.map((size) => (
            <MenuItem key={size} value={size}>
              {size}
            </MenuItem>
          ))}
        </TextField>
      </label>
      {pages > 1 ? (
        <Pages
          page={beyond === null ? page : pages + 1}
          total={pages}
          addressOf={(number) => addressOf({ page: number, beyond: null })}
          previous={stepAddress('previous')}
          next={stepAddress('next')}
        />
      ) : null}
    </div>
  );
}

/**
 * `?cursor=…&from=10001` beside the last page that has a number: the place behind it. With any other page, as after a new
 * search or another order, they are left over and say nothing.
 */
export function useBeyond(): Beyond | null {
  const [address] = useSearchParams();
  const numberIn = (name: string): number => Number(address.get(name));
  const cursor = address.get('cursor');
  const from = numberIn('from');
  if (cursor === null || !Number.isInteger(from) || from <= CONSTANTS.pagedRowsMax) return null;
  return numberIn('page') === numberedPages(numberIn('perPage')) ? { cursor, from, isGuess: false } : null;
}
