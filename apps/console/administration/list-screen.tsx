import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import useMediaQuery from '@mui/material/useMediaQuery';
import { CONSTANTS } from '@moorage/domain';
import { Search, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type RaRecord, useListContext } from 'react-admin';
import { useLocation } from 'react-router-dom';
import { numberedPages, type PageMeta, type Place, rowsShown, type Shown, type Step, stepTo } from '../data/paging';
import { useText } from '../texts/console-i18n';
import { useDebounced } from '../ui/debounced';
import { Pages } from '../ui/pages';
import { useBeyond } from './admin-list';
import { FailedNote } from './failed-note';

const PHONE = '(max-width: 767px)';
const WITHOUT_ROWS: readonly RaRecord[] = [];

/** What an administrator's list is made of: search, a table that becomes cards on a phone, and numbered pages. */
export function ListScreen<Row extends RaRecord>({
  title,
  searchLabel,
  searchShort = searchLabel,
  failed,
  emptyText,
  emptyHint,
  tools,
  table,
  card,
  pageSizes,
}: {
  title: string;
  searchLabel: string;
  /** For a phone, where the whole label would be cut. */
  searchShort?: string;
  failed: string;
  emptyText: (search: string) => string;
  emptyHint: string;
  tools?: ReactNode;
  table: ReactNode;
  card: (row: Row) => ReactNode;
  pageSizes: readonly number[];
}) {
  const phone = useMediaQuery(PHONE, { noSsr: true });
  const { data, refetch, total, ...list } = useListContext<Row>();
  const rows = data ?? (WITHOUT_ROWS as readonly Row[]);
  const search = searchIn(list.filterValues);
  const failure = list.error as unknown;
  return (
    <main className="main" id="content" tabIndex={-1}>
      <div className="title">
        <h1 className="grow">{title}</h1>
      </div>
      <div className="tools">
        <SearchInput label={searchLabel} placeholder={phone ? searchShort : searchLabel} />
        <span className="grow hide-s" />
        {tools}
      </div>
      {failure ? <FailedNote text={failed} onRetry={() => void refetch()} /> : null}
      {failure && data === undefined ? null : (
        <div className="card tablebox admin-list">
          {data === undefined ? (
            <ListSkeleton />
          ) : rows.length === 0 ? (
            <div className="empty" role="status">
              <h2>{emptyText(search)}</h2>
              {search === '' ? null : <p className="soft small">{emptyHint}</p>}
            </div>
          ) : phone ? (
            <ul className="admin-cards">
              {rows.map((row) => (
                <li key={row.id}>{card(row)}</li>
              ))}
            </ul>
          ) : (
            table
          )}
          {data === undefined || total === undefined || total === 0 ? null : (
            <Pager pageSizes={pageSizes} total={total} />
          )}
        </div>
      )}
    </main>
  );
}

/** Asks half a second after the last key; back in the history brings back what was searched. */
function SearchInput({ label, placeholder }: { label: string; placeholder: string }) {
  const t = useText();
  const { setFilters, ...list } = useListContext();
  const filters = list.filterValues as Record<string, unknown>;
  const asked = searchIn(filters);
  const [typed, setTyped] = useState(asked);
  const settled = useDebounced(typed, CONSTANTS.searchDebounceMs).trim();
  const sent = useRef(asked);
  useEffect(() => {
    if (settled === sent.current) return;
    sent.current = settled;
    const { q: _before, ...others } = filters;
    setFilters(settled === '' ? others : { ...others, q: settled });
  }, [settled, filters, setFilters]);
  return (
    <TextField
      className="search whole"
      type="search"
      value={typed}
      placeholder={placeholder}
      onChange={({ target }) => setTyped(target.value)}
      slotProps={{
        htmlInput: { 'aria-label': label, maxLength: CONSTANTS.searchLengthMax },
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <Search size={16} aria-hidden="true" />
            </InputAdornment>
          ),
          ...(typed === ''
            ? {}
            : {
                endAdornment: (
                  <InputAdornment position="end">
                    <IconButton size="small" aria-label={t('users.clear_search')} onClick={() => setTyped('')}>
                      <X size={16} aria-hidden="true" />
                    </IconButton>
                  </InputAdornment>
                ),
              }),
        },
      }}
    />
  );
}

function searchIn(filters: unknown): string {
  const { q } = filters as { q?: unknown };
  return typeof q === 'string' ? q : '';
}

/** How many rows there are, how many to a page, and numbered pages; behind the last of them from each to the next. */
function Pager({ pageSizes, total }: { pageSizes: readonly number[]; total: number }) {
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
        {t('users.shown', {
          from: from.toLocaleString('en-US'),
          to: to.toLocaleString('en-US'),
          count:
            meta?.isEstimated === true
              ? t('layout.about', { count: count.toLocaleString('en-US') })
              : count.toLocaleString('en-US'),
        })}
      </span>
      <label className="rows">
        {t('users.rows')}
        <TextField
          select
          value={pageSizes.includes(perPage) ? perPage : ''}
          onChange={({ target }) => setPerPage(Number(target.value))}
          slotProps={{ htmlInput: { 'aria-label': t('users.rows') } }}
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

function ListSkeleton() {
  return (
    <div className="list-skeleton late" aria-hidden="true">
      {[150, 168, 140, 180, 156, 148].map((width) => (
        <div key={width} className="row">
          <span className="skel" style={{ width }} />
          <span className="skel grow" style={{ maxWidth: 220 }} />
          <span className="skel" style={{ width: 64 }} />
        </div>
      ))}
    </div>
  );
}
