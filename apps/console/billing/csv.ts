import type { Transaction } from './transaction-words';

const HEADER = ['date', 'time_utc', 'id', 'type', 'description', 'deployment_id', 'amount_usd'];

/** Every transaction, newest first, amounts with six decimals; opens in a spreadsheet as text and numbers, never as a formula. */
export function csvOf(transactions: readonly Transaction[]): string {
  const lines = transactions.map(({ created_at: at, id, type, description, deployment_id: deployment, amount }) => [
    at.slice(0, 10),
    at.slice(11, 19),
    String(id),
    type,
    quoted(description),
    deployment === null ? '' : String(deployment),
    amount.toFixed(6),
  ]);
  // the mark at the beginning tells spreadsheets that this is UTF-8
  return `\uFEFF${[HEADER, ...lines].map((cells) => cells.join(',')).join('\r\n')}\r\n`;
}

/** A cell that a spreadsheet would take for a formula begins with an apostrophe. */
function quoted(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
