import { Money } from '../money';
import { DAY_MS } from '../time';

/**
 * Price list (decisions 3, 7, 8, 12 and 13). Prices are per clock hour. Changes apply only to deployments created
 * later.
 */
export const PRICE_LIST = {
  supportLevelHourly: { 1: Money.ZERO, 2: Money.of(0.0685), 3: Money.of(0.274) },
  byovpsFeeHourly: Money.of(0.005),
  hoursPerDay: 24,
  daysPerMonth: 30,

  minBalanceToDeploy: Money.of(5),
  /** Exactly one free credit, so that it is enough for an account's first deployment. */
  minBalanceFirstDeployment: Money.of(4.99),

  creditAmount: Money.of(4.99),
  /** Currency in which credits are offered. They count 1:1 in the wallet (decision 2). */
  creditCurrency: 'EUR',
  creditLifeMs: 30 * DAY_MS,
  /** Regular balance from which referral credits are usable. */
  creditUnlockBalance: Money.of(5),
  /** Maximum hourly price for an account that has never paid (default of CREDIT_ONLY_MAX_HOURLY). */
  creditOnlyMaxHourly: Money.of(0.1),
} as const;

/**
 * Every price the levels have ever had. Agreed prices stay valid for their deployments, so a change of the list adds
 * the new prices here and leaves the old prices.
 */
export const LEVEL_PRICES_EVER = [{ 1: Money.ZERO, 2: Money.of(0.0685), 3: Money.of(0.274) }] as const;
