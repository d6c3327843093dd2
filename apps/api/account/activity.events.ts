import { auditLog } from '@moorage/database';
import { OnEvent, type ProductEvent } from '@moorage/runtime';
import { Clock, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

/** Records automatic actions on deployments, so that they appear on the owner's Activity page. */
@Injectable()
export class ActivityEvents {
  constructor(private readonly clock: Clock) {}

  /** The owner's own actions are recorded when they are taken. */
  @OnEvent('deployment.move_changed')
  async moved(tx: Tx, { data }: ProductEvent<'deployment.move_changed'>): Promise<void> {
    if (data.state !== 'done' && data.state !== 'failed') return;
    await auditLog.record(tx, {
      action: data.state === 'done' ? 'deployment.move_ended' : 'deployment.move_failed',
      subject: `deployment:${data.deployment_id}`,
      facts: {},
      at: await this.clock.now(tx),
    });
  }

  @OnEvent('deployment.update_ended')
  async updated(tx: Tx, { data }: ProductEvent<'deployment.update_ended'>): Promise<void> {
    const { deployment_id: id, outcome, from, to } = data;
    await auditLog.record(tx, {
      action: `deployment.update_${outcome}`,
      subject: `deployment:${id}`,
      facts: { from, to },
      at: await this.clock.now(tx),
    });
  }

  @OnEvent('deployment.reboot_ended')
  async rebooted(tx: Tx, { data }: ProductEvent<'deployment.reboot_ended'>): Promise<void> {
    await auditLog.record(tx, {
      action: `deployment.reboot_${data.outcome}`,
      subject: `deployment:${data.deployment_id}`,
      facts: {},
      at: await this.clock.now(tx),
    });
  }

  @OnEvent('balance.depleted')
  async depleted(tx: Tx, { data }: ProductEvent<'balance.depleted'>): Promise<void> {
    await auditLog.record(tx, {
      action: 'deployment.depleted',
      subject: `deployment:${data.deployment_id}`,
      facts: {},
      at: await this.clock.now(tx),
    });
  }
}
