import type { BillingDocumentAnswer, CreditAnswer, Transactions } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { AUTOMATIC_TOP_UP } from './actions/billing';
import { api, fetchFile } from './api';
import { useRead } from './use-read';

const HOURLY_DECIMALS = 6;

/** Largest amount that the forecast accepts (contracts: `runwayQuestion`). */
const WHAT_IF_MAX = 1_000;

export const useRunway = () => useRead('billing', 'GET /billing/runway', {});

export const useBalance = () => useRead('billing', 'GET /billing/balance', {});

export const useAutomaticTopUp = () => useRead('billing', AUTOMATIC_TOP_UP, {});

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
export const useOrderEffect = (hourly: number | null, { enabled = true }: { enabled?: boolean } = {}) =>
  useRead('billing', 'GET /billing/runway', hourly === null ? null : { query: orderQuery(hourly) }, { enabled });

/** Returns one page of transactions of the user's own account or, for administrators, of a username or email. */
const readTransactions = (page: number, user: string | null): Promise<Transactions> => {
  const query = { page, days_per_page: CONSTANTS.transactionsDaysPerPageMax };
  return user === null
    ? api('GET /billing/transactions', { query })
    : api('GET /billing/admin/transactions', { query: { ...query, user } });
};

/** Returns all transactions of an account, newest first. */
export async function readAllTransactions(user: string | null) {
  const rows: Transactions['transactions'][number]['transactions'] = [];
  for (let page = 1; ; page += 1) {
    const answer = await readTransactions(page, user);
    rows.push(...answer.transactions.flatMap(({ transactions }) => transactions));
    if (!answer.has_next) return rows;
  }
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
export const inSpendingOrder = (credits: readonly CreditAnswer[]): readonly CreditAnswer[] =>
  [...credits].sort((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at) || a.id - b.id);

export const fetchDocument = ({ id }: Pick<BillingDocumentAnswer, 'id'>): Promise<Blob> =>
  fetchFile(`/billing/documents/${id}/pdf`);
