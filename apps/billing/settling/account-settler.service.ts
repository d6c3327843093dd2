import type { Instant } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Metrics } from '@moorage/runtime';
import { Clock, Db, Log } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { clearFailure, recordFailure } from './failures';

@Injectable()
export class AccountSettler {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly ledger: Ledger,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Settles an account in its own transaction. Returns false if it threw. The error is logged and recorded, and other
   * accounts are not affected.
   */
  async settle(userId: number, at?: Instant): Promise<boolean> {
    try {
      const settled = await this.db.tx('billing.settle', async (tx) => {
        const result = await this.ledger.settleAccount(tx, { userId, at: at ?? (await this.clock.now(tx)) });
        await clearFailure(tx, userId);
        return result;
      });
      this.metrics.charges.inc({ how: 'settled' }, settled.charged);
      for (const deployment_id of settled.held)
        this.log.warn('grace period opened', { user_id: userId, deployment_id });
      for (const deployment_id of settled.depleted)
        this.log.warn('deployment stopped, balance ran out', { user_id: userId, deployment_id });
      return true;
    } catch (error) {
      this.log.error('account could not be settled', { user_id: userId, error });
      this.metrics.chargeFailures.inc();
      await this.record(userId, error, at);
      return false;
    }
  }

  private async record(userId: number, error: unknown, at: Instant | undefined): Promise<void> {
    try {
      await this.db.tx('billing.failed', async (tx) =>
        recordFailure(tx, { userId, error, at: at ?? (await this.clock.now(tx)) }),
      );
    } catch (failed) {
      this.log.error('failed account could not be recorded', { user_id: userId, error: failed });
    }
  }
}
