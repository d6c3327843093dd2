import {
  accountWith,
  forecastOf,
  type Instant,
  type LowBalanceDays,
  lowBalanceWarning,
  Money,
  PROSPECTIVE_ID,
  type Refusal,
  refusalToCreate,
  type Runway,
  runwayOf,
  topUpUntil,
} from '@moorage/domain';
import type { Outbox } from '@moorage/messaging';
import type { Tx } from '@moorage/server';
import { accountFacts, type Coming, creatingDeployments } from './account-facts';
import { type LoadedAccount, loadAccount, readAccount } from './account-store';
import { lowBalanceEvent } from './endings';
import type { Postings } from './postings';
import type { AccountAt, AccountForecast, CreditOnlyLimit, ForecastQuestion } from './types';

/** Forecasts how long balances last, and warns before they run out. */
export class Forecasts {
  constructor(
    private readonly postings: Postings,
    private readonly outbox: Outbox,
    private readonly limit: CreditOnlyLimit,
  ) {}

  async runway(tx: Tx, { userId, at }: AccountAt): Promise<Runway> {
    const { loaded, coming } = await this.withComing(tx, userId, readAccount);
    return runwayOf(accountWith(loaded.account, { add: Money.ZERO, orders: coming }, at), at);
  }

  async forecast(tx: Tx, { userId, at, add = Money.ZERO, order, keep }: ForecastQuestion): Promise<AccountForecast> {
    const { loaded, coming } = await this.withComing(tx, userId, readAccount);
    const requested = order === undefined ? [] : [{ id: PROSPECTIVE_ID, clientName: '', hourly: order }];
    const what = accountWith(loaded.account, { add, orders: [...coming, ...requested] }, at);
    const clientNames = new Map(what.deployments.map(({ id, clientName }) => [id, clientName]));
    const refusal = order === undefined ? null : await this.refusalOf(tx, loaded, { add, order, at });
    const kept = keep === undefined ? null : topUpUntil(what, at, keep.until, keep);
    return { ...forecastOf(what, at), starting: coming.length, clientNames, refusal, kept };
  }

  async warnIfLow(tx: Tx, { userId, at }: AccountAt): Promise<{ sent: LowBalanceDays | null }> {
    const { loaded, coming } = await this.withComing(tx, userId, loadAccount);
    const { lowWarned } = loaded;
    const runway = runwayOf(accountWith(loaded.account, { add: Money.ZERO, orders: coming }, at), at);
    const { send, warned } = lowBalanceWarning(runway, { at, warned: lowWarned });
    if (warned !== lowWarned)
      await tx.execute('update wallets set low_warned_days = $2 where user_id = $1', [userId, warned]);
    if (send !== null) await this.outbox.append(tx, await lowBalanceEvent(tx, { userId, runway, days: send }));
    return { sent: send };
  }

  /**
   * Reads an account and its deployments that are being created, which cost nothing yet but soon will. These
   * deployments are read first. A deployment that starts running between the two reads is in both, and is counted once.
   */
  private async withComing(
    tx: Tx,
    userId: number,
    read: (tx: Tx, userId: number) => Promise<LoadedAccount>,
  ): Promise<{ loaded: LoadedAccount; coming: readonly Coming[] }> {
    const creating = await creatingDeployments(tx, userId);
    const loaded = await read(tx, userId);
    const metered = new Set(loaded.account.deployments.map(({ id }) => id));
    return { loaded, coming: creating.filter(({ id }) => !metered.has(id)) };
  }

  /**
   * Returns the reason for which `planCreate` would refuse this order now if `add` had been paid in, or null. Posts
   * nothing.
   */
  private async refusalOf(
    tx: Tx,
    loaded: LoadedAccount,
    { add, order, at }: { add: Money; order: Money; at: Instant },
  ): Promise<Refusal | null> {
    const paid = accountWith(loaded.account, { add, orders: [] }, at);
    const account = this.postings.settledInMemory(paid, at);
    const firstPaidAt = add.isPositive ? at : loaded.firstPaidAt;
    const facts = await accountFacts(tx, { ...loaded, account, firstPaidAt }, at);
    return refusalToCreate(facts, order, this.limit);
  }
}
