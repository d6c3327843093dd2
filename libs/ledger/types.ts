import type {
  CreditType,
  Forecast,
  Instant,
  Money,
  Movement,
  Refusal,
  Saving,
  SupportLevel,
  TransactionGroup,
  TransactionType,
} from '@moorage/domain';

/** Maximum total hourly price of an account that has never paid. */
export interface CreditOnlyLimit {
  readonly creditOnlyMaxHourly: Money;
}

/** An account at the time of the transaction. */
export interface AccountAt {
  readonly userId: number;
  readonly at: Instant;
}

/** The first price of a new deployment. */
export interface NewMeter extends AccountAt {
  readonly deploymentId: number;
  readonly supportLevel: SupportLevel;
  /** Hourly price of the instance (new server) or hourly management fee (own server), without the support level. */
  readonly baseHourly: Money;
  /** User who ordered, if not the owner. */
  readonly actorUserId?: number;
}

/** Assumptions of a forecast besides the present state of the account. */
export interface ForecastQuestion extends AccountAt {
  /** Amount to treat as paid in now. */
  readonly add?: Money;
  /** Hourly price of another deployment that starts now. */
  readonly order?: Money;
  /** Requests the smallest top-up, up to `mostCents`, with which everything runs until `until`. */
  readonly keep?: { readonly until: Instant; readonly mostCents: number };
}

export interface AccountForecast extends Forecast {
  /** Number of deployments that are being created. */
  readonly starting: number;
  readonly clientNames: ReadonlyMap<number, string>;
  /** Reason for which the creation rules would refuse the order, or null. */
  readonly refusal: Refusal | null;
  /** Result of `topUpUntil`, or null without `keep`. */
  readonly kept: Saving | null;
}

/** A verified payment. `cause` is unique per payment (the checkout session). */
export interface PaymentFacts extends AccountAt {
  readonly amount: Money;
  readonly cause: string;
}

/** The payment to which movements belong. */
interface MovedPayment extends AccountAt {
  readonly paymentIntent: string;
  /** Amount of the payment. */
  readonly paid: Money;
}

export interface NewMovement extends MovedPayment {
  readonly movement: MovementFacts;
}

export interface EarlierMovements extends MovedPayment {
  /** All movements of the payment, oldest first. */
  readonly movements: readonly MovementFacts[];
}

/** An administrator's change of the regular balance. */
export interface BalanceAdjustment extends AccountAt {
  readonly amount: Money;
  readonly description?: string | undefined;
  readonly actorUserId: number;
  /**
   * Request that caused the posting, here and below. It is unique forever, so a repeated request does not post again.
   */
  readonly cause?: string | undefined;
}

export interface CreditGrant extends AccountAt {
  readonly creditType: CreditType;
  /** The amount in the price list (4.99) by default. */
  readonly amount?: Money;
  readonly ipAddress?: string | null;
  /** The other user of the pair. For `referrer` this is the new user, for `referred` the user who invited them. */
  readonly referralUserId?: number | null;
  readonly actorUserId?: number | null;
  /** Cause of the grant. The same cause grants only once. */
  readonly cause?: string;
}

export interface CreditAdjustment {
  readonly creditId: number;
  readonly amount: Money;
  readonly actorUserId: number;
  readonly at: Instant;
  readonly cause?: string | undefined;
}

export interface DeploymentStop extends AccountAt {
  readonly deploymentId: number;
}

export interface Reopening extends AccountAt {
  readonly deploymentId: number;
  readonly actorUserId: number;
  readonly undoesDelete?: boolean;
  readonly cause?: string | undefined;
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

/** A size that the provider has confirmed. */
export interface ConfirmedSize extends AccountAt {
  readonly deploymentId: number;
  /** Row of `deployment_changes`. */
  readonly changeId: number;
  /** Hourly price of the new size, as of the request. */
  readonly baseHourly: Money;
  readonly confirmedAt: Instant;
  /** User who requested the size. */
  readonly actorUserId: number;
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
  /** Sum of the whole day, also if the day continues on another page. Undefined in lists of all accounts. */
  readonly sum?: Money | undefined;
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
