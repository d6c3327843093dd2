import type { CreditAnswer, Transactions } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from './api';
import { useRead } from './use-read';

const HOURLY_DECIMALS = 6;

/** Largest amount that the forecast accepts (contracts: `runwayQuestion`). */
const WHAT_IF_MAX = 1_000;

export const useRunway = () => useRead('billing', 'GET /billing/runway', {});

export const useBalance = () => useRead('billing', 'GET /billing/balance', {});

/** Formats an hourly price for the forecast request. */
const orderQuery = (hourly: number | undefined): { order_hourly?: string } =>
  hourly === undefined ? {} : { order_hourly: hourly.toFixed(HOURLY_DECIMALS) };

/**
 * Loads how long the balance would last if this amount were added now and, with `orderHourly`, something at this price
 * were ordered. Sends a request only for amounts that can be paid in.
 */
export function useRunwayWith(addAmount: number | null, orderHourly?: number) {
  const requested = addAmount !== null && addAmount <= WHAT_IF_MAX;
  const query = { add_amount: addAmount, ...orderQuery(orderHourly) };
  return useRead(
    'billing',
    'GET /billing/runway',
    { query },
    { enabled: requested, placeholderData: keepPreviousData },
  );
}

/**
 * Loads the amount needed to keep everything, including such an order, running until the end of this UTC day
 * (`YYYY-MM-DD`). Null disables the query.
 */
export const useKeepUntil = (day: string | null, orderHourly?: number) =>
  useRead(
    'billing',
    'GET /billing/runway',
    day === null ? null : { query: { keep_until: day, ...orderQuery(orderHourly) } },
  );

/** Loads the forecast as if something at this hourly price were ordered now. Null disables the query. */
export const useOrderEffect = (hourly: number | null) =>
  useRead('billing', 'GET /billing/runway', hourly === null ? null : { query: orderQuery(hourly) });

/** Loads the transactions by UTC day of the user's own account or, for administrators, of a username or email. */
export function useTransactions({ page, user }: { page: number; user: string | null }) {
  return useQuery({
    queryKey: ['billing', 'transactions', user, page],
    queryFn: ({ signal }) => fetchTransactions({ page, user, daysPerPage: CONSTANTS.transactionsDaysPerPage, signal }),
    placeholderData: (before, query) => (query?.queryKey[2] === user ? before : undefined),
  });
}

export function fetchTransactions({
  page,
  user,
  daysPerPage,
  signal,
}: {
  page: number;
  user: string | null;
  daysPerPage: number;
  signal?: AbortSignal;
}): Promise<Transactions> {
  const query = { page, days_per_page: daysPerPage };
  return user === null
    ? api('GET /billing/transactions', { query, signal })
    : api('GET /billing/admin/transactions', { query: { ...query, user }, signal });
}

/** Loads signup and referral credits in spending order. */
export function useCredits() {
  return useQuery({
    queryKey: ['billing', 'credits'],
    queryFn: async ({ signal }) => {
      const [signup, referral] = await Promise.all([
        api('GET /signup-credits', { signal }),
        api('GET /referrals/credits', { signal }),
      ]);
      return inSpendingOrder([...signup, ...referral]);
    },
  });
}

/** Sorts credits by expiry, then by ID. */
const inSpendingOrder = (credits: readonly CreditAnswer[]): readonly CreditAnswer[] =>
  [...credits].sort((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at) || a.id - b.id);

/** Finds, for administrators, the account with exactly this username or email, or null. */
export function useAccountNamed(name: string) {
  return useQuery({
    queryKey: ['users', 'named', name],
    queryFn: async ({ signal }) => {
      const wanted = name.toLowerCase();
      const found = await api('GET /users', { query: { name, show_deactivated: true }, signal });
      // A username takes precedence over an email, as in the transactions call.
      return (
        found.find(({ username }) => username.toLowerCase() === wanted) ??
        found.find(({ email }) => email.toLowerCase() === wanted) ??
        null
      );
    },
  });
}

/** Loads, for administrators, another account's balance, credits in spending order, and forecast. */
export function useMoneyOf(id: number | undefined) {
  const request = id === undefined ? null : { params: { id } };
  return {
    balance: useRead('billing', 'GET /users/{id}/balance', request),
    credits: useRead('billing', 'GET /users/{id}/credits', request, { select: inSpendingOrder }),
    runway: useRead('billing', 'GET /users/{id}/runway', request),
  };
}

export interface TopUp {
  /** Currency units, in whole cents. */
  readonly amount: number;
  /** Save the card for automatic top-ups. */
  readonly saveCard?: boolean | undefined;
  readonly returnTo?: 'order' | undefined;
}

/** Starts a top-up. The browser then goes to the returned URL. Requests with the same key are the same top-up. */
export function beginCheckout({ amount, saveCard = false, returnTo }: TopUp, key: string) {
  return api('POST /stripe/create-checkout-session', {
    body: {
      amount_cents: Math.round(amount * 100),
      ...(saveCard ? { save_card: true } : {}),
      ...(returnTo === undefined ? {} : { return_to: returnTo }),
    },
    idempotencyKey: key,
  });
}
