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
} from '@moorage/domain';
import type { Tx } from '@moorage/server';

/**
 * The only code that writes money. Every operation runs in the caller's transaction, takes the wallet's row lock first
 * and gets its instant from the caller (`clock.now(tx)`, once per transaction). Amounts are `Money`.
 *
 * Whoever posts money need not think of open holds: the ledger settles by itself after a posting while one is open.
 */
export abstract class Ledger {
  /** The wallet of a new account; harmless the second time. */
  abstract openWallet(tx: Tx, wallet: { userId: number; at: Instant }): Promise<void>;

  /** Takes the wallet's row lock (first in the lock order, before any deployment row). No wallet: NOT_FOUND. */
  abstract lock(tx: Tx, userId: number): Promise<void>;

  /**
   * The meter and the first price of a new deployment. `baseHourly` is the instance (new server) or the management fee
   * (own server) per hour; the level's price is added from the list. Called in the transaction that inserts the row.
   */
  abstract openMeter(
    tx: Tx,
    meter: {
      userId: number;
      deploymentId: number;
      supportLevel: SupportLevel;
      baseHourly: Money;
      at: Instant;
      /** Who ordered it, where that is not its owner. */
      actorUserId?: number;
    },
  ): Promise<void>;

  /**
   * Posts everything due by `at` and not yet posted: expiries, charges day by day, corrections of closed intervals,
   * holds that open or end, depletions (which move or mark the deployment). Twice, late or out of order: nothing more.
   */
  abstract settle(tx: Tx, account: { userId: number; at: Instant }): Promise<Settled>;

  /** What the account has, as the balance answers tell it. Reads without a lock; what has ended by `at` counts 0. */
  abstract balance(tx: Tx, account: { userId: number; at: Instant }): Promise<BalanceInfo>;

  /** Until which 00:00 UTC the money lasts and what stops first; what is being created counts as if it started now. */
  abstract runway(tx: Tx, account: { userId: number; at: Instant }): Promise<Runway>;

  /**
   * The coming days. Everything that is being created (`starting` says how many) counts as if it started now. `add`: as
   * if this much were paid in now; `order`: as if one more deployment, of this hourly price, started now; `refusal`: why
   * it could not be ordered then, by the rules of creating. `keep`: also the least top-up up to `mostCents` with which
   * all of this runs until then (`kept`, as `topUpUntil`; null as well where it was not asked).
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

  /** Sends the warning that is due by the runway (`balance.low`: 7, 3 or 1 days), and re-arms those that are past. */
  abstract warnIfLow(tx: Tx, account: { userId: number; at: Instant }): Promise<{ sent: LowBalanceDays | null }>;

  /**
   * The account's credits, ended ones included, newest first; `ids`: of these alone. `userId` null: of whichever account, for
   * administrators.
   */
  abstract credits(
    tx: Tx,
    account: { userId: number | null; at: Instant; ids?: readonly number[] },
  ): Promise<CreditView[]>;

  /**
   * A verified payment. `cause` is unique per payment (the checkout session): the second time `posted` is false and
   * nothing changes. Pays what is owed first, lifts the limits of a credit-only account.
   */
  abstract recordPayment(
    tx: Tx,
    payment: { userId: number; amount: Money; cause: string; at: Instant },
  ): Promise<{ posted: boolean; owedPaid: Money }>;

  /**
   * Takes over what an earlier version posted of a payment under other causes, before the first of its movements is recorded.
   * `movements`: all of them, oldest first. Returns the ids of those that were posted; `recordMovement` ignores them.
   */
  abstract adoptMovements(
    tx: Tx,
    what: {
      userId: number;
      paymentIntent: string;
      /** The amount of the payment. */
      paid: Money;
      movements: readonly MovementFacts[];
      at: Instant;
    },
  ): Promise<ReadonlySet<string>>;

  /**
   * One balance transaction of a refund or a dispute of a payment. Once per `movement.id`, in any order: the second time
   * `fresh` is false and nothing changes. What is posted is `shareOfMovement`; what regular does not hold becomes `owed`.
   */
  abstract recordMovement(
    tx: Tx,
    what: {
      userId: number;
      paymentIntent: string;
      /** The amount of the payment. */
      paid: Money;
      movement: MovementFacts;
      at: Instant;
    },
  ): Promise<{ fresh: boolean; posted: Money; owed: Money }>;

  /** An administrator's change of the regular balance; below zero: BALANCE_WOULD_BE_NEGATIVE (409). */
  abstract adjust(
    tx: Tx,
    adjustment: {
      userId: number;
      amount: Money;
      description?: string | undefined;
      actorUserId: number;
      at: Instant;
      /** The request that asked for it, here and below: unique for ever, so that no repeat posts again. */
      cause?: string | undefined;
    },
  ): Promise<BalanceInfo>;

  /** Grants 4.99 for 30 x 24 h; returns the credit's id. */
  abstract grantCredit(
    tx: Tx,
    grant: {
      userId: number;
      creditType: CreditType;
      at: Instant;
      amount?: Money;
      ipAddress?: string | null;
      /** The other side of the pair: for `referrer` the new user, for `referred` the one who invited. */
      referralUserId?: number | null;
      actorUserId?: number | null;
      /** The cause of the grant. The same cause grants only once. */
      cause?: string;
    },
  ): Promise<number>;

  /** Sets a credit's amount; below what is used, or ended: CREDIT_STATE (409). No such credit: NOT_FOUND. */
  abstract adjustCredit(
    tx: Tx,
    adjustment: { creditId: number; amount: Money; actorUserId: number; at: Instant; cause?: string | undefined },
  ): Promise<CreditView>;

  /**
   * First half of a stop (delete, account preparation): locks the wallet, settles, and says at which instant to close
   * the interval: in a hold the held charge's due instant, never before `billable_from`. `billableTo` is null when there
   * is nothing to close: never billable, or closed already (`depleted`: by this very settlement).
   * Pass it on in `deployments.move(..., { changes: { billable_to } })` or `markDestroyed`, then call `stop`.
   */
  abstract prepareStop(
    tx: Tx,
    stop: { userId: number; deploymentId: number; at: Instant },
  ): Promise<{ billableTo: Instant | null; depleted: boolean }>;

  /**
   * Second half, after the interval was closed: posts owed - posted and returns what came back (0 or more). `cause` is
   * kept with the refund of this deployment; without a refund it is not kept.
   */
  abstract stop(
    tx: Tx,
    stop: { userId: number; deploymentId: number; at: Instant; cause?: string | undefined },
  ): Promise<{ refunded: Money }>;

  /**
   * First half of the return of a deployment whose lost server was found again: locks the wallet, settles, writes the
   * prices that leave the gap out, and charges what is due at once (BALANCE_TOO_LOW: 402, nothing changes). The caller has
   * settled, then judged the status under the deployment's lock, and moves it back afterwards.
   */
  abstract reopen(
    tx: Tx,
    reopening: { userId: number; deploymentId: number; actorUserId: number; at: Instant; cause?: string | undefined },
  ): Promise<{ charged: Money }>;

  /** What a level change would do: today's effect (positive: charged), the new daily price, and what it needs. */
  abstract quoteLevel(tx: Tx, change: LevelChange): Promise<LevelEffect>;

  /**
   * Settles, judges a raise (BALANCE_TOO_LOW / BALANCE_OWED: 402, nothing changes), writes the new rate and posts the
   * re-rating. The caller has judged status and pace, and updates the deployment row. Returns the instant at which the
   * new price begins: later than the request if another price was written while it waited.
   */
  abstract changeLevel(tx: Tx, change: LevelChange): Promise<LevelQuote & { readonly at: Instant }>;

  /**
   * Locks the wallet, settles, and returns what the rules of creating look at; then ask `refusalToCreate` of the domain.
   */
  abstract planCreate(tx: Tx, account: { userId: number; at: Instant }): Promise<AccountFacts>;

  /** UTC days, newest first; `daysPerPage` days of postings a page. */
  abstract transactions(
    tx: Tx,
    page: { userId: number; page: number; daysPerPage: number },
  ): Promise<{ days: TransactionDay[]; totalPages: number }>;

  /** The same of all accounts, the newest `limit` rows of a page. `span`: from when until when its days are; null: it has none. */
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
  /** The refund or dispute it belongs to. */
  readonly reversalId: string;
  /** What the provider keeps for it. */
  readonly fee: Money;
  /** When the provider moved the money. */
  readonly movedAt: Instant;
}

export interface LevelChange {
  readonly userId: number;
  readonly deploymentId: number;
  readonly supportLevel: SupportLevel;
  readonly at: Instant;
  /** Who asked for it, where that is not the owner. */
  readonly actorUserId?: number;
  readonly cause?: string | undefined;
}

export interface LevelQuote {
  /** What is charged (positive) or credited (negative) at once. */
  readonly today: Money;
  readonly hourly: Money;
  readonly daily: Money;
  readonly needed: Money;
  readonly available: Money;
}

export interface LevelEffect extends LevelQuote {
  /** Until when everything of the account is paid for, as it is and with the new level (null there too where it is not affordable); null: longer than is looked ahead. */
  readonly runsUntil: { readonly now: Instant | null; readonly then: Instant | null };
}

export interface Settled {
  /** Ledger transactions written. */
  readonly posted: number;
  /** Those of them that charge a day. */
  readonly charged: number;
  /** Deployments whose money ended in this settlement, in order. */
  readonly depleted: readonly number[];
  /** Deployments for which a hold was opened in this settlement. */
  readonly held: readonly number[];
}

export interface TransactionDay {
  /** YYYY-MM-DD (UTC). */
  readonly date: string;
  readonly transactions: readonly TransactionView[];
}

export interface TransactionView {
  readonly id: number;
  readonly type: TransactionType;
  readonly description: string;
  /** Signed effect on regular balance and credits. */
  readonly amount: Money;
  /** The instant the posting belongs to. */
  readonly at: Instant;
  readonly deploymentId: number | null;
  readonly userId: number;
  readonly facts: TransactionFacts;
}

/** What a row is about, beside its English description (which is hashed and stays as it was written). */
export interface TransactionFacts {
  /** The deployment's name as it is now. */
  readonly clientName: string | null;
  /** Hours that a charge is for; null where they cost differently. */
  readonly hours: number | null;
  readonly creditType: CreditType | null;
  /** What a refund could not return, because the credit it belongs to had ended. */
  readonly lapsed: Money;
  /** The rest of a day whose server was found again. */
  readonly reopened: boolean;
  /** An administrator's own words. */
  readonly note: string | null;
}
