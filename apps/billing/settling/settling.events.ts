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
   * A deployment started, stopped or changed its price: the account is settled (first charge, what a lost server gives
   * back) and its runway computed again. The event only says that there is something to do; money reads the rows.
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
