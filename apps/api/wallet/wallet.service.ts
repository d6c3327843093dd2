import {
  type Balance,
  type RunwayAnswer,
  type RunwayQuestion,
  type Transactions,
  WALLET_CALLS,
} from '@moorage/contracts';
import { auditLog, isVisibleTo } from '@moorage/database';
import {
  addDays,
  type BalanceInfo,
  CONSTANTS,
  type Instant,
  iso,
  Money,
  startOfDay,
  type TransactionGroup,
  USERS_MESSAGES,
} from '@moorage/domain';
import { Ledger, type TransactionDay } from '@moorage/ledger';
import { Clock, Db, Random, type Reads, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { SecurityMails } from '../mail/security-mails.service';
import type { Caller } from '../http/call-input';
import { type Counted, countRows } from '../http/count';
import { FieldsInvalid } from '../http/field-problems';
import { Idempotency } from '../http/idempotency.service';
import { TopUpSwitch } from '../top-up-switch/top-up-switch.service';
import { ApiSettings } from '../settings';
import { historyMessage } from '../history/history-messages';
import { mustExist, NO_ACCOUNT } from '../users-store/accounts';
import { usersRepository } from '../users-store/users.repository';
import { runwayAnswer } from './runway-answer';
import { refuseOwnMoney } from './own-money';

export interface Days {
  readonly page: number;
  readonly days_per_page: number;
  readonly transaction_group?: TransactionGroup | undefined;
}

@Injectable()
export class WalletService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly ledger: Ledger,
    private readonly idempotency: Idempotency,
    private readonly settings: ApiSettings,
    private readonly topUpSwitch: TopUpSwitch,
    private readonly securityMails: SecurityMails,
  ) {}

  balance(caller: Caller): Promise<Balance> {
    return this.db.tx('wallet.balance', (tx) => this.readBalance(tx, caller.userId));
  }

  /** Returns the caller's own balance. Administrators may read any. */
  async balanceOf(caller: Caller, userId: number): Promise<Balance> {
    // The same response for another user's account and for no account.
    if (!isVisibleTo(caller, userId)) throw NO_ACCOUNT;
    return this.db.tx('wallet.balance', async (tx) => {
      await mustExist(tx, userId);
      return this.readBalance(tx, userId);
    });
  }

  /** Returns the current forecast, or the forecast with a top-up or an order placed now. */
  runway(caller: Caller, question: RunwayQuestion): Promise<RunwayAnswer> {
    return this.db.tx('wallet.runway', (tx) => this.readRunway(tx, caller.userId, question));
  }

  /** Returns the current forecast of an account, for administrators. */
  runwayOf(userId: number): Promise<RunwayAnswer> {
    return this.db.tx('wallet.runway', async (tx) => {
      await mustExist(tx, userId);
      return this.readRunway(tx, userId, {});
    });
  }

  transactions(caller: Caller, days: Days): Promise<Transactions> {
    return this.db.read('wallet.transactions', (reads) => this.readDays(reads, caller.userId, days));
  }

  /** Returns the transactions of an account, found by username or email, for administrators. */
  transactionsOf(user: string, days: Days): Promise<Transactions> {
    return this.db.read('wallet.transactions', async (reads) => {
      const found = await usersRepository.findByName(reads, user);
      if (found === null) throw NO_ACCOUNT;
      return this.readDays(reads, found.id, days);
    });
  }

  /**
   * Returns the newest transactions of all accounts on these days, for administrators. `counted` is their total number.
   */
  transactionsOfAll(days: Days): Promise<Transactions & { counted: Counted }> {
    return this.db.read('wallet.transactions-of-all', async (reads) => {
      const limit = CONSTANTS.wholeListMax;
      const found = await this.ledger.transactionsOfAll(reads, {
        page: days.page,
        daysPerPage: days.days_per_page,
        limit,
      });
      const counted =
        found.span === null
          ? { total: 0, estimated: false }
          : await countRows(reads, 'ledger_transactions where due_at >= $1 and due_at < $2', found.span.map(iso));
      const userIds = [...new Set(found.days.flatMap((day) => day.transactions.map(({ userId }) => userId)))];
      const names = await usersRepository.usernames(reads, userIds);
      return { ...transactionsAnswer(found.days, days.page, found.totalPages, names), counted };
    });
  }

  /** Adjusts a balance, for administrators. `key` is the Idempotency-Key header. */
  adjust(
    caller: Caller,
    userId: number,
    { amount, description }: { amount: number; description?: string | null | undefined },
    key: string | null,
  ): Promise<Balance> {
    const call = WALLET_CALLS.adjustBalance;
    const text = description ?? '';
    const what = [call.method, call.path, { userId, amount, text }];
    const request = this.idempotency.keyed({ userId: caller.userId, key, call, what });
    return this.idempotency.tx('wallet.adjust', request, async (tx, at) => {
      await mustExist(tx, userId);
      refuseOwnMoney(caller, userId);
      const after = await this.ledger.adjust(tx, {
        userId,
        amount: Money.of(amount),
        description: text === '' ? undefined : text,
        actorUserId: caller.userId,
        at,
        cause: request?.cause ?? `request:${this.random.uuid()}`,
      });
      await this.recordAdjusted(tx, { caller, userId, sum: Money.of(amount), reason: text, at });
      return balanceAnswer(after);
    });
  }

  /**
   * Records the adjustment. A deduction is emailed to the owner with the reason and must not be charged to the saved
   * card.
   */
  private async recordAdjusted(
    tx: Tx,
    { caller, userId, sum, reason, at }: { caller: Caller; userId: number; sum: Money; reason: string; at: Instant },
  ): Promise<void> {
    const action = 'balance.adjusted';
    const facts = { amount_micros: sum.micros.toString() };
    const entry = { actor: caller.userId, action, subject: `user:${userId}`, facts, at } as const;
    if (!sum.isNegative) return auditLog.record(tx, entry);
    if (reason === '') throw new FieldsInvalid([{ path: 'description', message: USERS_MESSAGES.act_reason_missing }]);
    await auditLog.record(tx, { ...entry, reason });
    await this.topUpSwitch.off(tx, { userId, reason: 'adjustment', at });
    const act = historyMessage(action, facts);
    await this.securityMails.post(tx, {
      userId,
      template: 'support_acted',
      facts: { act, deployment: null, reason },
      at,
    });
  }

  private async readRunway(
    tx: Tx,
    userId: number,
    { add_amount, order_hourly, keep_until }: RunwayQuestion,
  ): Promise<RunwayAnswer> {
    const at = await this.clock.now(tx);
    const order = order_hourly === undefined ? undefined : Money.of(order_hourly);
    const add = add_amount === undefined ? undefined : Money.of(add_amount);
    const forecast = await this.ledger.forecast(tx, {
      userId,
      at,
      ...(add === undefined ? {} : { add }),
      ...(order === undefined ? {} : { order }),
      ...(keep_until === undefined
        ? {}
        : { keep: { until: startOfDay(addDays(keep_until, 1)), mostCents: this.settings.checkoutMaxCents } }),
    });
    return runwayAnswer(forecast, { at, order });
  }

  private async readDays(reads: Reads, userId: number, days: Days): Promise<Transactions> {
    const found = await this.ledger.transactions(reads, {
      userId,
      page: days.page,
      daysPerPage: days.days_per_page,
      group: days.transaction_group,
    });
    return transactionsAnswer(found.days, days.page, found.totalPages);
  }

  private async readBalance(tx: Tx, userId: number): Promise<Balance> {
    return balanceAnswer(await this.ledger.balance(tx, { userId, at: await this.clock.now(tx) }));
  }
}

export function balanceAnswer(info: BalanceInfo): Balance {
  return {
    total_balance: info.total.toWire(),
    regular_balance: info.regular.toWire(),
    referral_credits: info.referralCredits.toWire(),
    signup_credits: info.signupCredits.toWire(),
    available_balance: info.available.toWire(),
    owed: info.owed.toWire(),
  };
}

/** Converts transactions for responses. `names` is set for lists of all accounts, which name the owner of each. */
function transactionsAnswer(
  days: readonly TransactionDay[],
  page: number,
  totalPages: number,
  names?: ReadonlyMap<number, string>,
): Transactions {
  return {
    transactions: days.map((day) => ({
      date: day.date,
      ...(day.sum === undefined ? {} : { sum: day.sum.toWire() }),
      transactions: day.transactions.map(({ id, type, description, facts, amount, at, deploymentId, userId }) => ({
        id,
        type,
        description,
        facts: {
          client_name: facts.clientName,
          hours: facts.hours,
          credit: facts.creditType === null ? null : facts.creditType === 'signup' ? 'signup' : 'referral',
          lapsed: facts.lapsed.toWire(),
          reopened: facts.reopened,
          restored: facts.restored,
          level: facts.level,
          note: facts.note,
        },
        amount: amount.toWire(),
        created_at: iso(at),
        deployment_id: deploymentId,
        ...(names === undefined ? {} : { user_id: userId, username: names.get(userId) ?? '' }),
      })),
    })),
    total_pages: totalPages,
    current_page: page,
    has_next: page < totalPages,
    has_previous: page > 1,
  };
}
