import { event } from '@moorage/contracts';
import { auditLog } from '@moorage/database';
import { type Instant, iso, type TopUpOffReason } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

interface SwitchedOff {
  readonly userId: number;
  readonly reason: TopUpOffReason;
  readonly at: Instant;
  /** Card, if the reason concerns it. */
  readonly card?: { readonly brand: string; readonly last4: string };
  /** Administrator who disabled it, and the reason shown to the owner. */
  readonly by?: { readonly userId: number; readonly why: string };
}

/** Returns true for reasons with an audit record and an email of their own. */
const isReportedElsewhere = (reason: TopUpOffReason): reason is 'card_removed' | 'account' =>
  reason === 'card_removed' || reason === 'account';

/**
 * The only way to disable automatic top-up other than by its owner. It runs in the transaction of the cause, so that
 * money that has just left the account is never charged to the card again. The caller holds the lock of the wallet.
 */
@Injectable()
export class TopUpSwitch {
  constructor(private readonly outbox: Outbox) {}

  /** Disables automatic top-up, records the reason and emails the owner. Does nothing if it is already disabled. */
  async off(tx: Tx, { userId, reason, at, card, by }: SwitchedOff): Promise<void> {
    const stopped = await tx.execute(
      'update automatic_top_ups set enabled = false, off_reason = $2, changed_at = $3 where user_id = $1 and enabled',
      [userId, reason, iso(at)],
    );
    if (stopped === 0 || isReportedElsewhere(reason)) return;
    await auditLog.record(tx, {
      ...(by === undefined ? {} : { actor: by.userId, reason: by.why }),
      action: 'automatic_top_up.stopped',
      subject: `user:${userId}`,
      facts: { reason },
      at,
    });
    await this.outbox.append(
      tx,
      event('payment.automatic_top_up_stopped', userId, {
        user_id: userId,
        reason,
        brand: card?.brand ?? null,
        last4: card?.last4 ?? null,
      }),
    );
  }
}
