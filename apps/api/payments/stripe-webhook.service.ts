import { RETRY_STRIPE_EVENT } from '@moorage/contracts';
import { ACCESS_MESSAGES, DAY_MS, DomainError, HOUR_MS, type Instant, iso, MINUTE_MS } from '@moorage/domain';
import { type Claim, type Outcome as WorkOutcome, WorkSchedule } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { ApplyPayment, type Outcome } from './apply-payment.use-case';
import { factsOf, type PaymentFacts, stripeEvent, type StripeEvent, waitingFacts } from './payment-facts';
import { PaymentProvider } from './payment-provider';
import { RefusedPayments } from './refused-payments.service';

const TOLERANCE_S = 300;
const RETRY_MS = MINUTE_MS;
const RETRY_MS_MAX = HOUR_MS;
/** Period during which Stripe retries deliveries. */
const WAIT_MS_MAX = 3 * DAY_MS;

/** Concurrent retries per process. */
const RETRY_CONCURRENCY = 2;

/** Conditions for accepting a webhook event. */
export abstract class WebhookOptions {
  /** All secrets are tried. There are two during a rotation. */
  abstract readonly secrets: readonly string[];
  /** Required value of `livemode` of an event. */
  abstract readonly live: boolean;
}

/** The only way in which a payment is credited: verification of the signature over the bytes, then one transaction. */
@Injectable()
export class StripeWebhook {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly work: WorkSchedule,
    private readonly applyPayment: ApplyPayment,
    private readonly refused: RefusedPayments,
    private readonly provider: PaymentProvider,
    private readonly options: WebhookOptions,
  ) {}

  async receive(bytes: Buffer, signature: string | undefined): Promise<{ received: true }> {
    const event = stripeEvent.safeParse(this.verified(bytes, signature));
    if (!event.success) throw new DomainError('BODY_MALFORMED', ACCESS_MESSAGES.no_event);
    await this.take(event.data);
    return { received: true };
  }

  /** Retries an event that arrived before the payment it refers to. */
  @HandlesWork(RETRY_STRIPE_EVENT, { concurrency: RETRY_CONCURRENCY })
  async retry({ key }: Pick<Claim, 'key'>): Promise<WorkOutcome> {
    const still = await this.db.tx('payments.retry', (tx) => this.tryAgain(tx, key));
    if (still === null || (await this.isForeign(key, still.facts))) return { done: true };
    return { retry_at: still.again, reason: 'the referenced checkout session is not known yet' };
  }

  /** Returns null if the event is finished. */
  private async tryAgain(tx: Tx, id: string): Promise<{ facts: PaymentFacts; again: Instant } | null> {
    const at = await this.clock.now(tx);
    const [event] = await tx.query<{ id: string; type: string; received_at: number; facts: unknown }>(
      `select id, type, received_at, facts from stripe_events where id = $1 and outcome = 'waiting'`,
      [id],
    );
    if (event === undefined) return null;
    const facts = waitingFacts.parse(event.facts);
    const waited = at - event.received_at;
    let outcome = await this.evaluate(tx, event, facts, at);
    if (outcome === 'waiting' && waited > WAIT_MS_MAX) {
      outcome = 'refused: unknown session';
      await this.alert(tx, event, outcome, at);
    }
    if (outcome === 'waiting') return { facts, again: at + Math.min(Math.max(RETRY_MS, waited), RETRY_MS_MAX) };
    await tx.execute('update stripe_events set outcome = $2, facts = null where id = $1', [id, outcome]);
    return null;
  }

  /**
   * Checks with Stripe once whether a refund or dispute concerns one of our payments, because the event does not state
   * it.
   */
  private async isForeign(id: string, facts: PaymentFacts): Promise<boolean> {
    if (facts.kind !== 'reversed' || facts.is_ours === true) return false;
    let isOurs: boolean;
    try {
      isOurs = await this.provider.isOurs(facts.payment_intent);
    } catch {
      // The next retry checks with Stripe again.
      return false;
    }
    const outcome: Outcome = isOurs ? 'waiting' : 'ignored';
    const known = isOurs ? JSON.stringify({ ...facts, is_ours: true }) : null;
    await this.db.tx('payments.retry-asked', (tx) =>
      tx.execute(`update stripe_events set outcome = $2, facts = $3 where id = $1 and outcome = 'waiting'`, [
        id,
        outcome,
        known,
      ]),
    );
    return !isOurs;
  }

  private verified(bytes: Buffer, signature: string | undefined): unknown {
    for (const secret of this.options.secrets) {
      try {
        return Stripe.webhooks.constructEvent(bytes, signature ?? '', secret, TOLERANCE_S);
      } catch {
        // Not signed with this secret. The body is not repeated in a response or a log.
      }
    }
    throw new DomainError('SIGNATURE_INVALID', ACCESS_MESSAGES.signature);
  }

  private async take(event: StripeEvent): Promise<void> {
    await this.db.tx('payments.webhook', async (tx) => {
      const at = await this.clock.now(tx);
      // The id is written first, so that a concurrent delivery of the same event waits here and then finds it done.
      const fresh = await tx.execute(
        `insert into stripe_events (id, type, received_at, outcome) values ($1, $2, $3, 'nothing') on conflict (id) do nothing`,
        [event.id, event.type, iso(at)],
      );
      if (fresh === 0) return;
      const { outcome, facts } = await this.outcomeOf(tx, event, at);
      await tx.execute(
        'update stripe_events set outcome = $2, facts = $3, session_id = $4, payment_intent = $5 where id = $1',
        [
          event.id,
          outcome,
          outcome === 'waiting' && facts !== null ? JSON.stringify(facts) : null,
          facts !== null && 'session_id' in facts ? facts.session_id : null,
          facts !== null && 'payment_intent' in facts ? facts.payment_intent : null,
        ],
      );
      if (outcome === 'waiting')
        await this.work.schedule(tx, { kind: RETRY_STRIPE_EVENT, key: event.id, due_at: at + RETRY_MS });
    });
  }

  private async outcomeOf(
    tx: Tx,
    event: StripeEvent,
    at: number,
  ): Promise<{ outcome: Outcome; facts: PaymentFacts | null }> {
    const facts = readable(event);
    if (facts === null) return { outcome: 'ignored', facts };
    if (facts === 'unreadable' || event.livemode !== this.options.live) {
      const because: Outcome = facts === 'unreadable' ? 'refused: unreadable' : 'refused: livemode';
      await this.alert(tx, event, because, at);
      return { outcome: because, facts: null };
    }
    return { outcome: await this.evaluate(tx, event, facts, at), facts };
  }

  private async evaluate(
    tx: Tx,
    event: { id: string; type: string },
    facts: PaymentFacts,
    at: number,
  ): Promise<Outcome> {
    const outcome = await this.applyPayment.run(tx, facts, { at });
    if (outcome.startsWith('refused')) await this.alert(tx, event, outcome, at);
    return outcome;
  }

  private alert(tx: Tx, { id, type }: { id: string; type: string }, because: string, at: number): Promise<void> {
    return this.refused.record(tx, { subject: `stripe_event:${id}`, type, because, at });
  }
}

function readable(event: StripeEvent): PaymentFacts | 'unreadable' | null {
  try {
    return factsOf(event);
  } catch {
    return 'unreadable';
  }
}
