import type {
  AccountFacts,
  BalanceInfo,
  CreditType,
  CreditView,
  Forecast,
  Instant,
  LowBalanceDays,
  Money,
  Movement,
  Refusal,
  Runway,
  Saving,
  SupportLevel,
  TransactionType,
  TransactionGroup,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';

/**
 * The only code that writes money. Every operation runs in the caller's transaction, takes the wallet's row lock first
 * and gets its time from the caller (`clock.now(tx)`, once per transaction). Amounts are `Money`.
 *
 * Callers need not handle open grace periods, because the ledger settles automatically after a posting while a grace
 * period is open.
 */
export abstract class Ledger {
  /** Opens the wallet of a new account. Idempotent. */
  abstract openWallet(tx: Tx, wallet: { userId: number; at: Instant }): Promise<void>;

  /**
   * Takes the wallet's row lock (first in the lock order, before any deployment row).
   *
   * @throws DomainError NOT_FOUND when there is no wallet.
   */
  abstract lock(tx: Tx, userId: number): Promise<void>;

  /**
   * Creates the meter and the first price of a new deployment. Called in the transaction that inserts the row.
   *
   * @param meter `baseHourly` is the hourly price of the instance (new server) or the hourly management fee (own
   * server). The price of the support level is added from the price list.
   */
  abstract openMeter(
    tx: Tx,
    meter: {
      userId: number;
      deploymentId: number;
      supportLevel: SupportLevel;
      baseHourly: Money;
      at: Instant;
      /** User who ordered, if not the owner. */
      actorUserId?: number;
    },
  ): Promise<void>;

  /**
   * Posts everything that is due by `at` and not yet posted. This covers expiries, charges by day, corrections of
   * closed intervals, grace periods that open or end, and depletions (which move or mark the deployment). Idempotent,
   * and calls may come late or out of order.
   */
  abstract settle(tx: Tx, account: { userId: number; at: Instant }): Promise<Settled>;

  /** Returns the balance as shown to the customer. Reads without a lock. Credits that have ended by `at` count as 0. */
  abstract balance(tx: Tx, account: { userId: number; at: Instant }): Promise<BalanceInfo>;

  /**
   * Returns the 00:00 UTC until which the balance lasts, and the deployments that stop first. Deployments being created
   * count as if they started now.
   */
  abstract runway(tx: Tx, account: { userId: number; at: Instant }): Promise<Runway>;

  /**
   * Forecasts the coming days. Deployments being created (`starting` is their number) count as if they started now.
   *
   * @param question
   * - `add`: amount to treat as paid in now
   * - `order`: hourly price of another deployment that starts now
   * - `keep`: requests the smallest top-up, up to `mostCents`, with which everything runs until `until`
   * @returns The forecast. `refusal` is the reason for which the creation rules would refuse the order. `kept` is the
   * result of `topUpUntil`, or null without `keep`.
   */
  abstract forecast(
    tx: Tx,
    question: { userId: number; at: Instant; add?: Money; order?: Money; keep?: { until: Instant; mostCents: number } },
  ): Promise<
    Forecast & {
      readonly starting: number;
      readonly clientNames: ReadonlyMap<number, string>;
      readonly refusal: Refusal | null;
      readonly kept: Saving | null;
    }
  >;

  /**
   * Sends the low-balance warning that is due (`balance.low` at 7, 3 or 1 days), and re-arms warnings that no longer
   * apply.
   */
  abstract warnIfLow(tx: Tx, account: { userId: number; at: Instant }): Promise<{ sent: LowBalanceDays | null }>;

  /**
   * Lists the account's credits, newest first and including ended credits.
   *
   * @param account `userId` null reads the credits of all accounts, for administrators. `ids` restricts the result to
   * these credits.
   */
  abstract credits(
    tx: Tx,
    account: { userId: number | null; at: Instant; ids?: readonly number[] },
  ): Promise<CreditView[]>;

  /**
   * Posts a verified payment. Pays what is owed first, and lifts the limits of a credit-only account. Idempotent by
   * `cause`, which is unique per payment (the checkout session).
   *
   * @returns `posted` is false if the cause was already posted.
   */
  abstract recordPayment(
    tx: Tx,
    payment: { userId: number; amount: Money; cause: string; at: Instant },
  ): Promise<{ posted: boolean; owedPaid: Money }>;

  /**
   * Adopts what an earlier version posted for a payment under other causes, before the first of its movements is
   * recorded.
   *
   * @param what `movements` holds all movements of the payment, oldest first.
   * @returns Ids of the movements that were already posted. `recordMovement` ignores them.
   */
  abstract adoptMovements(
    tx: Tx,
    what: {
      userId: number;
      paymentIntent: string;
      /** Amount of the payment. */
      paid: Money;
      movements: readonly MovementFacts[];
      at: Instant;
    },
  ): Promise<ReadonlySet<string>>;

  /**
   * Records a balance transaction of a refund or dispute. Idempotent by `movement.id`, in any order. Posts
   * `shareOfMovement`, and what the regular balance does not cover becomes `owed`.
   *
   * @returns `fresh` is false if the movement was already recorded.
   */
  abstract recordMovement(
    tx: Tx,
    what: {
      userId: number;
      paymentIntent: string;
      /** Amount of the payment. */
      paid: Money;
      movement: MovementFacts;
      at: Instant;
    },
  ): Promise<{ fresh: boolean; posted: Money; owed: Money }>;

  /**
   * Posts an administrator's change of the regular balance.
   *
   * @throws DomainError BALANCE_WOULD_BE_NEGATIVE (409) when the balance would be below zero.
   */
  abstract adjust(
    tx: Tx,
    adjustment: {
      userId: number;
      amount: Money;
      description?: string | undefined;
      actorUserId: number;
      at: Instant;
      /**
       * Request that caused the posting, here and below. It is unique forever, so a repeated request does not post
       * again.
       */
      cause?: string | undefined;
    },
  ): Promise<BalanceInfo>;

  /** Grants a credit for 30 x 24 h, by default of the amount in the price list (4.99), and returns its id. */
  abstract grantCredit(
    tx: Tx,
    grant: {
      userId: number;
      creditType: CreditType;
      at: Instant;
      amount?: Money;
      ipAddress?: string | null;
      /** The other user of the pair. For `referrer` this is the new user, for `referred` the user who invited them. */
      referralUserId?: number | null;
      actorUserId?: number | null;
      /** Cause of the grant. The same cause grants only once. */
      cause?: string;
    },
  ): Promise<number>;

  /**
   * Sets a credit's amount.
   *
   * @throws DomainError CREDIT_STATE (409) when the amount is below what is used or the credit has ended, and NOT_FOUND
   * when there is no such credit.
   */
  abstract adjustCredit(
    tx: Tx,
    adjustment: { creditId: number; amount: Money; actorUserId: number; at: Instant; cause?: string | undefined },
  ): Promise<CreditView>;

  /**
   * Prepares a stop (delete, account preparation). Locks the wallet, settles, and returns the time at which to close
   * the interval. During a grace period this is the due time of the unpaid charge, but never before `billable_from`.
   * Pass it on in `deployments.move(..., { changes: { billable_to } })` or `markDestroyed`, then call `stop`.
   *
   * @returns `billableTo` is null if there is nothing to close, because the deployment was never billable or is already
   * closed (`depleted`: by this settlement).
   */
  abstract prepareStop(
    tx: Tx,
    stop: { userId: number; deploymentId: number; at: Instant },
  ): Promise<{ billableTo: Instant | null; depleted: boolean }>;

  /**
   * Completes a stop after the interval was closed, by posting the difference between owed and posted. `cause` is
   * stored only if there is a refund.
   *
   * @returns The amount refunded, 0 or more.
   */
  abstract stop(
    tx: Tx,
    stop: { userId: number; deploymentId: number; at: Instant; cause?: string | undefined },
  ): Promise<{ refunded: Money }>;

  /**
   * Prepares the return of a deployment after its lost server was found or its delete was undone. Locks the wallet,
   * settles, writes the prices that leave out the gap, and charges what is due immediately. The caller has settled,
   * then checked the status under the deployment's lock, and moves the deployment back afterwards.
   *
   * @throws DomainError BALANCE_TOO_LOW (402), in which case nothing changes.
   */
  abstract reopen(
    tx: Tx,
    reopening: {
      userId: number;
      deploymentId: number;
      actorUserId: number;
      at: Instant;
      undoesDelete?: boolean;
      cause?: string | undefined;
    },
  ): Promise<{ charged: Money }>;

  /**
   * Returns the effects of another level or size without applying it. These are today's amount (positive: charged), the
   * new daily price, and the required balance.
   */
  abstract quoteRate(tx: Tx, change: RateChange): Promise<RateEffect>;

  /**
   * Changes the support level. Settles, checks a raise against the balance, writes the new rate and posts the
   * re-rating. The caller has checked the status and the rate limit, and updates the deployment row.
   *
   * @returns The quote, and the time `at` at which the new price begins. It is later than the request if another price
   * was written while the request waited.
   * @throws DomainError BALANCE_TOO_LOW or BALANCE_OWED (402), in which case nothing changes.
   */
  abstract changeLevel(tx: Tx, change: LevelChange): Promise<RateQuote & { readonly at: Instant }>;

  /**
   * Checks at the request whether the account can pay for another size. Settles, and checks a larger size against the
   * balance as if its price began now. Writes no price, because the size is not confirmed yet.
   *
   * @throws DomainError BALANCE_TOO_LOW or BALANCE_OWED (402), or RATE_LIMITED (429) in the clock hour of another size
   */
  abstract admitSize(tx: Tx, change: SizeChange): Promise<RateQuote>;

  /**
   * Applies the price of a size that the provider has confirmed. Settles, writes the new rate from `confirmedAt` and
   * posts the re-rating, also of days posted since. If the balance does not cover it, the price begins with the next
   * day instead (`confirmedRate`). Also updates the price in the deployment row. Idempotent by `changeId`.
   *
   * @returns When the price begins, or null if nothing was written because the change is known or the interval has
   * ended
   */
  abstract changeSize(
    tx: Tx,
    change: {
      userId: number;
      deploymentId: number;
      /** Row of `deployment_changes`. */
      changeId: number;
      /** Hourly price of the new size, as of the request. */
      baseHourly: Money;
      confirmedAt: Instant;
      at: Instant;
      /** User who requested the size. */
      actorUserId: number;
    },
  ): Promise<{ readonly from: Instant | null }>;

  /**
   * Locks the wallet, settles, and returns the facts for the creation rules. Pass them to `refusalToCreate` of the
   * domain.
   */
  abstract planCreate(tx: Tx, account: { userId: number; at: Instant }): Promise<AccountFacts>;

  /** Returns a page of `daysPerPage` UTC days with postings, newest first. */
  abstract transactions(tx: Tx, page: TransactionPage): Promise<{ days: TransactionDay[]; totalPages: number }>;

  /**
   * Returns a page across all accounts, with its newest `limit` rows. `span` is the time range of the page's days, or
   * null if it has none.
   */
  abstract transactionsOfAll(
    tx: Tx,
    page: { page: number; daysPerPage: number; limit: number },
  ): Promise<{
    days: TransactionDay[];
    totalPages: number;
    span: readonly [from: Instant, to: Instant] | null;
  }>;
}

/** A balance transaction of the payment provider. */
export interface MovementFacts extends Movement {
  readonly id: string;
  /** Id of the refund or dispute that it belongs to. */
  readonly reversalId: string;
  /** Fee that the provider retains for it. */
  readonly fee: Money;
  /** Time at which the provider moved the money. */
  readonly movedAt: Instant;
}

/** A price change of a deployment. A component that is absent keeps its price. */
export interface RateChange {
  readonly userId: number;
  readonly deploymentId: number;
  readonly supportLevel?: SupportLevel;
  /** Hourly price of the instance. */
  readonly baseHourly?: Money;
  readonly at: Instant;
}

export interface LevelChange extends RateChange {
  readonly supportLevel: SupportLevel;
  /** User who requested the change, if not the owner. */
  readonly actorUserId?: number;
  readonly cause?: string | undefined;
}

export interface SizeChange extends RateChange {
  readonly baseHourly: Money;
}

export interface RateQuote {
  /** Amount charged (positive) or credited (negative) immediately. */
  readonly today: Money;
  readonly hourly: Money;
  readonly daily: Money;
  readonly needed: Money;
  readonly available: Money;
}

export interface RateEffect extends RateQuote {
  /**
   * Time until which everything on the account is paid for, now and with the new price. Null if it is beyond the
   * forecast. If the new price is not affordable, `then` includes the smallest top-up that makes it so. It is also null
   * if the account owes money, which a top-up pays first.
   */
  readonly runsUntil: { readonly now: Instant | null; readonly then: Instant | null };
}

export interface Settled {
  /** Number of ledger transactions written. */
  readonly posted: number;
  /** Number of written transactions that charge a day. */
  readonly charged: number;
  /** Deployments that ran out of funds in this settlement, in order. */
  readonly depleted: readonly number[];
  /** Deployments for which a grace period was opened in this settlement. */
  readonly held: readonly number[];
}

export interface TransactionDay {
  /** Date in the form YYYY-MM-DD (UTC). */
  readonly date: string;
  readonly transactions: readonly TransactionView[];
}

export interface TransactionView {
  readonly id: number;
  readonly type: TransactionType;
  readonly description: string;
  /** Signed effect on the regular balance and credits. */
  readonly amount: Money;
  /** Time to which the posting belongs. */
  readonly at: Instant;
  readonly deploymentId: number | null;
  readonly userId: number;
  readonly facts: TransactionFacts;
}

/** Page of an account's days with postings, or with postings of a group only. */
export interface TransactionPage {
  readonly userId: number;
  readonly page: number;
  readonly daysPerPage: number;
  readonly group?: TransactionGroup | undefined;
}

/** Facts of a row besides its English description, which is hashed and never changes. */
export interface TransactionFacts {
  /** Current name of the deployment. */
  readonly clientName: string | null;
  /** Number of hours a charge covers, or null if their prices differ. */
  readonly hours: number | null;
  readonly creditType: CreditType | null;
  /** Part of a refund that could not be returned because its credit had ended. */
  readonly lapsed: Money;
  /** True for the charge of the rest of a day after the server was found again. */
  readonly reopened: boolean;
  /** The charge covers the rest of a day after a delete was undone. */
  readonly restored: boolean;
  /** Support levels of a level change that was charged or credited, or null. */
  readonly level: { readonly before: SupportLevel; readonly after: SupportLevel } | null;
  /** Text written by an administrator. */
  readonly note: string | null;
}
