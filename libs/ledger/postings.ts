import { event } from '@moorage/contracts';
import type { Deployments } from '@moorage/database';
import { type Account, type Actor, type Entry, type Instant, type Posting, settleAccount } from '@moorage/domain';
import type { Outbox } from '@moorage/messaging';
import type { Tx } from '@moorage/server';
import type { LoadedAccount } from './account-store';
import { actOnSettlement } from './endings';
import { type Cause, saveAccount } from './save-account';
import type { Settled } from './types';

/** Settles loaded and locked accounts and saves postings. All parts of the ledger write money through it. */
export class Postings {
  private readonly parts: { deployments: Deployments; outbox: Outbox; actor: Actor };
  private readonly gracePeriodMs: number;

  constructor({
    gracePeriodMs,
    ...parts
  }: {
    deployments: Deployments;
    outbox: Outbox;
    actor: Actor;
    gracePeriodMs: number;
  }) {
    this.parts = parts;
    this.gracePeriodMs = gracePeriodMs;
  }

  /** Settles a loaded and locked account, and returns its new state. */
  async settleLoaded(
    tx: Tx,
    loaded: LoadedAccount,
    at: Instant,
    cause: Cause = {},
  ): Promise<{ now: LoadedAccount; settled: Settled; entries: readonly Entry[] }> {
    const settlement = settleAccount(loaded.account, at, { gracePeriodMs: this.gracePeriodMs });
    await saveAccount(tx, loaded, settlement, { at, ...cause });
    await actOnSettlement(tx, this.parts, { userId: loaded.userId, at, settlement });
    return {
      now: { ...loaded, account: settlement.after },
      entries: settlement.entries,
      settled: {
        posted: settlement.entries.length,
        charged: settlement.entries.filter(({ type }) => type === 'charge').length,
        depleted: settlement.depletions.map(({ deploymentId }) => deploymentId),
        held: settlement.gracePeriods.map(({ deploymentId }) => deploymentId),
      },
    };
  }

  /** Returns the account as a settlement would leave it. Saves nothing. */
  settledInMemory(account: Account, at: Instant): Account {
    return settleAccount(account, at, { gracePeriodMs: this.gracePeriodMs }).after;
  }

  /** Saves a posting, settles if a grace period is open (the posting may cover it), and publishes the new balance. */
  async post(
    tx: Tx,
    loaded: LoadedAccount,
    posting: Posting,
    { at, ...cause }: Cause & { at: Instant },
  ): Promise<Account> {
    await saveAccount(tx, loaded, posting, { at, ...cause });
    let now: LoadedAccount = { ...loaded, account: posting.after };
    if (hasOpenGracePeriod(now.account)) now = (await this.settleLoaded(tx, now, at)).now;
    await this.publishBalance(tx, now);
    return now.account;
  }

  publishBalance(tx: Tx, { userId, account }: LoadedAccount): Promise<void> {
    const data = { user_id: userId, regular_micros: account.regular.micros.toString() };
    return this.parts.outbox.append(tx, event('balance.changed', userId, data));
  }
}

const hasOpenGracePeriod = (account: Account): boolean =>
  account.deployments.some(({ gracePeriod }) => gracePeriod !== null);
