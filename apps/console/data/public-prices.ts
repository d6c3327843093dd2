import type { Prices } from '@moorage/contracts';
import { useEffect } from 'react';
import { create } from 'zustand';
import { api } from './api';

/** Specified prices, shown if the request fails. */
const USUAL_PRICES: Prices = {
  minBalanceToDeploy: 5,
  minBalanceFirstDeployment: 4.99,
  byovpsDailyFee: 0.12,
  supportLevel2Daily: 1.76,
  supportLevel3Daily: 6.7,
  referrals_enabled: true,
};

interface PricesState {
  readonly state: 'waiting' | 'there' | 'failed';
  /** Default prices until the response arrives. */
  readonly prices: Prices;
}

const WAITING: PricesState = { state: 'waiting', prices: USUAL_PRICES };
const useKnownPrices = create<PricesState>(() => WAITING);
let requested = false;

/** Returns the prices, loaded once per page load. After a failure the next page that needs them tries again. */
export function usePublicPrices(): PricesState {
  useEffect(request, []);
  return useKnownPrices();
}

/** Returns the prices that a public page has loaded, or undefined. */
export function knownPrices(): Prices | undefined {
  const { state, prices } = useKnownPrices.getState();
  return state === 'there' ? prices : undefined;
}

export function forgetPrices(): void {
  requested = false;
  useKnownPrices.setState(WAITING);
}

function request(): void {
  if (requested) return;
  requested = true;
  api('GET /pricing').then(
    (prices) => useKnownPrices.setState({ state: 'there', prices }),
    () => {
      requested = false;
      useKnownPrices.setState({ state: 'failed', prices: USUAL_PRICES });
    },
  );
}
