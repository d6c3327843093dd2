import type { SxProps } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { CONSTANTS } from '@moorage/domain';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { DataTable, ListBase, type RaRecord, type SortPayload, useListContext } from 'react-admin';
import { useDebounced } from '../debounced';
import { ErrorAlert } from '../error-alert';
import { useTitle } from '../use-title';
import { FilterTabs } from './filter-tabs';
import { ListBox } from './list-box';
import { NumberedPager, useBeyond } from './numbered-pager';
import { SearchField } from './search-field';

export interface ListTexts {
  /** Heading and window title. */
  readonly title: string;
  readonly intro?: string;
  /** Label of the search field. If missing, there is no search. */
  readonly search?: string;
  /** Short label for phones, where the full one would be truncated. */
  readonly searchShort?: string;
  readonly failed: string | ((error: unknown) => ReactNode);
  readonly empty: string;
  /** Text for a search without results. */
  readonly notFound?: (search: string) => string;
  readonly notFoundHint?: string;
}

export interface ListColumn<Row> {
  readonly label: ReactNode;
  /** Field to sort by. If missing, the column is not sortable. */
  readonly sortBy?: string;
  readonly align?: 'right';
  readonly className?: string;
  readonly render: (row: Row) => ReactNode;
}

export interface ListTabs {
  /** Filter set by the tabs. The first tab clears it. */
  readonly filter: string;
  readonly label: string;
  readonly all: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}

interface Parts<Row> {
  readonly texts: ListTexts;
  readonly columns: readonly ListColumn<Row>[];
  /** Row on a phone. By default its columns are stacked. */
  readonly card?: (row: Row) => ReactNode;
  readonly tabs?: ListTabs;
  /** Content between the heading and the filters. */
  readonly above?: ReactNode;
  /** Button next to the heading that creates a record. */
  readonly action?: ReactNode;
  /** Additional filters next to the search. They use the list's context. */
  readonly tools?: ReactNode;
  /** Rows that appear dimmed in the table. */
  readonly isDimmed?: (row: Row) => boolean;
  /** Page sizes. If missing, all rows are loaded at once. */
  readonly pageSizes?: readonly number[];
}

/**
 * List of a resource with heading, search, filters, a table that becomes cards on phones, and numbered pages. Search,
 * filters, order and page are part of the address.
 */
export function ListScreen<Row extends RaRecord>({
  resource,
  sort,
  ...parts
}: Parts<Row> & { readonly resource: string; readonly sort: SortPayload }) {
  const beyond = useBeyond();
  return (
    <ListBase
      resource={resource}
      perPage={CONSTANTS.pageSizeDefault}
      sort={sort}
      storeKey={false}
      disableAuthentication
      queryOptions={{ onError: shownInPlace, ...(beyond === null ? {} : { meta: { cursor: beyond.cursor } }) }}
    >
      <Screen {...parts} />
    </ListBase>
  );
}

const shownInPlace = (): void => undefined;

const PHONE = '(max-width: 767px)';

function Screen<Row extends RaRecord>({
  texts,
  columns,
  card,
  tabs,
  above,
  action,
  tools,
  isDimmed,
  pageSizes,
}: Parts<Row>) {
  useTitle(texts.title);
  const phone = useMediaQuery(PHONE, { noSsr: true });
  const { data: rows, refetch, total, ...list } = useListContext<Row>();
  const failure = list.error as unknown;
  const search = searchIn(list.filterValues);
  const pager =
    pageSizes === undefined || total === undefined || total === 0 ? null : (
      <NumberedPager pageSizes={pageSizes} total={total} />
    );
  return (
    <main className="main" id="content" tabIndex={-1}>
      <div className="title">
        <div className="grow">
          <h1>{texts.title}</h1>
          {texts.intro === undefined ? null : <p>{texts.intro}</p>}
        </div>
        {action}
      </div>
      {above}
      {texts.search === undefined && tabs === undefined && tools === undefined ? null : (
        <div className="tools">
          {texts.search === undefined ? null : (
            <SearchInput
              label={texts.search}
              placeholder={phone ? (texts.searchShort ?? texts.search) : texts.search}
            />
          )}
          {tabs === undefined ? null : <Tabs {...tabs} />}
          <span className="grow hide-s" />
          {tools}
        </div>
      )}
      <ListBox
        rows={rows}
        failed={
          failure ? (
            <ErrorAlert
              text={typeof texts.failed === 'string' ? texts.failed : texts.failed(failure)}
              onRetry={() => void refetch()}
            />
          ) : null
        }
        loading={<Loading />}
        empty={
          <>
            <div className="empty" role="status">
              <h2>{search === '' ? texts.empty : (texts.notFound?.(search) ?? texts.empty)}</h2>
              {search === '' || texts.notFoundHint === undefined ? null : (
                <p className="soft small">{texts.notFoundHint}</p>
              )}
            </div>
            {pager}
          </>
        }
        isChanging={list.isPlaceholderData === true}
      >
        {phone ? (
          <ul className="list-cards">
            {rows?.map((row) => (
              <li key={row.id}>{card === undefined ? <Card row={row} columns={columns} /> : card(row)}</li>
            ))}
          </ul>
        ) : (
          <DataTable<Row>
            className="list-table"
            bulkActionButtons={false}
            rowClick={false}
            rowSx={(row): SxProps =>
              isDimmed?.(row) === true ? { '& td, & td a.name': { color: 'var(--ink-2)' } } : {}
            }
          >
            {columns.map(({ label, sortBy, align, className, render }, index) => (
              <DataTable.Col<Row>
                key={index}
                source={sortBy}
                label={label}
                align={align}
                className={className}
                render={render}
              />
            ))}
          </DataTable>
        )}
        {pager}
      </ListBox>
    </main>
  );
}

/** Search field that waits half a second after the last keystroke. Back restores the previous search. */
function SearchInput({ label, placeholder }: { label: string; placeholder: string }) {
  const { setFilters, ...list } = useListContext();
  const filters = list.filterValues as Record<string, unknown>;
  const requested = searchIn(filters);
  const [typed, setTyped] = useState(requested);
  const settled = useDebounced(typed, CONSTANTS.searchDebounceMs).trim();
  const sent = useRef(requested);
  useEffect(() => {
    // The search was changed elsewhere on the page.
    if (requested === sent.current) return;
    sent.current = requested;
    setTyped(requested);
  }, [requested]);
  useEffect(() => {
    if (settled === sent.current) return;
    sent.current = settled;
    const { q: _before, ...others } = filters;
    setFilters(settled === '' ? others : { ...others, q: settled });
  }, [settled, filters, setFilters]);
  return <SearchField label={label} placeholder={placeholder} wide value={typed} onChange={setTyped} />;
}

function searchIn(filters: unknown): string {
  const { q } = filters as { q?: unknown };
  return typeof q === 'string' ? q : '';
}

function Tabs({ filter, label, all, choices }: ListTabs) {
  const { setFilters, ...list } = useListContext();
  const { [filter]: chosen, ...others } = list.filterValues as Record<string, unknown>;
  return (
    <FilterTabs
      label={label}
      tabs={[{ value: '', label: all }, ...choices]}
      chosen={typeof chosen === 'string' ? chosen : ''}
      onChoose={(value) => setFilters(value === '' ? others : { ...others, [filter]: value })}
    />
  );
}

/** Card of a row. The first column is its heading. */
function Card<Row>({ row, columns: [first, ...others] }: { row: Row; columns: readonly ListColumn<Row>[] }) {
  return (
    <>
      <span>{first?.render(row)}</span>
      {others.map(({ label, render }, index) => (
        <span key={index} className="small soft anywhere">
          <span className="muted">{label}</span> {render(row)}
        </span>
      ))}
    </>
  );
}

function Loading() {
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
