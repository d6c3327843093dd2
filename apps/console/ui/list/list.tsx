import { CONSTANTS } from '@moorage/domain';
import type { ReactNode } from 'react';
import { ListBase, type RaRecord, type SortPayload, useListContext } from 'react-admin';
import { ErrorAlert } from '../error-alert';
import { TwoFactorRequiredError } from '../two-factor-required';
import { useTitle } from '../use-title';
import { ListBox } from './list-box';
import { ListSkeleton } from './list-skeleton';
import type { PageMeta } from '../../data/paging';
import { isForbidden } from '../../data/errors';
import { refusalOf } from '../../data/problem-message';
import { NumberedPager, useBeyond } from './numbered-pager';
import { PlainPager } from './plain-pager';
import { searchIn } from './search-input';
import { useRetry } from './use-retry';

interface ListPage {
  /** Heading and window title. */
  readonly title: string;
  readonly intro?: ReactNode;
  readonly failed: string | ((error: Error) => ReactNode);
  readonly empty: ReactNode;
  /** Text for a search without results. */
  readonly notFound?: (search: string) => string;
  readonly notFoundHint?: string;
  /** Button next to the heading, such as one that creates a record. */
  readonly actions?: ReactNode;
  /** Content between the heading and the filters. */
  readonly above?: ReactNode;
  /** Inputs above the table, which set filters of the list's context. */
  readonly filters?: ReactNode;
  /** Page sizes to choose from. If missing, the API decides how many records a page has. */
  readonly pageSizes?: readonly number[];
  /** The table. */
  readonly children: ReactNode;
}

/**
 * Page with the records of a resource: heading, filters, table, pages, and the loading, empty and error states. Search,
 * filters, order and page are part of the address.
 */
export function List({
  resource,
  sort,
  perPage = CONSTANTS.pageSizeDefault,
  refreshMs,
  keepsRows = true,
  ...page
}: ListPage & {
  readonly resource: string;
  readonly sort: SortPayload;
  readonly perPage?: number;
  /** Interval after which the records are loaded again. */
  readonly refreshMs?: number;
  /** Shows the previous records while others load. False if their buttons depend on the filter. */
  readonly keepsRows?: boolean;
}) {
  const beyond = useBeyond();
  const retry = useRetry();
  return (
    <ListBase
      resource={resource}
      perPage={perPage}
      sort={sort}
      storeKey={false}
      disableAuthentication
      queryOptions={{
        onError: shownInPlace,
        retry,
        ...(keepsRows ? {} : { placeholderData: undefined }),
        ...(refreshMs === undefined ? {} : { refetchInterval: refreshMs }),
        ...(beyond === null ? {} : { meta: { cursor: beyond.cursor } }),
      }}
    >
      <Page {...page} />
    </ListBase>
  );
}

const shownInPlace = (): void => undefined;

function Page({ title, intro, actions, above, filters, ...body }: ListPage) {
  useTitle(title);
  return (
    <main className="main" id="content" tabIndex={-1}>
      <div className="title">
        <div className="grow">
          <h1>{title}</h1>
          {intro === undefined ? null : <p>{intro}</p>}
        </div>
        {actions}
      </div>
      {above}
      {filters === undefined ? null : <div className="tools">{filters}</div>}
      <Records {...body} />
    </main>
  );
}

function Records({
  failed,
  empty,
  notFound,
  notFoundHint,
  pageSizes,
  children,
}: Omit<ListPage, 'title' | 'intro' | 'actions' | 'above' | 'filters'>) {
  const { data: rows, refetch, total, ...list } = useListContext<RaRecord>();
  const error = list.error as Error | null | undefined;
  const search = searchIn(list.filterValues);
  const { pages = 1 } = (list.meta ?? {}) as PageMeta;
  const pager =
    pageSizes !== undefined && total !== undefined && total > 0 ? (
      <NumberedPager pageSizes={pageSizes} total={total} />
    ) : pages > 1 ? (
      <PlainPager pages={pages} />
    ) : null;
  return (
    <ListBox
      rows={rows}
      failed={
        error == null ? null : (
          <ErrorAlert
            text={
              typeof failed === 'string' ? (
                <TwoFactorRequiredError error={error} failed={refusalOf(error) ?? failed} />
              ) : (
                failed(error)
              )
            }
            onRetry={isForbidden(error) ? null : () => void refetch()}
          />
        )
      }
      loading={<ListSkeleton />}
      empty={
        <>
          <div className="empty" role="status">
            <h2>{search === '' ? empty : (notFound?.(search) ?? empty)}</h2>
            {search === '' || notFoundHint === undefined ? null : <p className="soft small">{notFoundHint}</p>}
          </div>
          {pager}
        </>
      }
      isChanging={list.isPlaceholderData === true}
    >
      {children}
      {pager}
    </ListBox>
  );
}
