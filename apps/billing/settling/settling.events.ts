import { Ledger } from '@moorage/ledger';
import { Metrics, OnEvent, type ProductEvent } from '@moorage/runtime';
import { Clock, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

@Injectable()
export class SettlingEvents {
  constructor(
    private readonly clock: Clock,
    private readonly ledger: Ledger,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Settles the account and recomputes its runway when a deployment started, stopped or changed its price. This
   * includes first charges and refunds for lost servers. The event is only a trigger, and amounts are computed from the
   * rows.
   */
  @OnEvent('deployment.status_changed', 'deployment.support_level_changed')
  async settle(
    tx: Tx,
    { data }: ProductEvent<'deployment.status_changed' | 'deployment.support_level_changed'>,
  ): Promise<void> {
    const account = { userId: data.user_id, at: await this.clock.now(tx) };
    const { charged } = await this.ledger.settle(tx, account);
    tx.afterCommit(() => this.metrics.charges.inc({ how: 'settled' }, charged));
    await this.ledger.warnIfLow(tx, account);
  }
}
