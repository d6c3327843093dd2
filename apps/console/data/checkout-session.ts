import type { RouteAnswer, RunwayAnswer } from '@moorage/contracts';
import { api } from './api';
import { ApiError } from './errors';

export type CheckoutSession = RouteAnswer<'GET /stripe/checkout-sessions/{id}'>;

/** Loads a checkout. `unknown` means that the account has no such checkout, and `unsure` that the request failed. */
export async function loadCheckoutSession(
  id: string,
  signal: AbortSignal,
): Promise<CheckoutSession | 'unknown' | 'unsure'> {
  try {
    return await api('GET /stripe/checkout-sessions/{id}', { params: { id }, signal });
  } catch (error) {
    return error instanceof ApiError && error.code === 'NOT_FOUND' ? 'unknown' : 'unsure';
  }
}

/** Loads how long the balance lasts with this amount added, or null if it cannot be loaded. */
export const loadRunwayWith = (amount: number | null, signal: AbortSignal): Promise<RunwayAnswer | null> =>
  api('GET /billing/runway', { query: { add_amount: amount }, signal }).catch(() => null);
