import type { Prices } from '@moorage/contracts';
import { useSyncExternalStore } from 'react';
import { api } from '../../data/api';

/** Specified prices, shown if the request fails. */
export const USUAL_PRICES: Prices = {
  minBalanceToDeploy: 5,
  minBalanceFirstDeployment: 4.99,
  byovpsDailyFee: 0.12,
  supportLevel2Daily: 1.76,
  supportLevel3Daily: 6.7,
  referrals_enabled: true,
};

export interface PricesState {
  readonly state: 'waiting' | 'there' | 'failed';
  /** Default prices until the response arrives. */
  readonly prices: Prices;
}

const WAITING: PricesState = { state: 'waiting', prices: USUAL_PRICES };
let known = WAITING;
let requested = false;
const listeners = new Set<() => void>();

/** Returns the prices, loaded once per page load. After a failure the next page that needs them tries again. */
export function usePrices(): PricesState {
  return useSyncExternalStore(subscribe, () => known);
}

export function forgetPrices(): void {
  known = WAITING;
  requested = false;
}

// Must be a stable function. A new function per render would subscribe and, after a failure, send requests repeatedly.
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!requested) request();
  return () => listeners.delete(listener);
}

function request(): void {
  requested = true;
  const notify = (next: PricesState): void => {
    known = next;
    for (const listener of listeners) listener();
  };
  api('GET /pricing').then(
    (prices) => notify({ state: 'there', prices }),
    () => {
      requested = false;
      notify({ state: 'failed', prices: USUAL_PRICES });
    },
  );
}
