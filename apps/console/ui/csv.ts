/** Cell content. `text` marks user input, which is escaped. */
type Cell = string | { readonly text: string };

/** Builds a CSV file that spreadsheets open as text and numbers, never as formulas. */
export function csvText(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map((cells) => cells.map((cell) => (typeof cell === 'string' ? cell : quoted(cell.text))));
  // The byte order mark tells spreadsheets that this is UTF-8.
  return `\uFEFF${[header, ...lines].map((cells) => cells.join(',')).join('\r\n')}\r\n`;
}

/** Quotes a cell. Prefixes an apostrophe if a spreadsheet would treat it as a formula, including full-width signs. */
function quoted(text: string): string {
  const harmless = /^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}

/** Returns the text of a CSV file for a download. */
export const csvBlob = (text: string): Blob => new Blob([text], { type: 'text/csv;charset=utf-8' });
