import { CONSTANTS, type DeploymentGroup } from '@moorage/domain';
import { keepPreviousData } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useEvent, useListController, useStore } from 'react-admin';
import { useRunway } from '../../data/billing';
import type { Deployment } from '../../data/deployments';
import { useRead } from '../../data/use-read';
import { type Beyond, type PageMeta, type Place, type Shown, type Step, stepTo } from '../../data/paging';
import { useServerNow } from '../../data/server-now';
import { useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { reuseUnchangedRows, listRefreshMs, type ListPage } from '../../data/refresh';
import { errorText } from '../../data/problem-message';
import { useRetry } from '../../ui/list/use-retry';
import { useListFilters } from './use-list-filters';

const FIRST: Place = { page: 1, beyond: null };

/** State of the list: search, tab, owner, page, silent refresh and errors. */
export function useDeploymentList() {
  const t = useText();
  const isAdmin = useSession()?.user?.is_admin === true;
  const { search, setSearch, group, setGroup, owner, setOwner, filter, counted, searched } = useListFilters(isAdmin);
  const [stored, storeRows] = useStore<number>('dashboard.rows', CONSTANTS.pageSizeDefault);
  const rowsPerPage = CONSTANTS.dashboardPageSizes.find((size) => size === stored) ?? CONSTANTS.pageSizeDefault;
  const [asOf, setAsOf] = useState(0);
  const requested = JSON.stringify(filter);
  const [left, setLeft] = useState<{ requested: string; beyond: Beyond } | null>(null);
  // A cursor is valid only for the query that returned it.
  const beyond = left?.requested === requested ? left.beyond : null;
  const list = useRefreshedList({ filter, rowsPerPage, beyond, onLoaded: () => setAsOf(Date.now()) });
  const { data, total = 0, error, isPlaceholderData, page, perPage, setPage, setPerPage, refetch } = list;
  const meta = list.meta as PageMeta | undefined;
  const rowCount = data?.length ?? 0;
  // The last rows of this page have been removed meanwhile.
  if (beyond !== null && data?.length === 0 && isPlaceholderData !== true) setLeft(null);
  const counts = useRead(
    'deployments',
    'GET /deployments/counts',
    { query: counted },
    {
      placeholderData: keepPreviousData,
      refetchInterval: listRefreshMs(data === undefined ? undefined : { data }),
      retry: false,
    },
  );
  const { data: runway, dataUpdatedAt } = useRunway();
  const serverNow = useServerNow(runway?.now, dataUpdatedAt);
  const now = serverNow === 0 ? asOf : serverNow;

  const goTo = (to: Place): void => {
    setLeft(to.beyond === null ? null : { requested, beyond: to.beyond });
    if (to.page !== page) setPage(to.page);
  };
  // Stable functions, because React touches an input on every render even if nothing changed.
  const onSearch = useEvent((text: string) => {
    setSearch(text);
    goTo(FIRST);
  });
  const onOwner = useEvent((text: string) => {
    setOwner(text);
    goTo(FIRST);
  });
  const onGroup = useEvent((next: DeploymentGroup) => {
    setGroup(next);
    goTo(FIRST);
  });
  const shown = useMemo<Shown>(
    () => ({ page, beyond, perPage, total, rows: rowCount, meta }),
    [page, beyond, perPage, total, rowCount, meta],
  );
  const onStep = useEvent((step: Step) => {
    const to = stepTo(step, shown);
    // The cursor of the page being left leads back to the same place.
    if (to !== null && (to.beyond === null || isPlaceholderData !== true)) goTo(to);
  });
  const onPerPage = useEvent((rows: number) => {
    storeRows(rows);
    setLeft(null);
    setPerPage(rows);
  });
  return {
    isAdmin,
    /** Undefined until the first response. */
    rows: data,
    /** There is no deployment at all, as opposed to no match. */
    isEmpty: data?.length === 0 && total === 0 && searched === '' && group === 'all' && !isAdmin && !isPlaceholderData,
    isChanging: isPlaceholderData === true,
    failure: error == null ? null : failureMessage(t('deployments.failed'), error),
    asOf,
    now,
    searched,
    tryAgain: () => void refetch(),
    clear: () => {
      setSearch('');
      setOwner('');
      setGroup('all');
      goTo(FIRST);
    },
    tools: { search, onSearch, owner, onOwner, group, onGroup, counts: counts.data },
    pager: { shown, onStep, onPerPage },
  };
}

/** Reads a page of the list, and refreshes it silently. */
function useRefreshedList({
  filter,
  rowsPerPage,
  beyond,
  onLoaded,
}: {
  filter: ReturnType<typeof useListFilters>['filter'];
  rowsPerPage: number;
  beyond: Beyond | null;
  onLoaded: () => void;
}) {
  const retry = useRetry();
  return useListController<Deployment>({
    resource: 'deployments',
    sort: { field: 'created_at', order: 'DESC' },
    perPage: rowsPerPage,
    filter,
    disableSyncWithLocation: true,
    disableAuthentication: true,
    storeKey: false,
    queryOptions: {
      retry,
      meta: beyond === null ? undefined : { cursor: beyond.cursor },
      // Unchanged data stays the same objects, so the page does not render again.
      structuralSharing: (shown, answer) => reuseUnchangedRows(shown as ListPage | undefined, answer as ListPage),
      refetchInterval: ({ state }) => listRefreshMs(state.data),
      onSuccess: onLoaded,
      // The error is shown in the page, with the age of the data.
      onError: () => undefined,
    },
  });
}

function failureMessage(fallback: string, error: unknown): string {
  const reason = error instanceof Error ? errorText(error) : '';
  return reason === '' ? fallback : `${fallback}. ${reason}`;
}
