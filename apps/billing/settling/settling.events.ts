import { type Instant, instant, Money } from '@moorage/domain';
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
    const { charged } = await this.ledger.settleAccount(tx, account);
    tx.afterCommit(() => this.metrics.charges.inc({ how: 'settled' }, charged));
    await this.ledger.warnIfLow(tx, account);
  }

  /**
   * Applies the price of a size that the provider has confirmed. The api has recorded the price at the request, and the
   * event only names the time, which must be between the request and now.
   */
  @OnEvent('deployment.resized')
  async resized(tx: Tx, { data }: ProductEvent<'deployment.resized'>): Promise<void> {
    const { deployment_id: deploymentId, user_id: userId, change_id: changeId } = data;
    await this.ledger.lock(tx, userId);
    const [change] = await tx.query<{ requested_by: number | null; requested_at: Instant; hourly_micros: string }>(
      `select c.requested_by, c.requested_at, c.after ->> 'hourly_micros' as hourly_micros
       from deployment_changes c join deployments d on d.id = c.deployment_id
       where c.id = $1 and c.kind = 'resize' and d.id = $2 and d.user_id = $3`,
      [changeId, deploymentId, userId],
    );
    if (change === undefined) return;
    const at = await this.clock.now(tx);
    await this.ledger.changeSize(tx, {
      userId,
      deploymentId,
      changeId,
      baseHourly: Money.fromMicrosText(change.hourly_micros),
      confirmedAt: Math.max(change.requested_at, Math.min(instant(data.confirmed_at), at)),
      at,
      actorUserId: change.requested_by ?? userId,
    });
    await this.ledger.warnIfLow(tx, { userId, at });
  }
}
