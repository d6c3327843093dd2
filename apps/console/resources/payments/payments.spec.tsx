import { describe, expect, it } from '@jest/globals';
import type { AdminPaymentAnswer, AdminPaymentDetailsAnswer } from '@moorage/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { ADMIN, type Replies, showInConsole, USER } from '../../testing/console-fixture';
import { showLocale } from '../../texts/locale';
import PaymentList from './list';
import PaymentShow from './show';

const ID = 'cs_live_a1b2c3d4e5';
const PAYMENT: AdminPaymentAnswer = {
  id: ID,
  kind: 'checkout',
  status: 'paid',
  test_mode: false,
  user_id: 7,
  username: 'mara.lindqvist',
  email: 'mara@northsea.example',
  amount: 20,
  taken_back: 5,
  is_disputed: false,
  created_at: '2026-11-20T16:20:00.000Z',
  paid_at: '2026-11-20T16:22:00.000Z',
};
const DETAILS: AdminPaymentDetailsAnswer = {
  ...PAYMENT,
  payment_intent: 'pi_1',
  failure: null,
  save_card: true,
  provider_url: 'https://dashboard.stripe.com/payments/pi_1',
  events: [
    { id: 'evt_1', type: 'checkout.session.completed', outcome: 'posted', received_at: '2026-11-20T16:22:00.000Z' },
  ],
  reversals: [
    {
      id: 're_1',
      kind: 'refund',
      amount: 5,
      status: 'succeeded',
      reason: null,
      due_by: null,
      created_at: '2026-11-21T10:00:00.000Z',
      requested_by: null,
      movements: [
        { id: 'txn_1', kind: 'refund', amount: 5, posted: 5, fee: 0, created_at: '2026-11-21T10:00:00.000Z' },
      ],
    },
    {
      id: 'dp_1',
      kind: 'dispute',
      amount: 15,
      status: 'needs_response',
      reason: 'fraudulent',
      due_by: '2026-12-01T10:00:00.000Z',
      created_at: '2026-11-22T10:00:00.000Z',
      requested_by: null,
      movements: [
        { id: 'txn_2', kind: 'dispute', amount: 15, posted: 12, fee: 15, created_at: '2026-11-22T10:00:00.000Z' },
      ],
    },
  ],
  refund_requests: [],
  ledger: [
    { id: 1, type: 'payment', amount: 20, owed: 0, cause: ID, created_at: '2026-11-20T16:22:00.000Z' },
    { id: 2, type: 'payment_refund', amount: -5, owed: 0, cause: 'txn_1', created_at: '2026-11-21T10:01:00.000Z' },
    { id: 3, type: 'dispute', amount: -8, owed: -4, cause: 'txn_2', created_at: '2026-11-22T10:01:00.000Z' },
  ],
  refundable: 15,
  regular_balance: 9.5,
  differences: [],
};
const COMPARISON = {
  last: {
    at: '2026-11-27T03:10:00.000Z',
    from: '2026-11-19T00:00:00.000Z',
    to: '2026-11-26T00:00:00.000Z',
    compared: 40,
    differences: 0,
  },
  differences: [],
};
const list = (payments: readonly AdminPaymentAnswer[]) => ({
  body: { payments, total_pages: 1, current_page: 1, has_next: false, has_previous: false },
  headers: { 'x-total-count': String(payments.length) },
});
const LIST = 'GET /billing/admin/payments';
const ONE = `GET /billing/admin/payments/${ID}`;
const REFUND = `POST /billing/admin/payments/${ID}/refund`;
const REPLIES: Replies = {
  [LIST]: list([PAYMENT, { ...PAYMENT, id: 'cs_live_other00', status: 'failed', taken_back: 0, paid_at: null }]),
  [ONE]: { body: DETAILS },
  'GET /billing/admin/payment-comparison': { body: COMPARISON },
};

const show = (at: string, more: Replies = {}, user = ADMIN) =>
  showInConsole(
    <Routes>
      <Route path="/payments" element={<PaymentList />} />
      <Route path="/payments/:id/show" element={<PaymentShow />} />
      <Route path="/dashboard" element={<p>the dashboard</p>} />
    </Routes>,
    { replies: { ...REPLIES, ...more }, at, user },
  );

describe('payment list', () => {
  it('shows date, user, result and amount, with links to user and payment', async () => {
    show('/payments');
    const table = await screen.findByRole('table');
    const [, first, second] = within(table).getAllByRole('row');
    const cells = within(first as HTMLElement)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
    expect(cells).toEqual(['Fri 20 Nov, 16:20 UTC', 'mara.lindqvist', 'Paid$5.00 reversed', '\u2212$5.00', '$20.00']);
    expect(within(second as HTMLElement).getByText('Failed')).toBeInTheDocument();
    expect(
      within(first as HTMLElement)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href')),
    ).toEqual([`/payments/${ID}/show`, '/users/7/show']);
    expect(screen.getByText('1 to 2 of 2')).toBeInTheDocument();
  });

  it('filters by status and by problem', async () => {
    const fixture = show('/payments');
    await screen.findByRole('table');
    const requested = () => fixture.calls.filter(({ path }) => path === '/billing/admin/payments').at(-1)?.query;
    expect(requested()).toEqual({ page: '1', per_page: '20' });
    fireEvent.click(screen.getByRole('button', { name: 'Failed' }));
    await waitFor(() => expect(requested()).toMatchObject({ status: 'failed' }));
    fireEvent.click(screen.getByRole('button', { name: 'Disputed' }));
    await waitFor(() => expect(requested()).toMatchObject({ status: 'failed', problem: 'disputed' }));
    fireEvent.click(screen.getByRole('button', { name: 'Any' }));
    await waitFor(() => expect(requested()).not.toHaveProperty('problem'));
  });

  it('shows the search text when nothing is found', async () => {
    const fixture = show('/payments?filter=%7B%22q%22%3A%22pi_9%22%7D', { [LIST]: list([]) });
    expect(await screen.findByText('No payment matches "pi_9".')).toBeInTheDocument();
    expect(fixture.calls.find(({ path }) => path === '/billing/admin/payments')?.query).toMatchObject({
      search: 'pi_9',
    });
  });

  it('is for administrators only', async () => {
    const { calls, address } = show('/payments', {}, USER);
    expect((await screen.findByRole('alert')).textContent).toContain('Access Denied');
    await waitFor(() => expect(address()).toBe('/dashboard'), { timeout: 4_000 });
    expect(calls.filter(({ path }) => path.includes('admin'))).toEqual([]);
  });
});

describe('payment comparison', () => {
  const card = async () => within(await screen.findByRole('region', { name: /^Nightly reconciliation/ }));

  it('shows how much was compared when there are no differences', async () => {
    show('/payments');
    expect(await (await card()).findByText(/^40 entries compared, no difference\./)).toBeInTheDocument();
  });

  it('lists differences with a link to the payment, if there is one', async () => {
    const difference = { payment_intent: 'pi_1', first_seen_at: '2026-11-26T03:10:00.000Z' };
    show('/payments', {
      'GET /billing/admin/payment-comparison': {
        body: {
          last: { ...COMPARISON.last, differences: 2 },
          differences: [
            { ...difference, id: 'txn_1', kind: 'amount', payment_id: ID, theirs: 20, ours: 19 },
            { ...difference, id: 'txn_9', kind: 'missing_here', payment_id: null, theirs: 5, ours: null },
          ],
        },
      },
    });
    expect(await (await card()).findByText(/^2 open differences, 40 compared\./)).toBeInTheDocument();
    const lines = (await card()).getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(lines).toEqual([
      'Amounts differ Provider: $20.00, ours: $19.00 pi_1 since 26 Nov 2026 Settle',
      'Missing in our ledger Provider: $5.00, ours: nothing pi_1 since 26 Nov 2026 Settle',
    ]);
    expect((await card()).getByRole('link')).toHaveAttribute('href', `/payments/${ID}/show`);
  });

  it('settles a difference with a reason', async () => {
    const difference = { id: 'txn_9', kind: 'missing_here', payment_id: null, theirs: 5, ours: null };
    const SETTLE = 'POST /billing/admin/payment-differences/txn_9/settle';
    const fixture = show('/payments', {
      'GET /billing/admin/payment-comparison': {
        body: {
          last: { ...COMPARISON.last, differences: 1 },
          differences: [{ ...difference, payment_intent: 'pi_1', first_seen_at: '2026-11-26T03:10:00.000Z' }],
        },
      },
      [SETTLE]: { body: { id: 'txn_9', resolved_at: '2026-11-27T10:00:00.000Z' } },
    });
    await userEvent.click(await (await card()).findByRole('button', { name: 'Settle' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Settle a difference' }));
    expect(dialog.getByRole('button', { name: 'Settle' })).toBeDisabled();
    await userEvent.type(dialog.getByLabelText('Reason'), 'Corrected by an adjustment.');
    await userEvent.click(dialog.getByRole('button', { name: 'Settle' }));
    expect(await screen.findByText('The difference was settled.')).toBeInTheDocument();
    const sent = fixture.calls.filter(({ method }) => method === 'POST');
    expect(sent.map(({ body }) => body)).toEqual([{ reason: 'Corrected by an adjustment.' }]);
  });

  it('takes no place until it has run', async () => {
    show('/payments', { 'GET /billing/admin/payment-comparison': { body: { last: null, differences: [] } } });
    await screen.findByRole('table');
    expect(screen.queryByText('No reconciliation has run yet.')).not.toBeInTheDocument();
  });
});

describe('payment details', () => {
  const at = `/payments/${ID}/show`;

  it('show the history from checkout to dispute in chronological order', async () => {
    show(at);
    const life = within(await screen.findByRole('region', { name: 'Timeline' }));
    expect(life.getAllByRole('listitem').map((entry) => entry.querySelector('b')?.textContent)).toEqual([
      'Checkout of $20.00 opened',
      'Event checkout.session.completed',
      '$20.00 paid',
      'Ledger: Top-up, +$20.00',
      'Refund of $5.00',
      '$5.00 returned to the card',
      'Ledger: Payment refunded, −$5.00',
      'Dispute of $15.00',
      '$15.00 withdrawn for the dispute',
      'Ledger: Payment disputed at the bank, \u2212$8.00',
    ]);
    expect(life.getByText('Response due by Tue 1 Dec, 10:00 UTC')).toBeInTheDocument();
    expect(life.getByText('$12.00 of it posted to the account')).toBeInTheDocument();
    expect(life.getByText("The provider's fee: $15.00")).toBeInTheDocument();
    expect(life.getByText('$4.00 is now owed')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Open at Stripe' })).toHaveAttribute('href', DETAILS.provider_url);
    expect(screen.getByRole('heading', { name: '$20.00 of mara.lindqvist' })).toBeInTheDocument();
  });

  it('offer no refund if nothing is left, and no provider page in test mode', async () => {
    show(at, { [ONE]: { body: { ...DETAILS, refundable: 0, provider_url: null } } });
    await screen.findByRole('region', { name: 'Timeline' });
    expect(screen.queryByRole('button', { name: 'Refund' })).not.toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Open at Stripe' })).not.toBeInTheDocument();
  });

  it('show that a payment does not exist', async () => {
    show(at, { [ONE]: { status: 404, body: { detail: 'There is no such checkout.', code: 'NOT_FOUND' } } });
    expect(await screen.findByRole('heading', { name: 'Payment not found.' })).toBeInTheDocument();
  });

  it('are translated to German', async () => {
    await showLocale('de', { persist: false });
    show(at);
    const life = within(await screen.findByRole('region', { name: 'Verlauf' }));
    expect(life.getByText('Bezahlvorgang über $20.00 begonnen')).toBeInTheDocument();
    expect(document.body.textContent).not.toMatch(/payments\.|%\{/);
  });
});

describe('refund', () => {
  const open = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Refund' }));
    return within(await screen.findByRole('alertdialog', { name: 'Refund a payment of mara.lindqvist' }));
  };
  const at = `/payments/${ID}/show`;

  it('defaults to the full remainder and shows the resulting debt before the confirmation', async () => {
    show(at);
    const dialog = await open();
    const amount = dialog.getByLabelText<HTMLInputElement>('Amount in USD');
    expect([amount.value, amount.max]).toEqual(['15.00', '15']);
    expect(
      dialog.getByText(
        'The regular balance of mara.lindqvist is $9.50. The refund uses all of it, and $5.50 will be owed. The next top-ups pay it first.',
      ),
    ).toBeInTheDocument();
    fireEvent.change(amount, { target: { value: '9.5' } });
    expect(
      dialog.getByText('The refund is deducted from the regular balance, which will then be $0.00.'),
    ).toBeInTheDocument();
  });

  it.each(['0', '15.01', '1.005', '', '-1'])('of %s is not sent', async (typed) => {
    const fixture = show(at);
    const dialog = await open();
    fireEvent.change(dialog.getByLabelText('Amount in USD'), { target: { value: typed } });
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'They asked.' } });
    expect(await dialog.findByText('Enter an amount from $0.01 to $15.00, in whole cents.')).toBeInTheDocument();
    await userEvent.click(dialog.getByRole('button', { name: 'Refund $0.00' }));
    expect(fixture.calls.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('requires a reason, is sent in cents, and reloads the payment', async () => {
    const fixture = show(at, { [REFUND]: { body: { refund_request_id: 'r', state: 'made', refusal: null } } });
    const dialog = await open();
    fireEvent.change(dialog.getByLabelText('Amount in USD'), { target: { value: '2.30' } });
    await userEvent.click(dialog.getByRole('button', { name: 'Refund $2.30' }));
    expect(await dialog.findByText('A reason is required.')).toBeInTheDocument();
    const before = fixture.calls.length;
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: ' They asked. ' } });
    await userEvent.click(dialog.getByRole('button', { name: 'Refund $2.30' }));
    expect(await screen.findByText('Refund completed.')).toBeInTheDocument();
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    const [sent] = fixture.calls.slice(before);
    expect(sent?.body).toEqual({ amount_cents: 230, reason: 'They asked.' });
    expect(sent?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
    await waitFor(() => expect(fixture.calls.slice(before + 1).map(({ path }) => path)).toContain(ONE.slice(4)));
  });

  it('stays open after a lost response and retries with the same key', async () => {
    const fixture = show(at, { [REFUND]: { status: 503, body: { detail: 'away', code: 'SERVICE_UNAVAILABLE' } } });
    const dialog = await open();
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'They asked.' } });
    const button = () => dialog.getByRole('button', { name: 'Refund $15.00' });
    await userEvent.click(button());
    expect((await dialog.findByRole('alert')).textContent).toContain('it is only made once.');
    await userEvent.click(button());
    const sent = () => fixture.calls.filter(({ method }) => method === 'POST');
    await waitFor(() => expect(sent()).toHaveLength(2));
    const [first, second] = sent().map(({ headers }) => headers.get('idempotency-key'));
    expect(second).toBe(first);
  });

  it('repeats the same request when the dialog is reopened after a lost response', async () => {
    const fixture = show(at, { [REFUND]: { status: 503, body: { detail: 'away', code: 'SERVICE_UNAVAILABLE' } } });
    const dialog = await open();
    fireEvent.change(dialog.getByLabelText('Amount in USD'), { target: { value: '5' } });
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'They asked.' } });
    await userEvent.click(dialog.getByRole('button', { name: 'Refund $5.00' }));
    await dialog.findByRole('alert');
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    fixture.reply({ [REFUND]: { body: { refund_request_id: 'r', state: 'made', refusal: null } } });
    const again = await open();
    expect(again.getByRole('status').textContent).toMatch(
      /^You sent this request for \$5\.00 at .+ but got no response\. Send it again to complete it\. It is only carried out once\.$/,
    );
    fireEvent.change(again.getByLabelText('Reason'), { target: { value: 'They insist.' } });
    expect(again.getByRole('status').textContent).toContain('with different details');
    fireEvent.change(again.getByLabelText('Amount in USD'), { target: { value: '6' } });
    expect(again.queryByRole('status')).not.toBeInTheDocument();
    fireEvent.change(again.getByLabelText('Amount in USD'), { target: { value: '5.00' } });
    fireEvent.change(again.getByLabelText('Reason'), { target: { value: 'They asked.' } });
    await userEvent.click(again.getByRole('button', { name: 'Refund $5.00' }));
    expect(await screen.findByText('Refund completed.')).toBeInTheDocument();
    const sent = fixture.calls.filter(({ method }) => method === 'POST');
    expect(sent.map(({ body }) => body)).toEqual(Array(2).fill({ amount_cents: 500, reason: 'They asked.' }));
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    // An identical request afterwards is a second refund.
    const third = await open();
    expect(third.queryByRole('status')).not.toBeInTheDocument();
    fireEvent.change(third.getByLabelText('Amount in USD'), { target: { value: '5' } });
    expect(third.getByRole('status').textContent).toContain('and it was accepted. This would be a second one.');
  });

  it.each([
    ['asked', null, 'Refund requested. The provider has not confirmed it yet. We retry automatically.'],
    ['refused', 'charge_disputed', 'The provider rejected it: charge_disputed'],
  ])('that is %s (%s) shows its state', async (state, refusal, text) => {
    show(at, { [REFUND]: { body: { refund_request_id: 'r', state, refusal } } });
    const dialog = await open();
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'They asked.' } });
    await userEvent.click(dialog.getByRole('button', { name: 'Refund $15.00' }));
    expect(await screen.findByText(text)).toBeInTheDocument();
  });
});
