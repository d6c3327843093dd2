import {
  type Balance,
  type RunwayAnswer,
  type RunwayQuestion,
  type Transactions,
  WALLET_CALLS,
} from '@moorage/contracts';
import { ACCESS_WORDS, type BalanceInfo, CONSTANTS, DomainError, iso, Money } from '@moorage/domain';
import type { TransactionDay } from '@moorage/ledger';
import type { Tx } from '@moorage/server';
import type { ApiDeps } from '../feature';
import type { Caller } from '../http/call-input';
import { type Counted, countRows } from '../http/count';
import type { Idempotency } from '../http/idempotency';
import { runwayAnswer } from './runway-answer';

export interface Days {
  readonly page: number;
  readonly days_per_page: number;
}

export interface Wallet {
  balance(caller: Caller): Promise<Balance>;
  /** The owner's own, or an administrator's look. */
  balanceOf(caller: Caller, userId: number): Promise<Balance>;
  /** As it is, or as if money came in or something were ordered now. */
  runway(caller: Caller, question: RunwayQuestion): Promise<RunwayAnswer>;
  transactions(caller: Caller, days: Days): Promise<Transactions>;
  /** Administrators only: of one account, by username or email. */
  transactionsOf(user: string, days: Days): Promise<Transactions>;
  /** Administrators only: of all accounts, the newest of these days; `counted` are all that these days have. */
  transactionsOfAll(days: Days): Promise<Transactions & { counted: Counted }>;
  /** Administrators only. */
  adjust(
    caller: Caller,
    userId: number,
    adjustment: { amount: number; description?: string | null | undefined },
    /** The Idempotency-Key header. */
    key: string | null,
  ): Promise<Balance>;
}

export const NO_ACCOUNT = new DomainError('NOT_FOUND', ACCESS_WORDS.account_unknown);

export function createWallet(
  { db, clock, random, ledger }: ApiDeps,
  { idempotency }: { idempotency: Idempotency },
): Wallet {
  const page = async (tx: Tx, userId: number, days: Days): Promise<Transactions> => {
    const found = await ledger.transactions(tx, { userId, page: days.page, daysPerPage: days.days_per_page });
    return transactionsAnswer(found.days, days.page, found.totalPages);
  };
  const readBalance = async (tx: Tx, userId: number): Promise<Balance> =>
    balanceAnswer(await ledger.balance(tx, { userId, at: await clock.now(tx) }));

  return {
    balance: (caller) => db.tx('wallet.balance', (tx) => readBalance(tx, caller.userId)),

    async balanceOf(caller, userId) {
      // a stranger's account and none at all answer the same
      if (userId !== caller.userId && !caller.isAdmin) throw NO_ACCOUNT;
      return db.tx('wallet.balance', async (tx) => {
        await mustExist(tx, userId);
        return readBalance(tx, userId);
      });
    },

    runway: (caller, { add_amount, order_hourly }) =>
      db.tx('wallet.runway', async (tx) => {
        const at = await clock.now(tx);
        const order = order_hourly === undefined ? undefined : Money.of(order_hourly);
        const add = add_amount === undefined ? undefined : Money.of(add_amount);
        const forecast = await ledger.forecast(tx, {
          userId: caller.userId,
          at,
          ...(add === undefined ? {} : { add }),
          ...(order === undefined ? {} : { order }),
        });
        return runwayAnswer(forecast, { at, order });
      }),

    transactions: (caller, days) => db.tx('wallet.transactions', (tx) => page(tx, caller.userId, days)),

    transactionsOf: (user, days) =>
      db.tx('wallet.transactions', async (tx) => {
        const [found] = await tx.query<{ id: number }>(
          `select id from users where lower(username) = lower($1) or lower(email) = lower($1)
           order by lower(username) = lower($1) desc, id limit 1`,
          [user],
        );
        if (found === undefined) throw NO_ACCOUNT;
        return page(tx, found.id, days);
      }),

    transactionsOfAll: (days) =>
      db.tx('wallet.transactions-of-all', async (tx) => {
        const limit = CONSTANTS.wholeListMax;
        const found = await ledger.transactionsOfAll(tx, { page: days.page, daysPerPage: days.days_per_page, limit });
        const counted =
          found.span === null
            ? { total: 0, estimated: false }
            : await countRows(tx, 'ledger_transactions where due_at >= $1 and due_at < $2', found.span.map(iso));
        const userIds = [...new Set(found.days.flatMap((day) => day.transactions.map(({ userId }) => userId)))];
        const users = await tx.query<{ id: number; username: string }>(
          'select id, username from users where id = any ($1)',
          [userIds],
        );
        const names = new Map(users.map(({ id, username }) => [id, username]));
        return { ...transactionsAnswer(found.days, days.page, found.totalPages, names), counted };
      }),

    adjust: (caller, userId, { amount, description }, key) => {
      const call = WALLET_CALLS.adjustBalance;
      const text = description ?? '';
      const what = [call.method, call.path, { userId, amount, text }];
      const request = idempotency.keyed({ userId: caller.userId, key, call, what });
      return idempotency.tx('wallet.adjust', request, async (tx, at) => {
        await mustExist(tx, userId);
        const after = await ledger.adjust(tx, {
          userId,
          amount: Money.of(amount),
          description: text === '' ? undefined : text,
          actorUserId: caller.userId,
          at,
          cause: request?.cause ?? `request:${random.uuid()}`,
        });
        await tx.execute(
          'insert into audit_records (actor_user_id, action, subject, facts, at) values ($1, $2, $3, $4, $5)',
          [
            caller.userId,
            'balance.adjusted',
            `user:${userId}`,
            JSON.stringify({ amount_micros: Money.of(amount).micros.toString() }),
            iso(at),
          ],
        );
        return balanceAnswer(after);
      });
    },
  };
}

async function mustExist(tx: Tx, userId: number): Promise<void> {
  const [found] = await tx.query('select 1 from wallets where user_id = $1', [userId]);
  if (found === undefined) throw NO_ACCOUNT;
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

/** `names`: those of all accounts are listed, each with its owner. */
function transactionsAnswer(
  days: readonly TransactionDay[],
  page: number,
  totalPages: number,
  names?: ReadonlyMap<number, string>,
): Transactions {
  return {
    transactions: days.map((day) => ({
      date: day.date,
      transactions: day.transactions.map(({ id, type, description, amount, at, deploymentId, userId }) => ({
        id,
        type,
        description,
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
