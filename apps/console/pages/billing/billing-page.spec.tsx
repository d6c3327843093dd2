import { describe, expect, it, jest } from '@jest/globals';
import type { CreditAnswer, Transactions } from '@moorage/contracts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { rememberedCheckout } from '../../data/checkout';
import { ADMIN, type Replies, showInConsole, USER } from '../../testing/console-fixture';
import { showLocale } from '../../texts/locale';
import BillingPage from './billing-page';
import { factsOf, NOTHING_RUNS, runwayOf, topUpOf, transactionOf } from './testing';

const BALANCE = {
  total_balance: 39.95,
  regular_balance: 34,
  referral_credits: 0.96,
  signup_credits: 4.99,
  available_balance: 39.95,
  owed: 0,
};
const credit = (over: Partial<CreditAnswer>): CreditAnswer => ({
  id: 8,
  credit_type: 'referrer',
  amount: 4.99,
  used_amount: 4.03,
  remaining_amount: 0.96,
  created_at: '2026-11-20T13:02:00.000Z',
  expires_at: '2026-12-20T13:02:00.000Z',
  is_usable: true,
  is_expired: false,
  display_currency: 'EUR',
  ...over,
});
const SIGNUP = credit({
  id: 9,
  credit_type: 'signup',
  used_amount: 0,
  remaining_amount: 4.99,
  expires_at: '2026-12-21T13:10:00.000Z',
});
const ENDED = credit({
  id: 2,
  credit_type: 'referred',
  used_amount: 2.88,
  remaining_amount: 0,
  expires_at: '2026-10-14T13:02:00.000Z',
  is_usable: false,
  is_expired: true,
});
const NAME = 'maralind-pangolin-338851';
const TRANSACTIONS: Transactions = {
  transactions: [
    {
      date: '2026-11-21',
      transactions: [
        row(20, 'charge', { client_name: NAME, hours: 10 }, -0.18, '2026-11-21T14:04:00.000Z', 4),
        row(17, 'charge', { client_name: 'a', hours: 24 }, -1.12, '2026-11-21T00:00:00.000Z', 2),
        row(16, 'charge', { client_name: 'b', hours: 24 }, -2.85, '2026-11-21T00:00:00.000Z', 3),
      ],
    },
    {
      date: '2026-11-20',
      transactions: [
        row(15, 'payment', {}, 30, '2026-11-20T16:22:00.000Z'),
        row(13, 'adjustment', { note: 'Goodwill <b>4711</b>' }, 2.5, '2026-11-20T12:00:00.000Z'),
      ],
    },
  ],
  total_pages: 3,
  current_page: 1,
  has_next: true,
  has_previous: false,
};

function row(
  id: number,
  type: Transactions['transactions'][number]['transactions'][number]['type'],
  facts: Parameters<typeof factsOf>[0],
  amount: number,
  created_at: string,
  deployment_id: number | null = null,
) {
  return { id, type, description: '', facts: factsOf(facts), amount, created_at, deployment_id };
}

const REPLIES: Replies = {
  'GET /billing/balance': { body: BALANCE },
  'GET /billing/runway': { body: runwayOf() },
  'GET /signup-credits': { body: [SIGNUP] },
  'GET /referrals/credits': { body: [credit({}), ENDED] },
  'GET /billing/transactions': { body: TRANSACTIONS },
  'GET /billing/details': { body: { details: null } },
  'GET /billing/statements': { body: [] },
  'GET /billing/documents': {
    body: { documents: [], total_pages: 1, current_page: 1, has_next: false, has_previous: false },
  },
  'GET /billing/automatic-top-up': { body: topUpOf() },
};

const show = (more: Replies = {}, at = '/billing', user = USER) =>
  showInConsole(<BillingPage />, { replies: { ...REPLIES, ...more }, at, user });

const region = (name: string): Promise<HTMLElement> => screen.findByRole('region', { name });

describe('balance', () => {
  it('is shown as a sum with an explanation of each part', async () => {
    show();
    const sum = await region('Balance');
    await within(sum).findByText('$39.95');
    expect([...sum.querySelectorAll('strong, i')].map((part) => part.textContent)).toEqual([
      '$34.00',
      '+',
      '$0.96',
      '+',
      '$4.99',
      '=',
      '$39.95',
    ]);
    expect(sum.textContent).toContain('All of it is available now');
    expect(await within(sum).findByText('Spent first, needs $5.00 regular balance')).toBeInTheDocument();
    expect(within(sum).getByText('Spent next, expires Mon 21 Dec')).toBeInTheDocument();
  });

  it('shows what cannot be spent now and what would unlock it', async () => {
    show({
      'GET /billing/balance': {
        body: { ...BALANCE, regular_balance: 3.2, total_balance: 9.15, available_balance: 8.19 },
      },
      'GET /billing/runway': { body: runwayOf({ locked_now: 0.96, unlock_needs: 1.8 }) },
    });
    expect(
      await screen.findByText(
        '$0.96 is not available: referral credits need a regular balance of $5.00. Add $1.80 to unlock them.',
      ),
    ).toBeInTheDocument();
  });

  it('shows the amount owed', async () => {
    show({ 'GET /billing/balance': { body: { ...BALANCE, owed: 12.000001 } } });
    expect(await screen.findByText(/^\$12\.01 is owed/)).toBeInTheDocument();
  });

  it('is never rounded up', async () => {
    show({ 'GET /billing/balance': { body: { ...BALANCE, total_balance: 4.996 } } });
    expect(await screen.findByText('$4.99', { selector: '.total strong' })).toBeInTheDocument();
  });
});

describe('forecast of the coming days', () => {
  it('is drawn, described, and repeated with the same numbers in a table', async () => {
    show();
    const card = await region('Runway');
    expect(await within(card).findByRole('img')).toHaveAttribute(
      'aria-label',
      "Balance after each day's charge: $39.95 today, $3.40 on Mon 30 Nov. On Tue 1 Dec, 00:00 UTC, coolify-402118 and pangolin-338851 will stop first.",
    );
    expect(within(card).getByText('$4.15 a day, 4 running')).toBeInTheDocument();
    const rows = within(card).getAllByRole('row', { hidden: true });
    expect(rows).toHaveLength(15);
    expect([...(rows[1]?.children ?? [])].map((cell) => cell.textContent)).toEqual([
      'Today',
      '\u2212$4.15',
      '$34.00',
      '$0.96',
      '$4.99',
      '$39.95',
    ]);
  });

  it('has no column for an empty bucket', async () => {
    const days = runwayOf().days.map((day) => ({ ...day, referral: 0, signup: 0, total: day.regular }));
    show({ 'GET /billing/runway': { body: runwayOf({ days }) } });
    const card = await region('Runway');
    await within(card).findByRole('img');
    expect(
      within(card)
        .getAllByRole('columnheader', { hidden: true })
        .map((cell) => cell.textContent),
    ).toEqual(['Day', 'Charge', 'Regular', 'Left']);
  });

  it('is not shown while nothing runs', async () => {
    show({ 'GET /billing/runway': { body: NOTHING_RUNS } });
    const card = await region('Runway');
    expect(await within(card).findByText('No further charges')).toBeInTheDocument();
    expect(within(card).queryByRole('img')).not.toBeInTheDocument();
  });
});

describe('adding funds', () => {
  const field = (): Promise<HTMLInputElement> => screen.findByRole('spinbutton', { name: 'Amount in USD' });

  it('defaults to 10 and accepts whole dollars from 1', async () => {
    show();
    const input = await field();
    expect([input.value, input.min, input.step, input.max]).toEqual(['10', '1', '1', '1000']);
  });

  it('shows until when everything would run, and updates once typing pauses', async () => {
    const fixture = show({
      'GET /billing/runway': ({ query }) => ({
        body: runwayOf(
          query.add_amount === undefined
            ? {}
            : { ends_at: query.add_amount === '25' ? '2026-12-08T00:00:00.000Z' : '2026-12-04T00:00:00.000Z' },
        ),
      }),
    });
    expect(await screen.findByText('Fri 4 Dec, 00:00 UTC')).toBeInTheDocument();
    expect(screen.getByText('With $10 more, everything runs until')).toBeInTheDocument();
    const input = await field();
    fireEvent.change(input, { target: { value: '2' } });
    fireEvent.change(input, { target: { value: '25' } });
    expect(await screen.findByText('Tue 8 Dec, 00:00 UTC')).toBeInTheDocument();
    expect(fixture.calls.flatMap(({ query }) => query.add_amount ?? [])).toEqual(['10', '25']);
  });

  it('shows a plain note instead of an end date while nothing runs', async () => {
    show({ 'GET /billing/runway': { body: NOTHING_RUNS } });
    const lead = await screen.findByText('Nothing is running, so the balance then stays at');
    expect(lead.parentElement?.textContent).toContain('$49.95');
    expect(lead.closest('.note')).toHaveClass('flat');
    cleanup();
    show();
    const dated = await screen.findByText('With $10 more, everything runs until');
    expect(dated.closest('.note')).not.toHaveClass('flat');
  });

  it('takes the exact amount of a link in an email', async () => {
    show({}, '/billing?amount=17.31#add');
    expect(await field()).toHaveValue(17.31);
    expect(await screen.findByText('With $17.31 more, everything runs until')).toBeInTheDocument();
  });

  it('accepts a quick amount', async () => {
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Set $50' }));
    expect(await field()).toHaveValue(50);
  });

  it.each(['0', '0.99', '-3', '', '1001'])('rejects %s and shows the allowed range', async (typed) => {
    const fixture = show();
    fireEvent.change(await field(), { target: { value: typed } });
    expect(screen.queryByText('Enter an amount from 1 to 1,000.')).not.toBeInTheDocument();
    fireEvent.click(screen.getByRole('button', { name: 'Pay by card' }));
    expect(await screen.findByText('Enter an amount from 1 to 1,000.')).toBeInTheDocument();
    expect(await field()).toHaveFocus();
    expect(fixture.calls.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('rejects fractions of a cent', async () => {
    show();
    fireEvent.change(await field(), { target: { value: '4.999' } });
    fireEvent.click(screen.getByRole('button', { name: 'Pay by card' }));
    expect(await screen.findByText('An amount has at most two decimals.')).toBeInTheDocument();
  });

  it('sends cents, redirects to the checkout URL and remembers the purpose', async () => {
    const fixture = show({
      'POST /stripe/create-checkout-session': {
        status: 201,
        body: { url: `${location.href.split('#')[0]}#checkout`, session_id: 'cs_test_1' },
      },
    });
    await screen.findByText('$39.95', { selector: '.total strong' });
    fireEvent.change(await field(), { target: { value: '25' } });
    fireEvent.click(screen.getByRole('button', { name: 'Pay by card' }));
    await waitFor(() => expect(location.hash).toBe('#checkout'));
    expect(fixture.calls.find(({ method }) => method === 'POST')?.body).toEqual({ amount_cents: 2500 });
    expect(rememberedCheckout()).toEqual({ amount: 25 });
    // A second click starts no second checkout.
    fireEvent.submit((await field()).form as HTMLFormElement);
    expect(fixture.calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
    location.hash = '';
  });

  it('shows that the checkout could not be started and retries with the same key', async () => {
    const fixture = show({
      'POST /stripe/create-checkout-session': { status: 503, body: { detail: 'away', code: 'SERVICE_UNAVAILABLE' } },
    });
    const posts = () => fixture.calls.filter(({ method }) => method === 'POST');
    fireEvent.click(await screen.findByRole('button', { name: 'Pay by card' }));
    expect(await screen.findByText('Failed to start Stripe checkout')).toBeInTheDocument();
    const again = screen.getByRole<HTMLButtonElement>('button', { name: 'Pay by card' });
    expect(again).toBeEnabled();
    // The same top-up uses the same key. Another amount is another top-up.
    fireEvent.click(again);
    await waitFor(() => expect(posts()).toHaveLength(2));
    await waitFor(() => expect(again).toBeEnabled());
    fireEvent.change(await field(), { target: { value: '25' } });
    fireEvent.click(again);
    await waitFor(() => expect(posts()).toHaveLength(3));
    const [first, second, third] = posts().map(({ headers }) => headers.get('idempotency-key'));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect([second === first, third === first]).toEqual([true, false]);
  });

  it('shows why the server rejected it', async () => {
    show({
      'POST /stripe/create-checkout-session': {
        status: 429,
        body: { detail: 'Too many payments begun.', code: 'RATE_LIMITED' },
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Pay by card' }));
    expect(await screen.findByText('Too many payments begun.')).toBeInTheDocument();
  });

  it('marks test payments', async () => {
    show();
    expect(await screen.findByText('Test mode')).toBeInTheDocument();
    expect(screen.getByText('Test mode: you need no card on the next page, and no money moves.')).toBeInTheDocument();
  });

  it('warns if the amount does not cover a pending charge', async () => {
    const gracePeriod = {
      deployment_id: 3,
      client_name: 'coolify-402118',
      amount: 30,
      needed: 22.1,
      grace_period_ends_at: '2026-11-21T15:00:00.000Z',
    };
    show({
      'GET /billing/runway': {
        body: runwayOf({ ends_at: '2026-11-21T00:00:00.000Z', grace_periods: [gracePeriod] }, 0),
      },
    });
    expect(await screen.findByText('$10 does not cover the pending charge.')).toBeInTheDocument();
    expect(screen.getByText('Add at least $22.10')).toBeInTheDocument();
    expect(screen.getByText('Payment due: the balance does not cover a charge')).toBeInTheDocument();
  });

  it('fills in the whole dollars that keep everything running until a chosen date', async () => {
    const fixture = show({
      'GET /billing/runway': ({ query }) => ({
        body: runwayOf({
          keep_until:
            query.keep_until === '2026-12-24' ? { amount: 95.41, runs_until: '2026-12-25T00:00:00.000Z' } : null,
          ...(query.add_amount === '96' ? { ends_at: '2026-12-25T00:00:00.000Z' } : {}),
        }),
      }),
    });
    const date = await screen.findByLabelText<HTMLInputElement>('Or keep everything running until the end of');
    expect([date.type, date.min, date.max]).toEqual(['date', '2026-11-22', '2036-11-17']);
    fireEvent.change(date, { target: { value: '2026-12-24' } });
    await waitFor(async () => expect(await field()).toHaveValue(96));
    expect(await screen.findByText('Fri 25 Dec, 00:00 UTC')).toBeInTheDocument();
    // A typed amount is no longer tied to the date.
    fireEvent.change(await field(), { target: { value: '20' } });
    expect([date.value, (await field()).value]).toEqual(['', '20']);
    expect(fixture.calls.some(({ query }) => query.keep_until !== undefined && query.order_hourly !== undefined)).toBe(
      false,
    );
  });

  it.each([
    [{ amount: 0, runs_until: '2026-12-01T00:00:00.000Z' }, 'Everything already runs until then.'],
    [null, 'No single top-up covers that. The maximum is $1,000.'],
  ])('explains a date that needs %j and leaves the amount unchanged', async (keep_until, text) => {
    show({ 'GET /billing/runway': { body: runwayOf({ keep_until }) } });
    const date = await screen.findByLabelText('Or keep everything running until the end of');
    fireEvent.change(date, { target: { value: '2026-11-25' } });
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(await field()).toHaveValue(10);
  });

  it('offers no date while nothing runs', async () => {
    show({ 'GET /billing/runway': { body: NOTHING_RUNS } });
    await screen.findByText('Nothing is running, so the balance then stays at');
    expect(screen.queryByLabelText('Or keep everything running until the end of')).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Set $25' })).toBeInTheDocument();
  });

  it('offers an extra week and an extra month with their prices', async () => {
    const costs: Readonly<Record<string, number>> = { '2026-12-07': 106.12, '2026-12-30': 454.8 };
    show({
      'GET /billing/runway': ({ query }) => ({
        body: runwayOf({
          keep_until:
            query.keep_until === undefined ? null : { amount: costs[query.keep_until] ?? 0, runs_until: null },
        }),
      }),
    });
    const week = await screen.findByRole('button', { name: '+7 days $107' });
    expect(week.textContent).toBe('+7 days $107');
    expect(screen.getByRole('button', { name: '+30 days $455' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Set $25' })).not.toBeInTheDocument();
    fireEvent.click(week);
    expect(await field()).toHaveValue(107);
  });

  it('opens with the missing amount for the order that needs it', async () => {
    const fixture = show(
      {
        'POST /stripe/create-checkout-session': {
          status: 201,
          body: { url: `${location.href.split('#')[0]}#checkout`, session_id: 'cs_test_1' },
        },
      },
      '/billing?amount=3&return_to=order&order_hourly=0.0356#add',
    );
    expect(await field()).toHaveValue(3);
    expect(screen.getByText("For the order that you're about to place. Your entries are saved.")).toBeInTheDocument();
    await waitFor(() =>
      expect(fixture.calls.map(({ query }) => [query.add_amount, query.order_hourly])).toContainEqual([
        '3',
        '0.035600',
      ]),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Pay by card' }));
    await waitFor(() => expect(location.hash).toBe('#checkout'));
    expect(fixture.calls.find(({ method }) => method === 'POST')?.body).toEqual({
      amount_cents: 300,
      return_to: 'order',
    });
    expect(rememberedCheckout()).toEqual({ amount: 3, returnTo: 'order', orderHourly: 0.0356 });
    location.hash = '';
  });

  it('saves the card only after consent, and explains beforehand what that permits', async () => {
    const fixture = show({
      'POST /stripe/create-checkout-session': {
        status: 201,
        body: { url: `${location.href.split('#')[0]}#checkout`, session_id: 'cs_test_1' },
      },
    });
    const name = 'Save this card for automatic top-ups';
    const consent = await screen.findByRole<HTMLInputElement>('checkbox', { name });
    expect(consent).not.toBeChecked();
    fireEvent.click(consent);
    screen.getByRole('checkbox', {
      name,
      description:
        /^You allow us to charge this card automatically .* You can remove the card on this page at any time\.$/,
    });
    fireEvent.click(screen.getByRole('button', { name: 'Pay by card' }));
    await waitFor(() => expect(location.hash).toBe('#checkout'));
    expect(fixture.calls.find(({ method }) => method === 'POST')?.body).toEqual({
      amount_cents: 1000,
      save_card: true,
    });
    location.hash = '';
  });

  it('focuses the amount when the user came to pay', async () => {
    show({}, '/billing#add');
    const input = await field();
    await waitFor(() => expect(input).toHaveFocus());
  });
});

describe('credits', () => {
  it('are listed in spending order with their state, ended credits last', async () => {
    show({
      'GET /referrals/credits': {
        body: [
          ENDED,
          credit({}),
          credit({
            id: 10,
            used_amount: 0,
            remaining_amount: 4.99,
            is_usable: false,
            expires_at: '2026-12-22T00:00:00.000Z',
          }),
          credit({
            id: 11,
            used_amount: 4.99,
            remaining_amount: 0,
            is_usable: false,
            expires_at: '2026-12-23T00:00:00.000Z',
          }),
        ],
      },
    });
    const card = await region('Credits');
    await within(card).findByText('Signup credit');
    expect(
      within(card)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual([
      'Referral credit, referrerActive$0.96 of $4.99 leftexpires Sun 20 Dec',
      'Signup creditActive$4.99 of $4.99 leftexpires Mon 21 Dec',
      'Referral credit, referrerInactive$4.99 of $4.99 leftexpires Tue 22 DecUsable while the regular balance is $5.00 or more.',
      'Referral credit, referrerInactive$4.99 fully usedexpires Wed 23 Dec',
      'Referral credit, referredExpired$2.11 of $4.99 expiredWed 14 Oct 2026',
    ]);
    expect(card.textContent).toContain('Credits are spent first, by earliest expiry, then the regular balance.');
  });

  it('show an empty message', async () => {
    show({ 'GET /signup-credits': { body: [] }, 'GET /referrals/credits': { body: [] } });
    expect(await screen.findByText('You have no credits.')).toBeInTheDocument();
  });
});

describe('transactions', () => {
  it('are grouped by UTC day with totals, and the charges of a midnight share a row', async () => {
    show();
    const card = await region('Transactions');
    await within(card).findByText('Today, Sat 21 Nov 2026');
    expect(
      within(card)
        .getAllByRole('heading', { level: 3 })
        .map((day) => day.textContent),
    ).toEqual(['Today, Sat 21 Nov 2026\u2212$4.15', 'Fri 20 Nov 2026+$32.50']);
    expect(
      within(card)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual([
      `Started, ${NAME}\u2212$0.1814:04, 10 hours at $0.0180`,
      'Daily charge, 2 deployments\u2212$3.9700:00, Show each',
      'Top-up+$30.0016:22',
      'Balance adjusted by support+$2.5012:00, Goodwill <b>4711</b>',
    ]);
    fireEvent.click(within(card).getByRole('button', { name: 'Show each' }));
    expect(within(card).getAllByRole('listitem')).toHaveLength(6);
    expect(within(card).getByRole('link', { name: NAME })).toHaveAttribute('href', '/deployments/4');
  });

  it('of several times share a row with the first and the last of them', async () => {
    const started = ['17:10', '17:07', '17:04'].map((at, index) =>
      row(30 - index, 'charge', { client_name: NAME, hours: 7 }, -0.1, `2026-11-21T${at}:00.000Z`, 4),
    );
    const body = { ...TRANSACTIONS, transactions: [{ date: '2026-11-21', transactions: started }] };
    show({ 'GET /billing/transactions': { body } });
    const card = await region('Transactions');
    expect((await within(card).findByRole('listitem')).textContent).toBe(
      'Started, 3 deployments\u2212$0.3017:04 to 17:10, Show each',
    );
  });

  it('load thirty days at a time, with the page in the URL', async () => {
    const fixture = show({}, '/billing?page=2');
    const pages = within(await screen.findByRole('navigation', { name: 'Pages' }));
    const requested = (): unknown => fixture.calls.filter(({ path }) => path === '/billing/transactions').at(-1)?.query;
    expect(requested()).toEqual({ page: '2', days_per_page: '30' });
    fireEvent.click(pages.getByRole('link', { name: 'Page 3' }));
    await waitFor(() => expect(requested()).toEqual({ page: '3', days_per_page: '30' }));
    expect(fixture.address()).toBe('/billing?page=3');
  });

  it('are filtered by group, with the group in the URL', async () => {
    const fixture = show({}, '/billing?page=2');
    const requested = (): unknown => fixture.calls.filter(({ path }) => path === '/billing/transactions').at(-1)?.query;
    fireEvent.click(await screen.findByRole('button', { name: 'Credits' }));
    await waitFor(() => expect(requested()).toEqual({ page: '1', days_per_page: '30', transaction_group: 'credits' }));
    expect(fixture.address()).toBe('/billing?transactions=credits');
    expect(screen.getByRole('button', { name: 'Credits' })).toHaveAttribute('aria-pressed', 'true');
    fireEvent.click(screen.getByRole('button', { name: 'All' }));
    await waitFor(() => expect(requested()).toEqual({ page: '1', days_per_page: '30' }));
  });

  it('name the levels of a level change', async () => {
    const facts = factsOf({ client_name: 'shop', level: { before: 1, after: 2 } });
    const day = { date: '2026-11-21', transactions: [transactionOf({ type: 'rerate', amount: -0.6165, facts })] };
    show({ 'GET /billing/transactions': { body: { ...TRANSACTIONS, transactions: [day] } } });
    const row = (await screen.findByText(/^Support level changed/)).closest('li');
    expect(row?.textContent).toMatch(/from .*Level 1.* to .*Level 2/);
  });

  it('explain what will appear while there are none', async () => {
    show({
      'GET /billing/transactions': { body: { ...TRANSACTIONS, transactions: [], total_pages: 0, has_next: false } },
    });
    expect(await screen.findByText('No transactions yet')).toBeInTheDocument();
  });
});

describe('billing data that fails to load', () => {
  it('shows an error and retries', async () => {
    const fixture = show({ 'GET /billing/transactions': { status: 500, body: { detail: 'x' } } });
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load billing data');
    expect(screen.getByText('$39.95', { selector: '.total strong' })).toBeInTheDocument();
    fixture.reply(REPLIES);
    fireEvent.click(screen.getByRole('button', { name: 'Try again now' }));
    expect(await screen.findByText('Top-up')).toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('shows a single error for any number of failures', async () => {
    const refused = { status: 500, body: { detail: 'x' } };
    show(Object.fromEntries(Object.keys(REPLIES).map((name) => [name, refused])));
    await waitFor(() => expect(screen.getAllByText('N/A')).toHaveLength(3));
    expect(screen.getAllByText(/Failed to load billing data/)).toHaveLength(1);
  });

  it('keeps the displayed data and shows its age when a reload fails', async () => {
    const fixture = show();
    await screen.findByText('Top-up');
    fixture.reply({ 'GET /billing/balance': { status: 500, body: { detail: 'x' } } });
    await act(() => fixture.queryClient.invalidateQueries({ queryKey: ['billing', 'all', 'GET /billing/balance'] }));
    expect((await screen.findByRole('alert')).textContent).toMatch(/Data from \d\d:\d\d UTC\./);
    expect(screen.getByText('$39.95', { selector: '.total strong' })).toBeInTheDocument();
  });
});

describe("administrator on another user's billing page", () => {
  const OTHERS: Replies = {
    'GET /users': { body: [{ ...USER, username: 'mara.lindqvist.2', id: 8 }, USER] },
    'GET /users/7/balance': { body: BALANCE },
    'GET /users/7/runway': { body: runwayOf({ level: 'days' }) },
    'GET /users/7/credits': { body: [ENDED, credit({}), SIGNUP] },
    'GET /billing/admin/transactions': { body: TRANSACTIONS },
  };

  it('sees balance, runway, credits and transactions, but no way to pay', async () => {
    const fixture = show(OTHERS, '/billing?user=mara.lindqvist', ADMIN);
    expect(await screen.findByRole('heading', { name: 'Billing of mara.lindqvist' })).toBeInTheDocument();
    expect(await screen.findByText('$39.95', { selector: '.total strong' })).toBeInTheDocument();
    expect(await screen.findByText('Top-up')).toBeInTheDocument();
    expect(await screen.findByText('Everything runs until')).toBeInTheDocument();
    expect(within(screen.getByRole('region', { name: 'Credits' })).getAllByRole('listitem')).toHaveLength(3);
    expect(screen.queryByText('Add funds')).not.toBeInTheDocument();
    expect(screen.queryByRole('link', { name: /^Add/ })).not.toBeInTheDocument();
    expect(fixture.calls.find(({ path }) => path === '/billing/admin/transactions')?.query).toMatchObject({
      user: 'mara.lindqvist',
      page: '1',
    });
    expect(fixture.calls.some(({ path }) => path.startsWith('/billing/') && !path.includes('admin'))).toBe(false);
  });

  it('sees that the account has no credits', async () => {
    show({ ...OTHERS, 'GET /users/7/credits': { body: [] } }, '/billing?user=mara.lindqvist', ADMIN);
    expect(await screen.findByText('This account has no credits.')).toBeInTheDocument();
  });

  it('requests exactly this account and prefers a username over an address', async () => {
    const squatter = { ...USER, id: 9, username: 'someone', email: 'mara.lindqvist' };
    const fixture = show(
      { ...OTHERS, 'GET /users': { body: [squatter, USER] } },
      '/billing?user=Mara.Lindqvist',
      ADMIN,
    );
    expect(await screen.findByText('$39.95', { selector: '.total strong' })).toBeInTheDocument();
    const requested = fixture.calls.find(({ path }) => path === '/users')?.query;
    expect(requested).toEqual({ name: 'Mara.Lindqvist', show_deactivated: 'true' });
    expect(fixture.calls.some(({ path }) => path === '/users/9/balance')).toBe(false);
  });

  it('keeps the user while paging', async () => {
    const fixture = show(OTHERS, '/billing?user=mara.lindqvist', ADMIN);
    const pages = within(await screen.findByRole('navigation', { name: 'Pages' }));
    fireEvent.click(pages.getByRole('link', { name: 'Next page' }));
    await waitFor(() => expect(fixture.address()).toBe('/billing?user=mara.lindqvist&page=2'));
  });

  it('is notified when the account does not exist', async () => {
    show({ 'GET /users': { body: [] } }, '/billing?user=nobody', ADMIN);
    expect(await screen.findByText('No account found for "nobody".')).toBeInTheDocument();
  });

  it('sees the own billing page under the own name', async () => {
    show({}, '/billing?user=ERIK.kovac', ADMIN);
    expect(await screen.findByRole('heading', { name: 'Billing' })).toBeInTheDocument();
    expect(await screen.findByRole('heading', { name: 'Add funds' })).toBeInTheDocument();
  });

  it('exists only for administrators, and the parameter is ignored for other users', async () => {
    const fixture = show({}, '/billing?user=erik.kovac');
    expect(await screen.findByRole('heading', { name: 'Add funds' })).toBeInTheDocument();
    expect(fixture.calls.some(({ path }) => path.includes('admin'))).toBe(false);
  });
});

describe('billing export', () => {
  it('fetches every page and saves a single file', async () => {
    const blobs: Blob[] = [];
    URL.createObjectURL = (blob) => {
      blobs.push(blob as Blob);
      return 'blob:x';
    };
    URL.revokeObjectURL = () => undefined;
    const clicked = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const fixture = show({
      'GET /billing/transactions': ({ query }) => ({
        body: { ...TRANSACTIONS, has_next: query.days_per_page === '100' && query.page === '1' },
      }),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Export' }));
    await waitFor(() => expect(blobs).toHaveLength(1));
    expect(fixture.calls.filter(({ query }) => query.days_per_page === '100').map(({ query }) => query.page)).toEqual([
      '1',
      '2',
    ]);
    expect(clicked).toHaveBeenCalledTimes(1);
    clicked.mockRestore();
  });
});

describe('German billing page', () => {
  it('is fully translated', async () => {
    await showLocale('de', { persist: false });
    show();
    expect(await screen.findByRole('heading', { name: 'Abrechnung' })).toBeInTheDocument();
    expect(await screen.findByText('Mit $10 mehr läuft alles bis')).toBeInTheDocument();
    expect(await screen.findByText('Tägliche Abbuchung, 2 Deployments')).toBeInTheDocument();
    expect(document.body.textContent).not.toMatch(/billing\.|%\{/);
  });
});
