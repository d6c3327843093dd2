import { describe, expect, it, jest } from '@jest/globals';
import type { BillingDocumentAnswer } from '@moorage/contracts';
import { BILLING_DOCUMENT_MESSAGES } from '@moorage/domain';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type Replies, showInConsole } from '../../testing/console-fixture';
import { showLocale } from '../../texts/locale';
import { DocumentsCard } from './documents-card';

const RECEIPT: BillingDocumentAnswer = {
  id: 3,
  kind: 'receipt',
  number: 'R-2026-000007',
  issued_at: '2026-11-20T16:22:00.000Z',
  amount: 30,
  month: null,
};
const NOTE: BillingDocumentAnswer = { ...RECEIPT, id: 4, kind: 'credit_note', number: 'C-2026-000001', amount: 12.5 };
const STATEMENT: BillingDocumentAnswer = {
  ...RECEIPT,
  id: 5,
  kind: 'statement',
  number: 'S-2026-000002',
  amount: null,
  month: '2026-10',
};

const listOf = (documents: readonly BillingDocumentAnswer[], more: object = {}) => ({
  body: { documents, total_pages: 1, current_page: 1, has_next: false, has_previous: false, ...more },
});
const REPLIES: Replies = {
  'GET /billing/documents': listOf([STATEMENT, NOTE, RECEIPT]),
  'GET /billing/statements': {
    body: [
      { month: '2026-10', document_id: 5 },
      { month: '2026-09', document_id: null },
    ],
  },
};
const PDF = { headers: { 'content-type': 'application/pdf' }, body: '%PDF' };

/** Returns the names of the files that would have been saved. */
function saved(): string[] {
  const names: string[] = [];
  URL.createObjectURL = () => 'blob:x';
  URL.revokeObjectURL = () => undefined;
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  return names;
}

const show = (more: Replies = {}, at = '/billing') =>
  showInConsole(<DocumentsCard />, { replies: { ...REPLIES, ...more }, at });
const rows = async (): Promise<(string | null)[][]> => {
  const table = await screen.findByRole('table', { name: 'Receipts and statements' });
  return within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.querySelectorAll('td')].slice(0, 3).map((cell) => cell.textContent));
};

describe('receipts and statements', () => {
  it('are listed with number, date and amount', async () => {
    show();
    expect(await rows()).toEqual([
      ['Statement October 2026 S-2026-000002', 'Fri 20 Nov 2026', ''],
      ['Credit note C-2026-000001', 'Fri 20 Nov 2026', '−$12.50'],
      ['Receipt R-2026-000007', 'Fri 20 Nov 2026', '$30.00'],
    ]);
  });

  it('are downloaded with the token, named by number', async () => {
    const names = saved();
    const { calls } = show({ 'GET /billing/documents/3/pdf': PDF });
    fireEvent.click(await screen.findByRole('button', { name: 'Download R-2026-000007 as PDF' }));
    await waitFor(() => expect(names).toEqual(['R-2026-000007.pdf']));
    expect(calls.find(({ path }) => path.endsWith('/pdf'))?.headers.get('authorization')).toBe('Bearer a-token');
  });

  it('show why a download failed', async () => {
    const { unknown } = BILLING_DOCUMENT_MESSAGES;
    show({
      'GET /billing/documents/3/pdf': {
        status: 404,
        body: { detail: unknown.detail, code: 'NOT_FOUND', message_code: unknown.code, facts: {} },
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Download R-2026-000007 as PDF' }));
    expect(await screen.findByText(unknown.detail)).toBeInTheDocument();
  });

  it('come in pages', async () => {
    const { calls } = show(
      { 'GET /billing/documents': listOf([RECEIPT], { current_page: 2, total_pages: 3 }) },
      '/billing?documents=2',
    );
    await rows();
    expect(calls.find(({ path }) => path === '/billing/documents')?.query).toEqual({ page: '2', per_page: '10' });
    expect(screen.getByRole('link', { name: 'Page 3' })).toHaveAttribute('href', '/billing?documents=3');
  });

  it('show an empty message', async () => {
    show({ 'GET /billing/documents': listOf([]), 'GET /billing/statements': { body: [] } });
    expect(await screen.findByText('No receipts yet. You get one for each payment.')).toBeInTheDocument();
    expect(
      await screen.findByText('Your first statement will be available at the end of this month.'),
    ).toBeInTheDocument();
  });

  it('can be reloaded after a load error', async () => {
    const { reply } = show({ 'GET /billing/documents': { status: 500, body: {} } });
    const card = await screen.findByRole('region', { name: 'Receipts and statements' });
    await within(card).findByText('Your receipts could not be loaded');
    reply({ 'GET /billing/documents': listOf([RECEIPT]) });
    fireEvent.click(within(card).getByRole('button', { name: 'Try again now' }));
    expect(await rows()).toHaveLength(1);
  });
});

describe('monthly statement', () => {
  it('is issued, downloaded and then listed', async () => {
    const names = saved();
    const issued = { ...STATEMENT, id: 9, number: 'S-2026-000003', month: '2026-09' };
    const { reply } = show({
      'POST /billing/statements/2026-09': { body: issued },
      'GET /billing/documents/9/pdf': PDF,
    });
    const month = await screen.findByLabelText<HTMLSelectElement>('Statement of');
    expect([...month.options].map(({ text }) => text)).toEqual(['October 2026', 'September 2026']);
    fireEvent.change(month, { target: { value: '2026-09' } });
    reply({ 'GET /billing/documents': listOf([issued, STATEMENT]) });
    fireEvent.click(screen.getByRole('button', { name: 'Download statement' }));
    await waitFor(() => expect(names).toEqual(['S-2026-000003.pdf']));
    await waitFor(async () => expect(await rows()).toHaveLength(2));
  });

  it('shows that it is not available', async () => {
    const message = BILLING_DOCUMENT_MESSAGES.statement_not_ready({ month: '2026-10', from: '2026-11-01 01:00 UTC' });
    show({
      'POST /billing/statements/2026-10': {
        status: 409,
        body: { detail: message.detail, code: 'STATEMENT_NOT_READY', message_code: message.code, facts: message.facts },
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Download statement' }));
    expect(await screen.findByText(message.detail)).toBeInTheDocument();
  });

  it('is named in German in the German console', async () => {
    await showLocale('de', { persist: false });
    show();
    expect(await screen.findByText('Oktober 2026')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Kontoauszug herunterladen' })).toBeInTheDocument();
  });
});
