import type { Instant } from '@moorage/domain';
import type { Ledger } from '@moorage/ledger';
import type { Clock, Db, Log } from '@moorage/server';

/** Settles one account in a transaction of its own. False: it threw, was logged, and others go on. */
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
  return async (userId, at) => {
    try {
      const settled = await db.tx('billing.settle', async (tx) =>
        ledger.settle(tx, { userId, at: at ?? (await clock.now(tx)) }),
      );
      for (const deployment_id of settled.held) log.warn('hold opened', { user_id: userId, deployment_id });
      for (const deployment_id of settled.depleted) log.warn('depleted', { user_id: userId, deployment_id });
      return true;
    } catch (error) {
      log.error('an account could not be settled', { user_id: userId, error });
      return false;
    }
  };
}
