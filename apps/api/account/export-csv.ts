import type { Column, Shown } from './export-lists';

/** Returns the header line. The byte order mark identifies the file as UTF-8 to spreadsheets. */
export function csvHead(columns: readonly Column[]): string {
  return `\uFEFF${columns.map(({ name }) => name).join(',')}\r\n`;
}

export function csvLines(columns: readonly Column[], rows: readonly (readonly Shown[])[]): string {
  return rows.map((row) => `${row.map((value, index) => cell(columns[index], value)).join(',')}\r\n`).join('');
}

function cell(column: Column | undefined, value: Shown): string {
  if (value === null) return '';
  if (typeof value === 'object') return quoted(JSON.stringify(value));
  return typeof value === 'string' && column?.kind === 'text' ? quoted(value) : String(value);
}

/**
 * Quotes a cell. An apostrophe precedes text that a spreadsheet would interpret as a formula, including full-width
 * signs.
 */
function quoted(text: string): string {
  const harmless = /^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
