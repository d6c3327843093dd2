import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { ErrorAlert } from '../error-alert';
import { PageLinks } from './page-links';
import { refusalOf } from '../../data/problem-message';
import { TwoFactorRequiredError } from '../two-factor-required';
import { type FilterTab, FilterTabs } from './filter-tabs';
import { useListAddress } from './list-address';
import { ListBox } from './list-box';

/** Tabs for the state of the rows, stored in the address. */
export function StateTabs<State extends string>({
  label,
  chosen,
  tabs,
  name = 'state',
}: {
  label: string;
  chosen: State;
  tabs: readonly FilterTab<State>[];
  name?: string;
}) {
  const { go } = useListAddress();
  return (
    <div className="tools">
      <FilterTabs label={label} tabs={tabs} chosen={chosen} onChoose={(value) => go({ [name]: value })} />
    </div>
  );
}

interface Paged {
  readonly total_pages: number;
  readonly current_page: number;
}

/** Page of rows, or the reason why there is none, with pagination. */
export function PageSummary({
  query: { error, refetch, isPlaceholderData },
  pages,
  rows,
  failed,
  empty,
  children,
}: {
  query: { error: Error | null; refetch: () => unknown; isPlaceholderData: boolean };
  pages?: Paged | undefined;
  rows: readonly unknown[] | undefined;
  failed: string;
  empty: string;
  children: ReactNode;
}) {
  const { addressWith } = useListAddress();
  // The last row of the page was decided, or the number was typed in by hand.
  if (pages !== undefined && pages.current_page > pages.total_pages)
    return <Navigate replace to={addressWith({ page: pages.total_pages })} />;
  return (
    <ListBox
      rows={rows}
      failed={
        error === null ? null : (
          <ErrorAlert
            text={
              refusalOf(error) === null ? (
                failed
              ) : (
                <TwoFactorRequiredError error={error} failed={refusalOf(error) ?? failed} />
              )
            }
            onRetry={() => void refetch()}
          />
        )
      }
      loading={<Loading />}
      empty={
        <div className="empty" role="status">
          <h2>{empty}</h2>
        </div>
      }
      isChanging={isPlaceholderData}
    >
      {children}
      {pages === undefined || pages.total_pages <= 1 ? null : (
        <div className="pager">
          <span className="grow" />
          <PageLinks page={pages.current_page} total={pages.total_pages} addressOf={(page) => addressWith({ page })} />
        </div>
      )}
    </ListBox>
  );
}

function Loading() {
  return (
    <div className="list-skeleton late" aria-hidden="true">
      {[150, 168, 140].map((width) => (
        <div key={width} className="row">
          <span className="skel" style={{ width }} />
          <span className="skel grow" style={{ maxWidth: 220 }} />
        </div>
      ))}
    </div>
  );
}
