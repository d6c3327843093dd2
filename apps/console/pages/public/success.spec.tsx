import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { rememberCheckout } from '../../data/checkout';
import { MARA, open, type Received, type Replies, serveApi } from './testing';

const SESSION = 'cs_test_a1';
const runway = (over: object): object => ({ ends_at: null, running: 0, ...over });
const session = (status: string, over: object = {}) => ({
  body: { status, amount_cents: 2500, test_mode: false, ...over },
});
const REQUESTED = `GET /stripe/checkout-sessions/${SESSION}`;

const passes = (ms: number): Promise<void> => act(() => jest.advanceTimersByTimeAsync(ms));
const checks = (received: readonly Received[]): number => received.filter(({ path }) => path === '/auth/me').length;
const heading = (): string => screen.getByRole('heading', { level: 1 }).textContent;
const links = (): (readonly [string | null, string | null])[] =>
  screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')] as const);
const serve = (replies: Replies) => serveApi({ 'GET /billing/runway': () => ({ body: runway({}) }), ...replies });

beforeEach(() => {
  sessionStorage.clear();
  jest.useFakeTimers({ doNotFake: ['performance'] });
});
describe('page after a payment', () => {
  it.each([
    ['', 2_000, 'Payment Successful!', false],
    ['&test_mode=true', 500, 'Test Payment Successful!', true],
  ])('refreshes the user (%s) after %d ms', async (query, ms, title, test_mode) => {
    const received = serve({ [REQUESTED]: () => session('paid', { test_mode }) });
    open(`/success?session_id=${SESSION}${query}`, { as: { ...MARA, balance: 9 } });
    await passes(0);
    expect(heading()).toContain(title);
    expect(screen.getByText('Updating your account balance...')).toBeInTheDocument();
    expect(screen.getByText(SESSION)).toBeInTheDocument();
    expect(screen.getByText(/^The balance may take a moment to update/)).toBeInTheDocument();

    await passes(ms - 1);
    expect(checks(received)).toBe(0);
    await passes(1);
    expect(checks(received)).toBe(1);
    await passes(1);
    expect(screen.getByText('Your balance is $34.00.')).toBeInTheDocument();
    await passes(60_000);
    expect(checks(received)).toBe(1);
  });

  it('shows what an unconfirmed payment will buy, but no new balance, and checks again', async () => {
    let status = 'open';
    const received = serve({
      [REQUESTED]: () => session(status),
      'GET /billing/runway': ({ path }) => ({
        body: runway({
          running: 1,
          ends_at:
            path.includes('add_amount=25') || status === 'paid'
              ? '2026-12-07T00:00:00.000Z'
              : '2026-12-01T00:00:00.000Z',
        }),
      }),
    });
    open(`/success?session_id=${SESSION}`, { as: { ...MARA, balance: 9 } });
    await passes(2_100);
    expect(heading()).toContain('Payment Successful!');
    expect(screen.getByText('$25.00')).toBeInTheDocument();
    expect(screen.getByText('Updating your account balance...')).toBeInTheDocument();
    expect(screen.getByText('Once it has arrived, everything runs until')).toBeInTheDocument();
    expect(screen.getByText('Mon 7 Dec, 00:00 UTC')).toBeInTheDocument();
    expect(screen.getByText('Tue 1 Dec').tagName).toBe('S');

    status = 'paid';
    await passes(4_100);
    expect(screen.getByText('Your balance is $34.00.')).toBeInTheDocument();
    expect(screen.getByText('Everything runs until')).toBeInTheDocument();
    expect(checks(received)).toBe(2);
  });

  it('stops checking a payment that is never confirmed and makes no claim', async () => {
    const received = serve({ [REQUESTED]: () => session('open') });
    open(`/success?session_id=${SESSION}`, { as: MARA });
    for (let second = 0; second < 120; second += 1) await passes(1_000);
    expect(checks(received)).toBe(6);
    expect(heading()).toBe('Your payment is on its way ');
    expect(screen.queryByText(/Successful|Your balance is \$/)).not.toBeInTheDocument();
  });

  it.each([
    ['failed', "Your payment didn't go through"],
    ['expired', 'This checkout has expired'],
    ['cancelled', 'This checkout has expired'],
  ])('stops checking when the payment %s, and returns to the form with the input', async (status, title) => {
    rememberCheckout({ amount: 50 });
    const received = serve({ [REQUESTED]: () => session(status) });
    open(`/success?session_id=${SESSION}&test_mode=true`, { as: MARA });
    await passes(0);
    await passes(30_000);
    expect(heading()).toBe(`${title} `);
    expect(links()).toContainEqual(['Try Again', '/billing?amount=50#add']);
    expect(received.filter(({ path }) => path.startsWith('/stripe'))).toHaveLength(1);
  });

  it('makes no claim about a payment unknown to the account', async () => {
    const received = serve({});
    open(`/success?session_id=${SESSION}&test_mode=true`, { as: MARA });
    await passes(0);
    await passes(30_000);
    expect(heading()).toBe('Payment not found ');
    expect(checks(received)).toBe(0);
  });

  it('retries when the payment cannot be loaded, then refers to the transactions', async () => {
    serve({ [REQUESTED]: () => ({ status: 503, body: { detail: 'away', code: 'SERVICE_UNAVAILABLE' } }) });
    open(`/success?session_id=${SESSION}`, { as: MARA });
    await passes(0);
    expect(screen.getByText('Updating your account balance...')).toBeInTheDocument();
    for (let second = 0; second < 120; second += 1) await passes(1_000);
    expect(heading()).toBe('Your payment ');
    expect(screen.getByText(/^We couldn't confirm your payment/)).toBeInTheDocument();
  });

  it('returns to the order with the filled button', async () => {
    serve({ [REQUESTED]: () => session('paid') });
    open(`/success?session_id=${SESSION}&return_to=order`, { as: MARA });
    await passes(3_000);
    const back = screen.getByRole('link', { name: 'Back to your order' });
    expect(back).toHaveAttribute('href', '/create-deployment');
    expect(back).toHaveClass('primary');
    expect(screen.getByRole('link', { name: 'View Billing & Transactions' })).not.toHaveClass('primary');
  });

  it('requests nothing and makes no claim for a logged-out visitor', async () => {
    const received = serve({});
    open(`/success?session_id=${SESSION}`);
    await passes(10_000);
    expect(heading()).toBe('Your payment ');
    expect(screen.getByText('Log in to check whether your payment has arrived.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'View Billing & Transactions' })).toHaveAttribute('href', '/billing');
    expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard');
    expect(received.filter(({ path }) => /auth\/me|stripe/.test(path))).toEqual([]);
  });

  it('makes no claim without a session', async () => {
    const received = serve({});
    open('/success', { as: MARA });
    await passes(10_000);
    expect(heading()).toBe('Your payment ');
    expect(screen.getByText('Received payments appear in your transactions.')).toBeInTheDocument();
    expect(received.filter(({ path }) => path.startsWith('/stripe'))).toEqual([]);
  });
});

describe('page after a cancelled payment', () => {
  const again = () => screen.getByRole('link', { name: 'Try Again' }).getAttribute('href');

  it('shows that nothing was charged and offers another attempt', async () => {
    serveApi({});
    open('/cancel');
    await passes(0);
    expect(screen.getByRole('heading', { name: 'Payment Cancelled' })).toBeInTheDocument();
    expect(screen.getByText('No charges were made.')).toBeInTheDocument();
    expect(again()).toBe('/billing');
    expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard');
  });

  it('retries with the typed amount and for the order that needs it', async () => {
    serveApi({});
    rememberCheckout({ amount: 50, returnTo: 'order', orderHourly: 0.0356 });
    open('/cancel?return_to=order');
    await passes(0);
    expect(again()).toBe('/billing?amount=50&return_to=order&order_hourly=0.0356#add');
  });
});
