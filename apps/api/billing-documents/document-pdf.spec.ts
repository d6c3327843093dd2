import { describe, expect, it } from '@jest/globals';
import { unprintedLetters } from '@moorage/domain';
import type { MovementDocument, StatementDocument } from './document-facts';
import { documentPdf } from './document-pdf';
import { pdfPages } from '@moorage/tests/services/api/billing-documents';

const ISSUE = {
  language: 'en',
  issued_at: '2026-11-27T12:20:00.000Z',
  operator: {
    name: 'Moorage Hosting GmbH',
    lines: ['Hafenstraße 1', '20457 Hamburg', 'Germany'],
    tax_id: 'DE123456789',
  },
  customer: {
    account_id: 42,
    name: 'Ada Lovelace Ltd',
    lines: ['12 St James’s Square', 'SW1Y 4JH London', 'United Kingdom'],
    tax_id: 'GB123456789',
  },
} as const;

const receipt = (over: Partial<MovementDocument> = {}): MovementDocument => ({
  ...ISSUE,
  operator: { ...ISSUE.operator, lines: [...ISSUE.operator.lines] },
  customer: { ...ISSUE.customer, lines: [...ISSUE.customer.lines] },
  kind: 'receipt',
  number: 'R-2026-000001',
  movement: 'payment',
  moved_at: '2026-11-26T23:59:00.000Z',
  reference: 'cs_live_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6',
  receipt: null,
  test_mode: false,
  amount_micros: '119000000',
  tax: { text: 'VAT 19 % included', net_micros: '100000000', tax_micros: '19000000' },
  ...over,
});

const statement = (rows: StatementDocument['rows'], over: Partial<StatementDocument> = {}): StatementDocument => ({
  ...ISSUE,
  operator: { ...ISSUE.operator, lines: [...ISSUE.operator.lines] },
  customer: { ...ISSUE.customer, lines: [...ISSUE.customer.lines] },
  kind: 'statement',
  number: 'S-2026-000003',
  month: '2026-10',
  opening: { regular_micros: '1234567890', credit_micros: '0', owed_micros: '0' },
  rows,
  closing: { regular_micros: '1184413490', credit_micros: '4990000', owed_micros: '0' },
  ...over,
});

const charges = (count: number): StatementDocument['rows'] =>
  Array.from({ length: count }, (_, at) => ({
    day: `2026-10-${String(1 + (at % 31)).padStart(2, '0')}`,
    type: 'charge' as const,
    count: 2,
    regular_micros: '-854400',
    credit_micros: '-12300',
    owed_micros: '0',
  }));

const textOf = async (facts: MovementDocument | StatementDocument): Promise<string> =>
  (await pdfPages(await documentPdf(facts))).flat().join('\n');

describe('receipt PDF', () => {
  it('states the payer, the amount, the purpose and the included tax', async () => {
    const text = await textOf(receipt());
    for (const line of [
      'Moorage Hosting GmbH',
      'Hafenstraße 1',
      'Tax number: DE123456789',
      'Receipt R-2026-000001',
      'Ada Lovelace Ltd',
      '12 St James’s Square',
      'Tax number: GB123456789',
      '27 Nov 2026',
      '26 Nov 2026',
      'Top-up of the prepaid balance | 119.00',
      'Net | 100.00',
      'VAT 19 % included | 19.00',
      'Total | 119.00',
      'Page 1 of 1',
    ])
      expect(text).toContain(line);
    expect(text).not.toContain('Test payment');
  });

  it('has no tax line without a tax', async () => {
    const text = await textOf(receipt({ tax: null }));
    expect(text).toContain('Total | 119.00');
    expect(text).not.toMatch(/Net|VAT/);
  });

  it('states for a test payment that no money was moved', async () => {
    expect(await textOf(receipt({ test_mode: true }))).toContain('Test payment: no money moved.');
  });

  it('is in German for a German account', async () => {
    const text = await textOf(receipt({ language: 'de', amount_micros: '1234567890000' }));
    expect(text).toContain('Zahlungsbeleg R-2026-000001');
    expect(text).toContain('Summe | 1.234.567,89');
    expect(text).toContain('26.11.2026');
  });

  it('is byte-identical for the same facts', async () => {
    const [once, again] = [await documentPdf(receipt()), await documentPdf(receipt())];
    expect(again.equals(once)).toBe(true);
    expect((await documentPdf(receipt({ number: 'R-2026-000002' }))).equals(once)).toBe(false);
  });

  it.each([
    ['Ελληνικά Όνομα', 'Ελληνικά Όνομα'],
    ['Кирилл Ёлкин', 'Кирилл Ёлкин'],
    ['Škoda Łódź Ünal Ñ ő', 'Škoda Łódź Ünal Ñ ő'],
    ['漢字 Ltd', '?? Ltd'],
    ['Ada 🚀', 'Ada ?'],
  ])('prints the letters of %s', async (name, printed) => {
    const { customer } = receipt();
    expect(await textOf(receipt({ customer: { ...customer, name } }))).toContain(printed);
  });

  it('prints each letter that billing details accept, in both weights', async () => {
    const accepted = Array.from({ length: 0x10000 }, (_, code) => String.fromCodePoint(code)).filter(
      (letter) => !/[\p{Cs}?]/u.test(letter) && unprintedLetters(letter) === '' && letter.normalize('NFC') === letter,
    );
    expect(accepted.length).toBeGreaterThan(1_800);
    const { customer } = receipt();
    // Each also in the position of a mark, after a letter.
    const [name, line] = [accepted.map((letter) => `o${letter} `).join(''), accepted.join('')];
    const text = await textOf(receipt({ customer: { ...customer, name, lines: [line] } }));
    expect(text).not.toContain('?');
  });

  it('prints names that are too long for a line in full', async () => {
    const { customer } = receipt();
    const name = 'Extraordinarily long name of a company '.repeat(3).slice(0, 100);
    const text = await textOf(receipt({ customer: { ...customer, name } }));
    expect(text.match(/company/g)).toHaveLength(2);
  });
});

it('names the receipt on a credit note', async () => {
  const text = await textOf(
    receipt({ kind: 'credit_note', number: 'C-2026-000001', movement: 'payment_refund', receipt: 'R-2026-000001' }),
  );
  expect(text).toContain('Credit note C-2026-000001');
  expect(text).toContain('For receipt | R-2026-000001');
  expect(text).toContain('Top-up refunded to the card | 119.00');
});

describe('statement PDF', () => {
  it('goes from the opening to the closing balance, exact to the last decimal', async () => {
    const pages = await pdfPages(await documentPdf(statement(charges(2))));
    expect(pages).toHaveLength(1);
    const text = pages.flat().join('\n');
    expect(text).toContain('Opening balance | 1,234.56789 | 0.00000');
    expect(text).toContain('1 Oct 2026 | Daily charge (2) | −0.85440 | −0.01230');
    expect(text).toContain('Closing balance | 1,184.41349 | 4.99000');
    expect(text).not.toContain('Owed');
  });

  it('states the amount owed, if any', async () => {
    const owing = { regular_micros: '0', credit_micros: '0', owed_micros: '-5000000' };
    const text = await textOf(statement([], { opening: owing, closing: owing }));
    expect(text).toContain('Closing balance | 0.00 | 0.00 | −5.00');
    expect(text).toContain('There were no transactions in this month.');
  });

  it('spans several pages for many rows, each with heading and page number', async () => {
    const pages = await pdfPages(await documentPdf(statement(charges(120))));
    expect(pages.length).toBeGreaterThan(2);
    const rows = pages.flat().filter((line) => line.includes('Daily charge'));
    expect(rows).toHaveLength(120);
    for (const [at, page] of pages.entries()) {
      expect(page.filter((line) => line.startsWith('Day (UTC)'))).toHaveLength(1);
      expect(page.at(-1)).toContain(`Page ${at + 1} of ${pages.length}`);
    }
    // The closing balance is never alone on a page.
    expect(pages.at(-1)?.filter((line) => /Daily charge|Closing balance/.test(line)).length).toBeGreaterThan(1);
  });
});
