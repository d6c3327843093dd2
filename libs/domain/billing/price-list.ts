import { Money } from '../money';
import { DAY_MS } from '../time';

/** The one price list (decisions 3, 7, 8, 12, 13). Prices are per clock hour; list changes touch only later creations. */
export const PRICE_LIST = {
  supportLevelHourly: { 1: Money.ZERO, 2: Money.of(0.0685), 3: Money.of(0.274) },
  byovpsFeeHourly: Money.of(0.005),
  hoursPerDay: 24,
  daysPerMonth: 30,

  minBalanceToDeploy: Money.of(5),
  /** One free credit is enough for an account's first deployment. */
  minBalanceFirstDeployment: Money.of(4.99),

  creditAmount: Money.of(4.99),
  /** In which credits are offered; they count 1:1 in the wallet (decisions 2). */
  creditCurrency: 'EUR',
  creditLifeMs: 30 * DAY_MS,
  /** Referral credits are usable while the regular balance is at least this. */
  creditUnlockBalance: Money.of(5),
  /** What an account that never paid may start costs at most this per hour (default of CREDIT_ONLY_MAX_HOURLY). */
  creditOnlyMaxHourly: Money.of(0.1),
} as const;

/**
 * Every price that levels ever had: prices that were agreed on stay valid for their deployments. A change of the list adds
 * the new prices here and leaves the old ones.
 */
export const LEVEL_PRICES_EVER = [{ 1: Money.ZERO, 2: Money.of(0.0685), 3: Money.of(0.274) }] as const;
