import type { Instant } from '@moorage/domain';
import type { Ledger } from '@moorage/ledger';
import type { Clock, Db, Log } from '@moorage/server';
import { clearFailure, recordFailure } from './failures';

/** Settles one account in a transaction of its own. False: it threw, was logged and recorded, and others go on. */
export type SettleOne = (userId: number, at?: Instant) => Promise<boolean>;

export function createSettleOne({
  db,
  clock,
  log,
  ledger,
}: {
  db: Db;
  clock: Clock;
  log: Log;
  ledger: Ledger;
}): SettleOne {
  async function record(userId: number, error: unknown, at: Instant | undefined): Promise<void> {
    try {
      await db.tx('billing.failed', async (tx) =>
        recordFailure(tx, { userId, error, at: at ?? (await clock.now(tx)) }),
      );
    } catch (failed) {
      log.error('a failed account could not be recorded', { user_id: userId, error: failed });
    }
  }

  return async (userId, at) => {
    try {
      const settled = await db.tx('billing.settle', async (tx) => {
        const result = await ledger.settle(tx, { userId, at: at ?? (await clock.now(tx)) });
        await clearFailure(tx, userId);
        return result;
      });
      for (const deployment_id of settled.held) log.warn('hold opened', { user_id: userId, deployment_id });
      for (const deployment_id of settled.depleted) log.warn('depleted', { user_id: userId, deployment_id });
      return true;
    } catch (error) {
      log.error('an account could not be settled', { user_id: userId, error });
      await record(userId, error, at);
      return false;
    }
  };
}
