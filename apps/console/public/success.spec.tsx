import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { rememberCheckout } from '../data/checkout';
import { MARA, open, type Received, serveApi } from './testing';

const SESSION = 'cs_test_a1';
const runway = (over: object): object => ({ ends_at: null, running: 0, ...over });

const passes = (ms: number): Promise<void> => act(() => jest.advanceTimersByTimeAsync(ms));
const looks = (received: readonly Received[]): number => received.filter(({ path }) => path === '/auth/me').length;

beforeEach(() => {
  sessionStorage.clear();
  jest.useFakeTimers({ doNotFake: ['performance'] });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('after a payment', () => {
  it.each([
    ['', 2_000, 'Payment Successful!'],
    ['&test_mode=true', 500, 'Test Payment Successful!'],
  ])('the user is refreshed (%s) after %d ms', async (query, ms, heading) => {
    const received = serveApi({ 'GET /billing/runway': () => ({ body: runway({}) }) });
    open(`/success?session_id=${SESSION}${query}`, { as: { ...MARA, balance: 9 } });
    await passes(0);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain(heading);
    expect(screen.getByText('Updating your account balance...')).toBeTruthy();
    expect(screen.getByText(SESSION)).toBeTruthy();

    await passes(ms - 1);
    expect(looks(received)).toBe(0);
    await passes(1);
    expect(looks(received)).toBe(1);
    await passes(1);
    expect(screen.getByText('Your balance is $34.00.')).toBeTruthy();
    await passes(60_000);
    expect(looks(received)).toBe(1);
  });

  it('begun here and not yet arrived: says what it will buy, never claims the new balance, and looks again', async () => {
    rememberCheckout({ sessionId: SESSION, amount: 25, balanceBefore: 9 });
    let balance = 9;
    const received = serveApi({
      'GET /auth/me': () => ({ body: { ...MARA, balance } }),
      'GET /billing/runway': ({ path }) => ({
        body: runway({
          running: 1,
          ends_at:
            path.includes('add_amount=25') || balance > 9 ? '2026-12-07T00:00:00.000Z' : '2026-12-01T00:00:00.000Z',
        }),
      }),
    });
    open(`/success?session_id=${SESSION}`, { as: { ...MARA, balance: 9 } });
    await passes(2_100);
    expect(screen.getByText('$25.00')).toBeTruthy();
    expect(screen.getByText('Updating your account balance...')).toBeTruthy();
    expect(screen.getByText('Once it has arrived, everything runs until')).toBeTruthy();
    expect(screen.getByText('Mon 7 Dec, 00:00 UTC')).toBeTruthy();
    expect(screen.getByText('Tue 1 Dec').tagName).toBe('S');

    balance = 34;
    await passes(4_100);
    expect(screen.getByText('Your balance is $34.00.')).toBeTruthy();
    expect(screen.getByText('Everything runs until')).toBeTruthy();
    expect(looks(received)).toBe(2);
  });

  it('that never arrives: it stops looking and says so', async () => {
    rememberCheckout({ sessionId: SESSION, amount: 25, balanceBefore: 34 });
    const received = serveApi({ 'GET /billing/runway': () => ({ body: runway({}) }) });
    open(`/success?session_id=${SESSION}`, { as: MARA });
    for (let second = 0; second < 120; second += 1) await passes(1_000);
    expect(looks(received)).toBe(6);
    expect(screen.getByText('The payment has not arrived at your balance yet.')).toBeTruthy();
  });

  it('seen by somebody who is not signed in: nothing is asked', async () => {
    const received = serveApi({});
    open(`/success?session_id=${SESSION}`);
    await passes(10_000);
    expect(screen.getByRole('link', { name: 'View Billing & Transactions' }).getAttribute('href')).toBe('/billing');
    expect(screen.getByRole('link', { name: 'Go to Dashboard' }).getAttribute('href')).toBe('/dashboard');
    expect(received.map(({ path }) => path)).not.toContain('/auth/me');
  });
});

it('a payment that was cancelled cost nothing and can be tried again', async () => {
  serveApi({});
  open('/cancel');
  await passes(0);
  expect(screen.getByRole('heading', { name: 'Payment Cancelled' })).toBeTruthy();
  expect(screen.getByText('No charges were made.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Try Again' }).getAttribute('href')).toBe('/billing');
});
