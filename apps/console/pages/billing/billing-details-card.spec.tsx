import { describe, expect, it } from '@jest/globals';
import type { BillingDetailsAnswer } from '@moorage/contracts';
import { BILLING_DOCUMENT_MESSAGES } from '@moorage/domain';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { type Replies, showInConsole } from '../../testing/console-fixture';
import { showLocale } from '../../texts/locale';
import { BillingDetailsCard } from './billing-details-card';

const ADA: BillingDetailsAnswer = {
  name: 'Ada Lovelace Ltd',
  lines: ['12 St James’s Square', '2nd floor'],
  postal_code: 'SW1Y 4JH',
  city: 'London',
  country: 'GB',
  tax_id: 'GB123456789',
};

const show = (details: BillingDetailsAnswer | null, more: Replies = {}) =>
  showInConsole(<BillingDetailsCard />, {
    replies: { 'GET /billing/details': { body: { details } }, ...more },
    at: '/billing',
  });
/** Replies of a server that stores the address as entered. */
function stored(from: BillingDetailsAnswer | null): Replies {
  let details = from;
  return {
    'GET /billing/details': () => ({ body: { details } }),
    'PUT /billing/details': ({ body }) => ({ body: { details: (details = body as BillingDetailsAnswer) } }),
  };
}
const type = (label: RegExp | string, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));

describe('billing address', () => {
  it('is shown as printed on receipts', async () => {
    show(ADA);
    const address = (await screen.findByText('Ada Lovelace Ltd')).closest('address');
    expect([...(address?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
      'Ada Lovelace Ltd',
      '12 St James’s Square',
      '2nd floor',
      'London SW1Y 4JH',
      'United Kingdom',
      'Tax number: GB123456789',
    ]);
  });

  it('reports stored characters that cannot be printed, and rejects them beside their field', async () => {
    const { calls } = show({ ...ADA, name: '株式会社サンプル' });
    const { detail } = BILLING_DOCUMENT_MESSAGES.letters_unprinted({ letters: '株式会社サ' });
    expect((await screen.findByRole('status')).textContent).toBe(detail);
    press('Edit');
    press('Save address');
    await waitFor(() => expect(screen.getByLabelText('Name or company')).toHaveAttribute('aria-invalid', 'true'));
    expect(screen.getByText(detail)).toBeInTheDocument();
    expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  it('can be entered when there is none', async () => {
    const { calls } = show(null, stored(null));
    await screen.findByText(/^Receipts show your username/);
    press('Add address');
    type('Name or company', 'Ada Lovelace Ltd');
    type('Street and number', '12 St James’s Square\n\n 2nd floor ');
    type(/^Postal code/, 'SW1Y 4JH');
    type('City', 'London');
    type('Country', 'GB');
    press('Save address');
    expect(await screen.findByText('London SW1Y 4JH')).toBeInTheDocument();
    expect(screen.getByText('Your billing address was saved.')).toBeInTheDocument();
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ ...ADA, tax_id: null });
  });

  it('shows field errors and sends nothing', async () => {
    const { calls } = show(ADA);
    await screen.findByText('Ada Lovelace Ltd');
    press('Edit');
    type('Name or company', ' ');
    type('Street and number', '1\n2\n3\n4');
    type('Country', '');
    type(/^Tax number/, 'GB12');
    press('Save address');
    const { name_missing, lines_most, country_missing } = BILLING_DOCUMENT_MESSAGES;
    for (const { detail } of [name_missing, lines_most({ most: 3 }), country_missing])
      expect(await screen.findByText(detail)).toBeInTheDocument();
    await waitFor(() => expect(screen.getByLabelText('Name or company')).toHaveFocus());
    expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  it('warns about a tax number in an unusual format and saves it', async () => {
    const { calls } = show(ADA, stored(ADA));
    await screen.findByText('Ada Lovelace Ltd');
    press('Edit');
    type(/^Tax number/, 'GB12');
    expect(screen.getByText(/^Tax numbers in this country usually look different/)).toBeInTheDocument();
    press('Save address');
    expect(await screen.findByText('Tax number: GB12')).toBeInTheDocument();
    expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({ tax_id: 'GB12' });
  });

  it('shows the rejection of the server beside the field', async () => {
    const { code, facts, detail } = BILLING_DOCUMENT_MESSAGES.tax_id_wrong;
    show(ADA, {
      'PUT /billing/details': {
        status: 422,
        body: { detail, code: 'FIELDS_INVALID', errors: [{ path: 'tax_id', message: detail, code, facts }] },
      },
    });
    await screen.findByText('Ada Lovelace Ltd');
    press('Edit');
    press('Save address');
    expect(await screen.findByText(detail)).toBeInTheDocument();
  });

  it('lists countries by German name in the German console', async () => {
    await showLocale('de', { persist: false });
    show({ ...ADA, country: 'GR' });
    expect(await screen.findByText('Griechenland')).toBeInTheDocument();
    press('Bearbeiten');
    expect(screen.getByLabelText<HTMLSelectElement>('Land').selectedOptions[0]?.text).toBe('Griechenland');
  });
});
