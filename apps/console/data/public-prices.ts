import type { Prices } from '@moorage/contracts';
import { publicPrices } from '@moorage/domain';
import { useEffect, useSyncExternalStore } from 'react';
import { createStore } from 'zustand';
import { api } from './api';

const usual = publicPrices();

/** Specified prices, shown if the request fails and in the HTML of the build. */
export const USUAL_PRICES: Prices = {
  minBalanceToDeploy: usual.minBalanceToDeploy.toWire(),
  minBalanceFirstDeployment: usual.minBalanceFirstDeployment.toWire(),
  byovpsDailyFee: usual.byovpsDailyFee.toWire(),
  supportLevel2Daily: usual.supportLevel2Daily.toWire(),
  supportLevel3Daily: usual.supportLevel3Daily.toWire(),
  referrals_enabled: true,
};

interface PricesState {
  readonly state: 'waiting' | 'there' | 'failed';
  /** Default prices until the response arrives. */
  readonly prices: Prices;
}

const WAITING: PricesState = { state: 'waiting', prices: USUAL_PRICES };
const known = createStore<PricesState>(() => WAITING);
let requested = false;

/** Returns the prices, loaded once per page load. After a failure the next page that needs them tries again. */
export function usePublicPrices(): PricesState {
  useEffect(request, []);
  // Hydration starts with the prices that came with the page, which the build has rendered.
  return useSyncExternalStore(known.subscribe, known.getState, known.getState);
}

/** Returns the prices that a public page has loaded, or undefined. */
export function knownPrices(): Prices | undefined {
  const { state, prices } = known.getState();
  return state === 'there' ? prices : undefined;
}

export function forgetPrices(): void {
  requested = false;
  known.setState(WAITING);
}

/** Shows prices that came with the page, as if they had been loaded. */
export function showPrices(prices: Prices): void {
  requested = true;
  known.setState({ state: 'there', prices });
}

function request(): void {
  if (requested) return;
  requested = true;
  api('GET /pricing').then(showPrices, () => {
    requested = false;
    known.setState({ state: 'failed', prices: USUAL_PRICES });
  });
}
