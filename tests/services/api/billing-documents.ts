import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Returns the text of each page of a PDF by line. Texts at the same height form a line, separated by a bar. */
export async function pdfPages(bytes: Buffer): Promise<string[][]> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const pdf = await task.promise;
  const pages: string[][] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    const lines = new Map<number, string[]>();
    for (const item of items) {
      if (!('str' in item) || item.str.trim() === '') continue;
      const height = Math.round((item.transform as number[])[5] ?? 0);
      lines.set(height, [...(lines.get(height) ?? []), item.str]);
    }
    pages.push([...lines].sort(([a], [b]) => b - a).map(([, parts]) => parts.join(' | ')));
  }
  await task.destroy();
  return pages;
}
