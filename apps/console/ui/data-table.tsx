import { ArrowDown, ArrowUp } from 'lucide-react';
import { Children, isValidElement, type ReactElement, type ReactNode } from 'react';
import { type RaRecord, type SortPayload, useListContextWithProps, useTranslate } from 'react-admin';
import './data-table.css';
import { useIsPhone } from './use-is-phone';

interface ColumnProps<Row extends RaRecord> {
  /** Heading, already translated. An element for a heading that only screen readers read. */
  readonly label: ReactNode;
  readonly render: (row: Row) => ReactNode;
  /** Field by which the column sorts the surrounding list. Without it the column is not sortable. */
  readonly source?: string;
  /** Order of the first sort by this column. */
  readonly sortByOrder?: SortPayload['order'];
  readonly align?: 'right';
  readonly className?: string;
}

/**
 * Table of records, which becomes a list of cards on phones. Shows the records of the surrounding list, or `rows`. The
 * children are `DataTable.Col`.
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
  const { data = [], sort, setSort } = useListContextWithProps<Row>(rows === undefined ? {} : { data: [...rows] });
  const columns = columnsIn<Row>(children);
  const classes = (own: string): string => (className === undefined ? own : `${own} ${className}`);
  if (isPhone) {
    return (
      <ul className={classes('data-cards')} aria-label={label}>
        {(data as readonly Row[]).map((row) => (
          <li key={row.id}>{card === undefined ? <Card row={row} columns={columns} /> : card(row)}</li>
        ))}
      </ul>
    );
  }
  return (
    <table className={classes('data-table')} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ key, props }) => (
            <Heading key={key} {...props} sort={sort} onSort={setSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {(data as readonly Row[]).map((row) => (
          <tr key={row.id} className={isDimmed?.(row) === true ? 'dim' : undefined}>
            {columns.map(({ key, props }) => (
              <td key={key} className={classOf(props)}>
                {props.render(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

DataTable.Col = Column;

/** Column of a table, which reads its properties. */
function Column<Row extends RaRecord>(_: ColumnProps<Row>): ReactNode {
  return null;
}

const classOf = ({ align, className = '' }: Pick<ColumnProps<RaRecord>, 'align' | 'className'>): string | undefined =>
  `${className}${align === undefined ? '' : ' right'}`.trim() || undefined;

/** Heading of a column. That of a sortable column states the order and has a button to change it. */
function Heading({
  label,
  source,
  sortByOrder = 'ASC',
  sort,
  onSort,
  ...look
}: Omit<ColumnProps<RaRecord>, 'render'> & {
  sort: SortPayload | undefined;
  onSort: ((sort: SortPayload) => void) | undefined;
}) {
  const translate = useTranslate();
  const className = classOf(look);
  if (source === undefined)
    return (
      <th scope="col" className={className}>
        {label}
      </th>
    );
  const order = sort?.field === source ? sort.order : null;
  const next = order === null ? sortByOrder : order === 'ASC' ? 'DESC' : 'ASC';
  const Icon = (order ?? next) === 'ASC' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      className={className}
      aria-sort={order === null ? 'none' : order === 'DESC' ? 'descending' : 'ascending'}
    >
      <button
        type="button"
        className="sort"
        aria-label={translate('ra.sort.sort_by', {
          field_lower_first: label,
          order: translate(`ra.sort.${next}`),
        })}
        onClick={() => onSort?.({ field: source, order: next })}
      >
        {label}
        <Icon size={14} aria-hidden="true" />
      </button>
    </th>
  );
}

type ColumnElement<Row extends RaRecord> = ReactElement<ColumnProps<Row>>;

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
      <span>{first?.props.render(row)}</span>
      {others.map(({ key, props: { label, render } }) => {
        const content = render(row);
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
