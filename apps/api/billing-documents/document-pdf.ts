import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Money } from '@moorage/domain';
import { type DocumentTexts, SERVER_TEXTS } from '@moorage/texts/server';
import type { DocumentFacts, MovementDocument, StatementDocument } from './document-facts';

/** A4 in points, with 20 mm at the sides. */
const PAGE = { width: 595.28, height: 841.89, side: 56.7, top: 56.7, bottom: 76 };
const WIDTH = PAGE.width - 2 * PAGE.side;
const RIGHT = PAGE.width - PAGE.side;

/** Padding above and below the text of a cell. */
const CELL = 2.2;

const INK = '#1a2433';
const SOFT = '#5b6676';
const LINE = '#c9d0d9';

type Pdf = PDFKit.PDFDocument;

/** Renders a document as PDF. The same facts result in the same bytes. */
export async function documentPdf(facts: DocumentFacts): Promise<Buffer> {
  const [{ default: PdfDocument }, regular, bold] = await Promise.all([
    import('pdfkit'),
    font('400Regular/NotoSans_400Regular.ttf'),
    font('600SemiBold/NotoSans_600SemiBold.ttf'),
  ]);
  const { documents: texts, dates } = SERVER_TEXTS[facts.language];
  const title = `${texts.titles[facts.kind]} ${facts.number}`;
  const pdf = new PdfDocument({
    size: 'A4',
    margins: { top: PAGE.top, left: PAGE.side, right: PAGE.side, bottom: 0 },
    bufferPages: true,
    // A Buffer is interpreted as a font file, a name as one of the viewer's own fonts.
    font: regular as unknown as string,
    lang: facts.language,
    displayTitle: true,
    info: { Title: title, Author: facts.operator.name, CreationDate: new Date(facts.issued_at) },
  });
  pdf.registerFont('regular', regular).registerFont('bold', bold);
  new Page(pdf, texts, dates.tag).document(facts);
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const written = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject));
  pdf.end();
  await written;
  return Buffer.concat(chunks);
}

const packages = createRequire(import.meta.url);
const FONTS = new Map<string, Promise<Buffer>>();

function font(path: string): Promise<Buffer> {
  let bytes = FONTS.get(path);
  if (bytes === undefined)
    FONTS.set(path, (bytes = readFile(packages.resolve(`@expo-google-fonts/noto-sans/${path}`))));
  return bytes;
}

/** Position and alignment of a column. */
interface Column {
  readonly x: number;
  readonly width: number;
  readonly align?: 'right';
}

interface Style {
  readonly bold?: boolean;
  readonly size?: number;
  readonly color?: string;
}

/** Draws from the top of the first page to the foot of the last. */
class Page {
  private y = PAGE.top;

  constructor(
    private readonly pdf: Pdf,
    private readonly texts: DocumentTexts,
    private readonly tag: string,
  ) {}

  document(facts: DocumentFacts): void {
    this.head(facts);
    if (facts.kind === 'statement') this.statement(facts);
    else this.movement(facts);
    this.feet(facts);
  }

  /** Draws issuer and recipient, with the facts of the document at the right. */
  private head(facts: DocumentFacts): void {
    const { operator, customer } = facts;
    const { texts } = this;
    const left: Column = { x: PAGE.side, width: WIDTH * 0.52 };
    this.lines([operator.name], left, { bold: true, size: 12 });
    this.lines(operator.lines, left, { color: SOFT });
    if (operator.tax_id !== null) this.lines([`${texts.tax_id}: ${operator.tax_id}`], left, { color: SOFT });
    this.y = Math.max(this.y + 30, 150);
    this.lines(
      [`${texts.titles[facts.kind]} ${facts.number}`],
      { x: PAGE.side, width: WIDTH },
      { bold: true, size: 20 },
    );
    this.y += 18;
    const top = this.y;
    this.lines([texts.billed_to], left, { color: SOFT, size: 8 });
    this.lines([customer.name], left, { bold: true });
    this.lines(customer.lines, left);
    if (customer.tax_id !== null) this.lines([`${texts.tax_id}: ${customer.tax_id}`], left);
    const foot = this.y;
    this.y = top;
    for (const [name, value] of this.properties(facts)) {
      const from = this.y;
      this.lines([name], { x: PAGE.side + WIDTH * 0.56, width: WIDTH * 0.16 }, { color: SOFT });
      this.y = from;
      this.lines([value], { x: PAGE.side + WIDTH * 0.72, width: WIDTH * 0.28 });
    }
    this.y = Math.max(this.y, foot) + 28;
  }

  private properties(facts: DocumentFacts): [name: string, value: string][] {
    const { texts } = this;
    const all: [string, string | null][] = [
      [texts.issued, this.day(facts.issued_at)],
      [texts.account, String(facts.customer.account_id)],
    ];
    if (facts.kind === 'statement') all.push([texts.month, this.month(facts.month)]);
    else
      all.push(
        [texts.moved[facts.kind], this.day(facts.moved_at)],
        [texts.for_receipt, facts.receipt],
        [texts.reference, facts.reference],
      );
    return all.filter((pair): pair is [string, string] => pair[1] !== null);
  }

  private movement({ movement, amount_micros, tax, test_mode }: MovementDocument): void {
    const { texts } = this;
    const parts = tax === null ? [] : [tax.net_micros, tax.tax_micros];
    const decimals = decimalsOf([amount_micros, ...parts]);
    const amount = (micros: string): string => this.amount(micros, decimals);
    const columns: Column[] = [
      { x: PAGE.side, width: WIDTH - 110 },
      { x: RIGHT - 100, width: 100, align: 'right' },
    ];
    this.row([texts.description, texts.amount], columns, { color: SOFT, size: 8 });
    this.rule(1);
    this.row([texts.movements[movement], amount(amount_micros)], columns);
    this.rule(0.5);
    if (tax !== null) {
      this.row([texts.net, amount(tax.net_micros)], columns, { color: SOFT });
      this.row([tax.text, amount(tax.tax_micros)], columns, { color: SOFT });
    }
    this.row([texts.total, amount(amount_micros)], columns, { bold: true, size: 11 });
    this.y += 18;
    const whole: Column = { x: PAGE.side, width: WIDTH };
    if (test_mode) this.lines([texts.test_mode], whole, { bold: true });
    this.lines([texts.notes[movement]], whole, { color: SOFT });
  }

  private statement({ opening, rows, closing }: StatementDocument): void {
    const { texts } = this;
    const all = [opening, ...rows, closing];
    const owes = all.some(({ owed_micros }) => owed_micros !== '0');
    const sums = (['regular', 'credit', 'owed'] as const).slice(0, owes ? 3 : 2);
    const decimals = decimalsOf(all.flatMap((row) => sums.map((name) => row[`${name}_micros`])));
    const amounts = (row: (typeof all)[number]): string[] =>
      sums.map((name) => this.amount(row[`${name}_micros`], decimals));
    const width = 88;
    const columns: Column[] = [
      { x: PAGE.side, width: 96 },
      { x: PAGE.side + 100, width: WIDTH - 104 - width * sums.length },
      ...sums.map((_, at): Column => ({ x: RIGHT - width * (sums.length - at) + 4, width: width - 4, align: 'right' })),
    ];
    const heading = (): void => {
      const names = [texts.regular, texts.credits, texts.owed].slice(0, sums.length);
      this.row([texts.day, texts.posted, ...names], columns, { color: SOFT, size: 8 });
      this.rule(1);
    };
    heading();
    this.row(['', texts.opening, ...amounts(opening)], columns, { bold: true });
    this.rule(0.5);
    if (rows.length === 0) this.row([texts.nothing], [{ x: PAGE.side + 100, width: WIDTH - 100 }], { color: SOFT });
    let before = '';
    for (const row of rows) {
      // Reserves space for the closing balance, so that it is never alone on a page.
      if (this.y > PAGE.height - PAGE.bottom - 40) {
        this.turn();
        heading();
        before = '';
      }
      const what = row.count === 1 ? texts.types[row.type] : `${texts.types[row.type]} (${row.count})`;
      this.row([row.day === before ? '' : this.day(row.day), what, ...amounts(row)], columns);
      before = row.day;
    }
    this.rule(0.5);
    this.row(['', texts.closing, ...amounts(closing)], columns, { bold: true });
    this.y += 14;
    this.lines([texts.statement_note], { x: PAGE.side, width: WIDTH }, { color: SOFT, size: 8 });
  }

  private feet({ number, operator }: DocumentFacts): void {
    const { count } = this.pdf.bufferedPageRange();
    const y = PAGE.height - PAGE.bottom + 34;
    for (let page = 0; page < count; page++) {
      this.pdf.switchToPage(page);
      this.y = y;
      this.rule(0.5);
      this.row(
        [`${operator.name} · ${number}`, this.texts.page(page + 1, count)],
        [
          { x: PAGE.side, width: WIDTH - 110 },
          { x: RIGHT - 100, width: 100, align: 'right' },
        ],
        { color: SOFT, size: 8 },
      );
    }
  }

  private turn(): void {
    this.pdf.addPage();
    this.y = PAGE.top;
  }

  /** Draws cells next to each other. The next row begins below the highest cell. */
  private row(cells: readonly string[], columns: readonly Column[], style: Style = {}): void {
    const top = this.y + CELL;
    let foot = top;
    columns.forEach((column, at) => {
      this.y = top;
      this.lines([cells[at] ?? ''], column, style);
      foot = Math.max(foot, this.y);
    });
    this.y = foot + CELL;
  }

  private lines(
    texts: readonly string[],
    { x, width, align = undefined }: Column,
    { bold = false, size = 9, color = INK }: Style = {},
  ): void {
    this.pdf
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(color);
    for (const text of texts) {
      this.pdf.text(this.known(text), x, this.y, { width, ...(align === undefined ? {} : { align }) });
      this.y = text === '' ? this.y : this.pdf.y;
    }
  }

  private rule(thickness: number): void {
    this.pdf.moveTo(PAGE.side, this.y).lineTo(RIGHT, this.y).lineWidth(thickness).strokeColor(LINE).stroke();
  }

  /**
   * Removes invisible characters that the font does not contain, and replaces every other missing character with a
   * question mark.
   */
  private known(text: string): string {
    // pdfkit has the opened font file but does not declare it.
    const { font } = (this.pdf as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } })
      ._font;
    return [...text.normalize('NFC')]
      .map((letter) =>
        font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0) ? letter : /\p{Cf}/u.test(letter) ? '' : '?',
      )
      .join('');
  }

  private amount(micros: string, decimals: number): string {
    const format = new Intl.NumberFormat(this.tag, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    // A decimal text stays exact.
    return format.format(Money.fromMicrosText(micros).toDecimal() as `${number}`).replace('-', '−');
  }

  private day(iso: string): string {
    return this.date(iso, this.texts.day_format);
  }

  private month(month: string): string {
    return this.date(`${month}-01`, { month: 'long', year: 'numeric' });
  }

  private date(iso: string, options: Intl.DateTimeFormatOptions): string {
    return new Intl.DateTimeFormat(this.tag, { ...options, timeZone: 'UTC' }).format(new Date(iso));
  }
}

/** Returns the number of decimals, at least two, that shows all of these amounts exactly. */
function decimalsOf(amounts: readonly string[]): number {
  const used = amounts.map((micros) =>
    Money.fromMicrosText(micros)
      .toDecimal()
      .replace(/0{0,4}$/, ''),
  );
  return Math.max(2, ...used.map((text) => text.split('.')[1]?.length ?? 0));
}
