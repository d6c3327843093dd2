import { END_CHECKOUT } from '@moorage/contracts';
import type { CheckoutSession } from '@moorage/database';
import { checkWindows, DAY_MS, iso, isoOrNull } from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, Db, Log } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApplyPayment } from './apply-payment.use-case';
import { PaymentProvider, PaymentRefused, type SessionState } from './payment-provider';
import { RefusedPayments } from './refused-payments.service';

const CHECKED_MAX = 100;
/** Number of failures after which the provider is considered unreachable. The next pass tries again. */
const FAILED_MAX = 5;
/**
 * A checkout that the provider does not know, for example one created with another key, expires here after this time. No
 * checkout can be paid for that long, and a late payment is still posted by its event.
 */
const UNKNOWN_MS_MAX = 2 * DAY_MS;

interface Due extends Pick<CheckoutSession, 'id' | 'created_at'> {
  /** True if the owner's account is closed, so that the checkout must not be paid. */
  readonly is_closed: boolean;
}

/** `unknown` means that the provider does not know the checkout, `silent` that it did not respond. */
type PaymentState = SessionState | 'unknown' | 'silent';

/**
 * Checks with the provider checkouts for which no event arrived (M4), so that payments count even if their events are
 * lost.
 */
@Injectable()
export class SweepCheckouts {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly provider: PaymentProvider,
    private readonly applyPayment: ApplyPayment,
    private readonly refused: RefusedPayments,
    private readonly work: WorkSchedule,
  ) {}

  async run(): Promise<void> {
    let silent = 0;
    for (const checkout of await this.due()) {
      const reported = await this.stateOf(checkout.id);
      if (reported === 'silent') silent++;
      await this.take(checkout, reported);
      if (silent === FAILED_MAX) return;
    }
  }

  private async due(): Promise<Due[]> {
    return this.db.tx('payments.sweep', async (tx) => {
      const windows = checkWindows(await this.clock.now(tx));
      return tx.query<Due>(DUE, [
        this.provider.testMode,
        windows.map(({ from }) => isoOrNull(from)),
        windows.map(({ to }) => iso(to)),
        windows.map(({ createdBefore }) => iso(createdBefore)),
        CHECKED_MAX,
      ]);
    });
  }

  private async stateOf(id: string): Promise<PaymentState> {
    try {
      return await this.provider.sessionState(id);
    } catch (error) {
      this.log.warn('checkout session not read', { session_id: id, kind: kindOf(error) });
      return error instanceof PaymentRefused ? 'unknown' : 'silent';
    }
  }

  private async take({ id, created_at: begunAt, is_closed: isClosed }: Due, reported: PaymentState): Promise<void> {
    try {
      await this.db.tx('payments.swept', async (tx) => {
        const at = await this.clock.now(tx);
        const isOver = reported === 'unknown' && at >= begunAt + UNKNOWN_MS_MAX;
        const state = isOver ? ({ kind: 'expired', session_id: id } as const) : reported;
        if (typeof state === 'object') {
          const outcome = await this.applyPayment.run(tx, state, { at });
          if (outcome.startsWith('refused'))
            await this.refused.record(tx, { subject: `checkout:${id}`, type: state.kind, because: outcome, at });
        }
        if (state === 'open' && isClosed) await this.work.schedule(tx, { kind: END_CHECKOUT, key: id, due_at: at });
        await tx.execute('update checkout_sessions set asked_at = $2 where id = $1', [id, iso(at)]);
      });
    } catch (error) {
      this.log.error('checkout session outcome not applied', { session_id: id, error });
    }
  }
}

/** Returns only the kind of an error, because a provider's message may contain keys and accounts. */
const kindOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

const DUE = `
select s.id, s.created_at, (select u.deactivated_at is not null from users u where u.id = s.user_id) as is_closed
from checkout_sessions s
where s.status = 'open' and s.kind = 'checkout' and s.test_mode = $1 and exists (
  select from unnest($2::timestamptz[], $3::timestamptz[], $4::timestamptz[]) as w (from_at, to_at, asked_before)
  where (w.from_at is null or s.created_at >= w.from_at) and s.created_at < w.to_at
    and (s.asked_at is null or s.asked_at <= w.asked_before)
)
order by s.created_at limit $5`;
