import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly label: string;
  readonly render: (row: Row) => ReactNode;
}

/** Rows with the same facts; cards on a phone, headed by the first of them. */
export function RecordTable<Row extends { readonly id: number }>({
  label,
  columns,
  rows,
  action,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  action?: { readonly label: string; readonly render: (row: Row) => ReactNode };
}) {
  return (
    <div className="tablebox">
      <table className="t cards" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col">
                {column.label}
              </th>
            ))}
            {action === undefined ? null : (
              <th scope="col">
                <span className="vh">{action.label}</span>
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
