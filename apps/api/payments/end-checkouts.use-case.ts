import type { CheckoutSession } from '@moorage/database';
import { END_CHECKOUT } from '@moorage/contracts';
import { type Instant, iso } from '@moorage/domain';
import { type Claim, type Outcome, WorkSchedule } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApplyPayment } from './apply-payment.use-case';
import { PaymentProvider, PaymentRefused, type SessionState } from './payment-provider';

const CONCURRENCY = 2;

/** Ends the open checkouts of a closed account, so that they cannot be paid any more. */
@Injectable()
export class EndCheckouts {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly provider: PaymentProvider,
    private readonly applyPayment: ApplyPayment,
  ) {}

  @HandlesWork(END_CHECKOUT, { concurrency: CONCURRENCY })
  async end({ key }: Pick<Claim, 'key'>): Promise<Outcome> {
    await this.provider.endSession(key);
    const state = await this.stateOf(key);
    // A payment made in the meantime is posted, and operators are alerted.
    if (state !== 'open')
      await this.db.tx('payments.checkout-ended', async (tx) =>
        this.applyPayment.run(tx, state, { at: await this.clock.now(tx) }),
      );
    return { done: true };
  }

  private async stateOf(sessionId: string): Promise<SessionState> {
    try {
      return await this.provider.sessionState(sessionId);
    } catch (error) {
      if (error instanceof PaymentRefused) return { kind: 'expired', session_id: sessionId };
      throw error;
    }
  }
}

/** Schedules the end of an account's open checkouts. */
export async function endCheckoutsOf(
  tx: Tx,
  work: WorkSchedule,
  { userId, at }: { userId: number; at: Instant },
): Promise<void> {
  const open = await tx.query<Pick<CheckoutSession, 'id'>>(
    `select id from checkout_sessions where user_id = $1 and status = 'open' and kind = 'checkout'`,
    [userId],
  );
  await work.scheduleMany(
    tx,
    open.map(({ id }) => ({ kind: END_CHECKOUT, key: id, due_at: at })),
  );
}

/** Returns the payments that reached an account after it was closed, while it still has a balance. */
export async function paidToClosedAccounts(tx: Tx, at: Instant): Promise<{ subject: string }[]> {
  return tx.query(
    `select c.id as subject from checkout_sessions c
     join users u on u.id = c.user_id join wallets w on w.user_id = c.user_id
     where c.status = 'paid' and u.deactivated_at <= $1 and c.paid_at >= u.deactivated_at and w.regular_micros > 0
     order by c.id limit 200`,
    [iso(at)],
  );
}
