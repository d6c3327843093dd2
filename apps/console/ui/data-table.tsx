import type { SxProps } from '@mui/material/styles';
import { Children, isValidElement, type ReactElement, type ReactNode } from 'react';
import {
  DataTable as Table,
  type DataTableColumnProps,
  type RaRecord,
  type SortPayload,
  useDataTableRenderContext,
  useDataTableSortContext,
  useListContextWithProps,
} from 'react-admin';
import './data-table.css';
import { useIsPhone } from './use-is-phone';

const DIMMED: SxProps = { '& td, & td a.name': { color: 'var(--ink-2)' } };
const UNSORTED: SortPayload = { field: '', order: 'ASC' };
/** react-admin requires the name of a resource, also for records that belong to none. */
const NO_RESOURCE = 'rows';

/**
 * react-admin's DataTable, which becomes a list of cards on phones. Shows the records of the surrounding list, or
 * `rows`. The children are `DataTable.Col`, each with a label that is already translated.
 */
export function DataTable<Row extends RaRecord>({
  label,
  rows,
  card,
  isDimmed,
  className,
  children,
}: {
  /** Accessible name. May be missing if the page's heading names the only table. */
  label?: string;
  /** Records that do not come from the surrounding list. */
  rows?: readonly Row[];
  /** Content of a record's card on a phone. By default its columns, the first as heading. */
  card?: (row: Row) => ReactNode;
  /** Records whose row appears dimmed. */
  isDimmed?: (row: Row) => boolean;
  /** Class of the table and of the list of cards. */
  className?: string;
  children: ReactNode;
}) {
  const isPhone = useIsPhone();
  const given =
    rows === undefined
      ? {}
      : { data: [...rows], total: rows.length, isPending: false, sort: UNSORTED, resource: NO_RESOURCE };
  const { data = [] } = useListContextWithProps<Row>(given);
  const classes = (own: string): string => (className === undefined ? own : `${own} ${className}`);
  if (isPhone) {
    return (
      <ul className={classes('data-cards')} aria-label={label}>
        {(data as readonly Row[]).map((row) => (
          <li key={row.id}>{card === undefined ? <Card row={row} columns={columnsIn<Row>(children)} /> : card(row)}</li>
        ))}
      </ul>
    );
  }
  return (
    <Table<Row>
      {...given}
      className={classes('data-table')}
      aria-label={label}
      bulkActionButtons={false}
      rowClick={false}
      rowSx={(row): SxProps => (isDimmed?.(row) === true ? DIMMED : {})}
    >
      {children}
    </Table>
  );
}

DataTable.Col = Column;

/** Column of a table. The heading of a sortable column states the order. */
function Column<Row extends RaRecord>(props: DataTableColumnProps<Row>) {
  const isHeading = useDataTableRenderContext() === 'header';
  const sort = useDataTableSortContext();
  if (!isHeading || props.source === undefined) return <Table.Col<Row> {...props} />;
  const order = sort?.order === 'DESC' ? 'descending' : 'ascending';
  return <Table.Col<Row> {...props} aria-sort={sort?.field === props.source ? order : 'none'} />;
}

type ColumnElement<Row extends RaRecord> = ReactElement<DataTableColumnProps<Row>>;

const columnsIn = <Row extends RaRecord>(children: ReactNode): readonly ColumnElement<Row>[] =>
  Children.toArray(children).filter((child): child is ColumnElement<Row> => isValidElement(child));

function Card<Row extends RaRecord>({
  row,
  columns: [first, ...others],
}: {
  row: Row;
  columns: readonly ColumnElement<Row>[];
}) {
  return (
    <>
      <span>{first?.props.render?.(row)}</span>
      {others.map(({ key, props: { label, render } }) => {
        const content = render?.(row);
        if (content === null) return null;
        // A column of buttons has a heading for screen readers only, which is an element.
        return typeof label === 'string' ? (
          <CardLine key={key} label={label}>
            {content}
          </CardLine>
        ) : (
          <span key={key}>{content}</span>
        );
      })}
    </>
  );
}

/** Value with its label, in a record's card on a phone. */
export function CardLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="card-line">
      <span className="muted">{label}</span>
      <span className="anywhere">{children}</span>
    </span>
  );
}
