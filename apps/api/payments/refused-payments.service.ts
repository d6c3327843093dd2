import { auditLog } from '@moorage/database';
import type { Instant } from '@moorage/domain';
import { Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

export interface RefusedPayment {
  /** Subject such as `stripe_event:evt_1`. Reported once. */
  readonly subject: string;
  readonly type: string;
  readonly because: string;
  readonly at: Instant;
}

/** Payment events that were rejected. They concern a customer's money, so operators are alerted. */
@Injectable()
export class RefusedPayments {
  constructor(private readonly log: Log) {}

  async record(tx: Tx, { subject, type, because, at }: RefusedPayment): Promise<void> {
    if (await auditLog.hasRecord(tx, { action: 'payment.refused', subject })) return;
    await auditLog.record(tx, { action: 'payment.refused', subject, facts: { type, because }, at });
    tx.afterCommit(() => this.log.error('payment event rejected', { subject, type, reason: because }));
  }
}
