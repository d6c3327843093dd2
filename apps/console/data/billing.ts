import type { CreditAnswer, Transactions } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from './api';

const HOURLY_DECIMALS = 6;

/** The largest amount the forecast can be asked about (contracts: `runwayQuestion`). */
const WHAT_IF_MAX = 1_000;

/** Keys begin with what a live hint is about (`keysOf`). */
export function useRunway() {
  return useQuery({ queryKey: ['runway'], queryFn: ({ signal }) => api('GET /billing/runway', { signal }) });
}

export function useBalance() {
  return useQuery({ queryKey: ['balance'], queryFn: ({ signal }) => api('GET /billing/balance', { signal }) });
}

/** An hourly price as the forecast is asked about it. */
const orderQuery = (hourly: number | undefined): { order_hourly?: string } =>
  hourly === undefined ? {} : { order_hourly: hourly.toFixed(HOURLY_DECIMALS) };

/**
 * Until when the money would last if this much came in now, and with `orderHourly` something of this price were ordered;
 * asked only for amounts that could be paid in.
 */
export function useRunwayWith(addAmount: number | null, orderHourly?: number) {
  const asked = addAmount !== null && addAmount <= WHAT_IF_MAX;
  return useQuery({
    queryKey: ['runway', 'with', addAmount, orderHourly],
    queryFn: ({ signal }) =>
      api('GET /billing/runway', { query: { add_amount: addAmount, ...orderQuery(orderHourly) }, signal }),
    enabled: asked,
    placeholderData: keepPreviousData,
  });
}

/** What it takes to keep everything, and such an order, running until the end of this UTC day (`YYYY-MM-DD`); null asks nothing. */
export function useKeepUntil(day: string | null, orderHourly?: number) {
  return useQuery({
    queryKey: ['runway', 'keep', day, orderHourly],
    queryFn: ({ signal }) =>
      api('GET /billing/runway', { query: { keep_until: day, ...orderQuery(orderHourly) }, signal }),
    enabled: day !== null,
  });
}

/** The runway as if something of this hourly price were ordered now; null asks nothing. */
export function useOrderEffect(hourly: number | null) {
  const order = hourly?.toFixed(HOURLY_DECIMALS);
  return useQuery({
    queryKey: ['runway', 'order', order],
    queryFn: ({ signal }) => api('GET /billing/runway', { query: { order_hourly: order }, signal }),
    enabled: hourly !== null,
  });
}

/** The transactions of an account by UTC day: the own, or (for administrators) that of a username or email. */
export function useTransactions({ page, user }: { page: number; user: string | null }) {
  return useQuery({
    queryKey: ['transactions', user, page],
    queryFn: ({ signal }) => askTransactions({ page, user, daysPerPage: CONSTANTS.transactionsDaysPerPage, signal }),
    placeholderData: (before, query) => (query?.queryKey[1] === user ? before : undefined),
  });
}

export function askTransactions({
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

/** Signup and referral credits in spending order. */
export function useCredits() {
  return useQuery({
    queryKey: ['credits'],
    queryFn: async ({ signal }) => {
      const [signup, referral] = await Promise.all([
        api('GET /signup-credits', { signal }),
        api('GET /referrals/credits', { signal }),
      ]);
      return inSpendingOrder([...signup, ...referral]);
    },
  });
}

/** By their end, then by id. */
const inSpendingOrder = (credits: readonly CreditAnswer[]): readonly CreditAnswer[] =>
  [...credits].sort((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at) || a.id - b.id);

/** For administrators: the account of a username or an email, whole; null: there is none. */
export function useAccountNamed(name: string) {
  return useQuery({
    queryKey: ['users', 'named', name],
    queryFn: async ({ signal }) => {
      const wanted = name.toLowerCase();
      const found = await api('GET /users', { query: { name, show_deactivated: true }, signal });
      // as the transactions' call decides: a username goes before an address
      return (
        found.find(({ username }) => username.toLowerCase() === wanted) ??
        found.find(({ email }) => email.toLowerCase() === wanted) ??
        null
      );
    },
  });
}

/** For administrators: what another account has, its credits in spending order, and until when it lasts. */
export function useMoneyOf(id: number | undefined) {
  const enabled = id !== undefined;
  const params = { id: id ?? 0 };
  return {
    balance: useQuery({
      queryKey: ['balance', 'of', id],
      queryFn: ({ signal }) => api('GET /users/{id}/balance', { params, signal }),
      enabled,
    }),
    credits: useQuery({
      queryKey: ['credits', 'of', id],
      queryFn: async ({ signal }) => inSpendingOrder(await api('GET /users/{id}/credits', { params, signal })),
      enabled,
    }),
    runway: useQuery({
      queryKey: ['runway', 'of', id],
      queryFn: ({ signal }) => api('GET /users/{id}/runway', { params, signal }),
      enabled,
    }),
  };
}

export interface TopUp {
  /** Currency units, in whole cents. */
  readonly amount: number;
  /** The card is kept for automatic top-ups. */
  readonly saveCard?: boolean | undefined;
  readonly returnTo?: 'order' | undefined;
}

/** Begins a top-up; the browser goes to the address of the answer. The same key is the same top-up. */
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
