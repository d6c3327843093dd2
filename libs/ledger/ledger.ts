import type { Deployments } from '@moorage/database';
import {
  type AccountFacts,
  type Actor,
  type BalanceInfo,
  balanceInfo,
  type CreditView,
  hourlyPrice,
  type Instant,
  iso,
  type LowBalanceDays,
  MINUTE_MS,
  Money,
  PRICE_LIST,
  type Runway,
} from '@moorage/domain';
import type { Outbox } from '@moorage/messaging';
import type { Reads, Tx } from '@moorage/server';
import { accountFacts } from './account-facts';
import { loadAccount, lockWallet, readMoney } from './account-store';
import { Adjustments } from './adjustments';
import { listCredits } from './credits';
import { Forecasts } from './forecasts';
import { Intervals } from './intervals';
import { Payments } from './payments';
import { Postings } from './postings';
import { RateChanges } from './rate-changes';
import { transactionPage, transactionPageOfAll } from './transactions';
import type {
  AccountAt,
  AccountForecast,
  BalanceAdjustment,
  ConfirmedSize,
  CreditAdjustment,
  CreditGrant,
  DeploymentStop,
  EarlierMovements,
  ForecastQuestion,
  LevelChange,
  NewMeter,
  NewMovement,
  PaymentFacts,
  RateChange,
  RateEffect,
  RateQuote,
  Reopening,
  Settled,
  SizeChange,
  TransactionDay,
  TransactionPage,
} from './types';

export interface LedgerOptions {
  readonly deployments: Deployments;
  readonly outbox: Outbox;
  /** Service that moves depleted deployments, which is the service that runs this ledger. */
  readonly actor: Actor;
  /** GRACE_PERIOD_MINUTES. With 0, a charge that is not covered ends the deployment immediately. */
  readonly gracePeriodMinutes: number;
  /** Maximum total hourly price of an account that has never paid. */
  readonly creditOnlyMaxHourly?: Money;
}

/**
 * The only code that writes money. Every operation runs in the caller's transaction, takes the wallet's row lock first
 * and gets its time from the caller (`clock.now(tx)`, once per transaction). Amounts are `Money`.
 *
 * Callers need not handle open grace periods, because the ledger settles automatically after a posting while a grace
 * period is open.
 */
export class Ledger {
  private readonly actor: Actor;
  private readonly postings: Postings;
  private readonly forecasts: Forecasts;
  private readonly payments: Payments;
  private readonly adjustments: Adjustments;
  private readonly intervals: Intervals;
  private readonly rateChanges: RateChanges;

  constructor({
    deployments,
    outbox,
    actor,
    gracePeriodMinutes,
    creditOnlyMaxHourly = PRICE_LIST.creditOnlyMaxHourly,
  }: LedgerOptions) {
    const postings = new Postings({ deployments, outbox, actor, gracePeriodMs: gracePeriodMinutes * MINUTE_MS });
    this.actor = actor;
    this.postings = postings;
    this.forecasts = new Forecasts(postings, outbox, { creditOnlyMaxHourly });
    this.payments = new Payments(postings);
    this.adjustments = new Adjustments(postings, actor);
    this.intervals = new Intervals(postings, actor);
    this.rateChanges = new RateChanges(postings, actor, { creditOnlyMaxHourly });
  }

  /** Opens the wallet of a new account. Idempotent. */
  async openWallet(tx: Tx, { userId, at }: AccountAt): Promise<void> {
    await tx.execute('insert into wallets (user_id, created_at) values ($1, $2) on conflict (user_id) do nothing', [
      userId,
      iso(at),
    ]);
  }

  /**
   * Takes the wallet's row lock (first in the lock order, before any deployment row).
   *
   * @throws DomainError NOT_FOUND when there is no wallet.
   */
  async lock(tx: Tx, userId: number): Promise<void> {
    await lockWallet(tx, userId);
  }

  /** Creates the meter and the first price of a new deployment. Called in the transaction that inserts the row. */
  async openMeter(
    tx: Tx,
    { userId, deploymentId, supportLevel, baseHourly, at, actorUserId }: NewMeter,
  ): Promise<void> {
    const hourly = hourlyPrice({ baseHourly, supportLevel });
    await tx.execute(
      `with rate as (
         insert into deployment_rates (deployment_id, effective_from, support_level, hourly_micros, actor, actor_user_id, reason, written_at)
         values ($1, $3, $4, $5, $7, $8, 'created', $3))
       insert into meters (deployment_id, user_id, base_hourly_micros, hourly_micros, rate_from) values ($1, $2, $6, $5, $3)`,
      [
        deploymentId,
        userId,
        iso(at),
        supportLevel,
        hourly.micros,
        baseHourly.micros,
        this.actor,
        actorUserId ?? userId,
      ],
    );
  }

  /**
   * Posts everything that is due by `at` and not yet posted. This covers expiries, charges by day, corrections of
   * closed intervals, grace periods that open or end, and depletions (which move or mark the deployment). Idempotent,
   * and calls may come late or out of order.
   */
  async settleAccount(tx: Tx, { userId, at }: AccountAt): Promise<Settled> {
    const loaded = await loadAccount(tx, userId);
    return (await this.postings.settleLoaded(tx, loaded, at)).settled;
  }

  /** Returns the balance as shown to the customer. Reads without a lock. Credits that have ended by `at` count as 0. */
  async balance(tx: Tx, { userId, at }: AccountAt): Promise<BalanceInfo> {
    return balanceInfo(await readMoney(tx, userId), at);
  }

  /**
   * Returns the 00:00 UTC until which the balance lasts, and the deployments that stop first. Deployments being created
   * count as if they started now.
   */
  runway(tx: Tx, account: AccountAt): Promise<Runway> {
    return this.forecasts.runway(tx, account);
  }

  /** Forecasts the coming days. Deployments being created count as if they started now. */
  forecast(tx: Tx, question: ForecastQuestion): Promise<AccountForecast> {
    return this.forecasts.forecast(tx, question);
  }

  /**
   * Sends the low-balance warning that is due (`balance.low` at 7, 3 or 1 days), and re-arms warnings that no longer
   * apply.
   */
  warnIfLow(tx: Tx, account: AccountAt): Promise<{ sent: LowBalanceDays | null }> {
    return this.forecasts.warnIfLow(tx, account);
  }

  /**
   * Lists the account's credits, newest first and including ended credits.
   *
   * @param account `userId` null reads the credits of all accounts, for administrators. `ids` restricts the result to
   * these credits.
   */
  credits(tx: Tx, query: { userId: number | null; at: Instant; ids?: readonly number[] }): Promise<CreditView[]> {
    return listCredits(tx, query);
  }

  /**
   * Posts a verified payment. Pays what is owed first, and lifts the limits of a credit-only account. Idempotent by
   * `cause`, which is unique per payment (the checkout session).
   *
   * @returns `posted` is false if the cause was already posted.
   */
  recordPayment(tx: Tx, payment: PaymentFacts): Promise<{ posted: boolean; owedPaid: Money }> {
    return this.payments.recordPayment(tx, payment);
  }

  /**
   * Adopts what an earlier version posted for a payment under other causes, before the first of its movements is
   * recorded.
   *
   * @returns Ids of the movements that were already posted. `recordMovement` ignores them.
   */
  adoptMovements(tx: Tx, movements: EarlierMovements): Promise<ReadonlySet<string>> {
    return this.payments.adoptMovements(tx, movements);
  }

  /**
   * Records a balance transaction of a refund or dispute. Idempotent by `movement.id`, in any order. Posts
   * `shareOfMovement`, and what the regular balance does not cover becomes `owed`.
   *
   * @returns `fresh` is false if the movement was already recorded.
   */
  recordMovement(tx: Tx, movement: NewMovement): Promise<{ fresh: boolean; posted: Money; owed: Money }> {
    return this.payments.recordMovement(tx, movement);
  }

  /**
   * Posts an administrator's change of the regular balance.
   *
   * @throws DomainError BALANCE_WOULD_BE_NEGATIVE (409) when the balance would be below zero.
   */
  adjust(tx: Tx, adjustment: BalanceAdjustment): Promise<BalanceInfo> {
    return this.adjustments.adjust(tx, adjustment);
  }

  /** Grants a credit for 30 x 24 h, by default of the amount in the price list (4.99), and returns its id. */
  grantCredit(tx: Tx, grant: CreditGrant): Promise<number> {
    return this.adjustments.grantCredit(tx, grant);
  }

  /**
   * Sets a credit's amount.
   *
   * @throws DomainError CREDIT_STATE (409) when the amount is below what is used or the credit has ended, and NOT_FOUND
   * when there is no such credit.
   */
  adjustCredit(tx: Tx, adjustment: CreditAdjustment): Promise<CreditView> {
    return this.adjustments.adjustCredit(tx, adjustment);
  }

  /**
   * Prepares a stop (delete, account preparation). Locks the wallet, settles, and returns the time at which to close
   * the interval. During a grace period this is the due time of the unpaid charge, but never before `billable_from`.
   * Pass it on in `deployments.move(..., { changes: { billable_to } })` or `markDestroyed`, then call `stop`.
   *
   * @returns `billableTo` is null if there is nothing to close, because the deployment was never billable or is already
   * closed (`depleted`: by this settlement).
   */
  prepareStop(tx: Tx, stop: DeploymentStop): Promise<{ billableTo: Instant | null; depleted: boolean }> {
    return this.intervals.prepareStop(tx, stop);
  }

  /**
   * Completes a stop after the interval was closed, by posting the difference between owed and posted. `cause` is
   * stored only if there is a refund.
   *
   * @returns The amount refunded, 0 or more.
   */
  stop(tx: Tx, stop: DeploymentStop & { cause?: string | undefined }): Promise<{ refunded: Money }> {
    return this.intervals.stop(tx, stop);
  }

  /**
   * Prepares the return of a deployment after its lost server was found or its delete was undone. Locks the wallet,
   * settles, writes the prices that leave out the gap, and charges what is due immediately. The caller has settled,
   * then checked the status under the deployment's lock, and moves the deployment back afterwards.
   *
   * @throws DomainError BALANCE_TOO_LOW (402), in which case nothing changes.
   */
  reopen(tx: Tx, reopening: Reopening): Promise<{ charged: Money }> {
    return this.intervals.reopen(tx, reopening);
  }

  /**
   * Returns the effects of another level or size without applying it. These are today's amount (positive: charged), the
   * new daily price, and the required balance.
   */
  quoteRate(tx: Tx, change: RateChange): Promise<RateEffect> {
    return this.rateChanges.quoteRate(tx, change);
  }

  /**
   * Changes the support level. Settles, checks a raise against the balance, writes the new rate and posts the
   * re-rating. The caller has checked the status and the rate limit, and updates the deployment row.
   *
   * @returns The quote, and the time `at` at which the new price begins. It is later than the request if another price
   * was written while the request waited.
   * @throws DomainError BALANCE_TOO_LOW or BALANCE_OWED (402), in which case nothing changes.
   */
  changeLevel(tx: Tx, change: LevelChange): Promise<RateQuote & { readonly at: Instant }> {
    return this.rateChanges.changeLevel(tx, change);
  }

  /**
   * Checks at the request whether the account can pay for another size. Settles, and checks a larger size against the
   * balance as if its price began now. Writes no price, because the size is not confirmed yet.
   *
   * @throws DomainError BALANCE_TOO_LOW or BALANCE_OWED (402), or RATE_LIMITED (429) in the clock hour of another size
   */
  admitSize(tx: Tx, change: SizeChange): Promise<RateQuote> {
    return this.rateChanges.admitSize(tx, change);
  }

  /**
   * Applies the price of a size that the provider has confirmed. Settles, writes the new rate from `confirmedAt` and
   * posts the re-rating, also of days posted since. If the balance does not cover it, the price begins with the next
   * day instead (`confirmedRate`). Also updates the price in the deployment row. Idempotent by `changeId`.
   *
   * @returns When the price begins, or null if nothing was written because the change is known or the interval has
   * ended
   */
  changeSize(tx: Tx, size: ConfirmedSize): Promise<{ readonly from: Instant | null }> {
    return this.rateChanges.changeSize(tx, size);
  }

  /**
   * Locks the wallet, settles, and returns the facts for the creation rules. Pass them to `refusalToCreate` of the
   * domain.
   */
  async planCreate(tx: Tx, { userId, at }: AccountAt): Promise<AccountFacts> {
    const loaded = await loadAccount(tx, userId);
    const { now } = await this.postings.settleLoaded(tx, loaded, at);
    return accountFacts(tx, now, at);
  }

  /** Returns a page of `daysPerPage` UTC days with postings, newest first. */
  transactions(reads: Reads, page: TransactionPage): Promise<{ days: TransactionDay[]; totalPages: number }> {
    return transactionPage(reads, page);
  }

  /**
   * Returns a page across all accounts, with its newest `limit` rows. `span` is the time range of the page's days, or
   * null if it has none.
   */
  transactionsOfAll(
    reads: Reads,
    page: { page: number; daysPerPage: number; limit: number },
  ): Promise<{
    days: TransactionDay[];
    totalPages: number;
    span: readonly [from: Instant, to: Instant] | null;
  }> {
    return transactionPageOfAll(reads, page);
  }
}
