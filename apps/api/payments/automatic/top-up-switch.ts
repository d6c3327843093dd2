import { event } from '@moorage/contracts';
import { auditLog } from '@moorage/database';
import { type Instant, iso, type TopUpOffReason } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

interface SwitchedOff {
  readonly userId: number;
  readonly reason: Exclude<TopUpOffReason, 'card_removed' | 'account'>;
  readonly at: Instant;
  /** The card it would have charged, where the reason is about it. */
  readonly card?: { readonly brand: string; readonly last4: string };
  /** The administrator who did it, and why, as its owner reads it. */
  readonly by?: { readonly userId: number; readonly why: string };
}

/**
 * Switches automatic top-up off without its owner, in the transaction of what calls for it, so that money that has just left
 * the account is never taken from the card again. The caller holds the lock of the wallet.
 */
@Injectable()
export class TopUpSwitch {
  constructor(private readonly outbox: Outbox) {}

  /** Returns whether it was on. Its owner is told by mail. */
  async off(tx: Tx, { userId, reason, at, card, by }: SwitchedOff): Promise<boolean> {
    const stopped = await tx.execute(
      'update automatic_top_ups set enabled = false, off_reason = $2, changed_at = $3 where user_id = $1 and enabled',
      [userId, reason, iso(at)],
    );
    if (stopped === 0) return false;
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
    return true;
  }
}
