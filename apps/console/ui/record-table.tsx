import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';

export interface Sorting {
  /** Null if the rows are sorted by another column. */
  readonly order: 'asc' | 'desc' | null;
  readonly onSort: () => void;
}

export interface Column<Row> {
  readonly label: string;
  /** Sort state. If missing, the column is not sortable. */
  readonly sorting?: Sorting;
  readonly render: (row: Row) => ReactNode;
}

/** Table of records. Becomes cards on phones, with the first column as heading. */
export function RecordTable<Row extends { readonly id: number }>({
  label,
  columns,
  rows,
  action,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** `isShown` makes the label a visible heading. */
  action?: { readonly label: string; readonly isShown?: true; readonly render: (row: Row) => ReactNode };
}) {
  return (
    <div className="tablebox">
      <table className="t cards" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.label} {...column} />
            ))}
            {action === undefined ? null : (
              <th scope="col">
                <span className={action.isShown === true ? undefined : 'vh'}>{action.label}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {columns.map((column, index) => (
                <td key={column.label} data-l={index === 0 ? undefined : column.label}>
                  {column.render(row)}
                </td>
              ))}
              {action === undefined ? null : <td className="act">{action.render(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Heading({ label, sorting }: Pick<Column<never>, 'label' | 'sorting'>) {
  if (sorting === undefined) return <th scope="col">{label}</th>;
  const { order, onSort } = sorting;
  const Icon = order === 'asc' ? ArrowUp : ArrowDown;
  return (
    <th scope="col" aria-sort={order === null ? 'none' : order === 'asc' ? 'ascending' : 'descending'}>
      <button type="button" className="sort" onClick={onSort}>
        {label}
        <Icon size={14} className={order === null ? 'off' : undefined} aria-hidden="true" />
      </button>
    </th>
  );
}
