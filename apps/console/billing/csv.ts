import type { Transaction } from './transaction-words';

const HEADER = ['date', 'time_utc', 'id', 'type', 'description', 'deployment_id', 'amount_usd'];

/** Every transaction, newest first, amounts with six decimals. */
export function csvOf(transactions: readonly Transaction[]): string {
  return csvText(
    HEADER,
    transactions.map(({ created_at: at, id, type, description, deployment_id: deployment, amount }) => [
      at.slice(0, 10),
      at.slice(11, 19),
      String(id),
      type,
      { text: description },
      deployment === null ? '' : String(deployment),
      amount.toFixed(6),
    ]),
  );
}

/** A cell: as it is, or text by people. */
type Cell = string | { readonly text: string };

/** A file of comma-separated values that opens in a spreadsheet as text and numbers, never as a formula. */
export function csvText(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map((cells) => cells.map((cell) => (typeof cell === 'string' ? cell : quoted(cell.text))));
  // the mark at the beginning tells spreadsheets that this is UTF-8
  return `\uFEFF${[header, ...lines].map((cells) => cells.join(',')).join('\r\n')}\r\n`;
}

/** A cell that a spreadsheet would take for a formula, full-width signs included, begins with an apostrophe. */
function quoted(text: string): string {
  const harmless = /^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
