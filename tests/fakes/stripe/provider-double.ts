import type { ApiHarness } from '../../services/api/api-harness';
import {
  PaymentProvider,
  PaymentRefused,
  type ProviderEntry,
  type Reversal,
  type ReversalMovement,
  type SessionState,
} from '@moorage/api/payments/payment-provider';

type Kind = ReversalMovement['kind'];
type PaymentState = Pick<
  PaymentProvider,
  'isOurs' | 'endSession' | 'reversalsOf' | 'sessionState' | 'refund' | 'entries'
>;

/** In-memory payment provider. It reports its stored state, and every movement is in its records. */
export class ProviderDouble implements PaymentState {
  readonly reversals = new Map<string, Reversal[]>();
  readonly sessions = new Map<string, SessionState>();
  /** Sessions created with another key. */
  readonly unknown = new Set<string>();
  /** Payments for another product on the same account. */
  readonly foreign = new Set<string>();
  /** Payments for which the owner was requested. */
  readonly ownersRequested: string[] = [];
  readonly books: ProviderEntry[] = [];
  /** Each call of `refund`, including repeats. */
  readonly refundsRequested: string[] = [];
  readonly sessionsRequested: string[] = [];
  /** True if the provider is unreachable. */
  isAway = false;
  /** Code with which refunds are refused permanently. */
  refusal: string | null = null;
  /** Called after a refund was made and before its response is sent. */
  beforeAnswer: () => void = () => {};
  /** Replaces the responses about reversals. */
  answer: (() => Promise<readonly Reversal[]>) | null = null;
  private counter = 0;

  constructor(private readonly now: () => number) {}

  /** Replaces the provider that the api was built with. */
  static in({ api, deps }: ApiHarness): ProviderDouble {
    const double = new ProviderDouble(() => deps.clock.localNow());
    const reported: PaymentState = {
      isOurs: (paymentIntent) => double.isOurs(paymentIntent),
      endSession: (id) => double.endSession(id),
      reversalsOf: (paymentIntent) => double.reversalsOf(paymentIntent),
      sessionState: (id) => double.sessionState(id),
      refund: (options) => double.refund(options),
      entries: (span) => double.entries(span),
    };
    Object.assign(api.app.get(PaymentProvider), reported);
    return double;
  }

  endSession(id: string): Promise<void> {
    this.mustBeThere();
    if (this.sessions.get(id) === 'open') this.sessions.set(id, { kind: 'expired', session_id: id });
    return Promise.resolve();
  }

  isOurs(paymentIntent: string): Promise<boolean> {
    this.ownersRequested.push(paymentIntent);
    this.mustBeThere();
    return Promise.resolve(!this.foreign.has(paymentIntent));
  }

  reversalsOf(paymentIntent: string): Promise<readonly Reversal[]> {
    this.mustBeThere();
    return this.answer?.() ?? Promise.resolve(this.reversals.get(paymentIntent) ?? []);
  }

  sessionState(id: string): Promise<SessionState> {
    this.sessionsRequested.push(id);
    this.mustBeThere();
    if (this.unknown.has(id)) return Promise.reject(new PaymentRefused('resource_missing'));
    const state = this.sessions.get(id);
    return state === undefined ? Promise.reject(new Error('no such session')) : Promise.resolve(state);
  }

  refund({ requestId, paymentIntent, amountCents }: Parameters<PaymentProvider['refund']>[0]): Promise<void> {
    this.refundsRequested.push(requestId);
    this.mustBeThere();
    if (this.refusal !== null) throw new PaymentRefused(this.refusal);
    const before = this.reversals.get(paymentIntent) ?? [];
    if (!before.some(({ refundRequestId }) => refundRequestId === requestId)) {
      const id = this.reversal(paymentIntent, 'refund', amountCents, { refundRequestId: requestId });
      this.move(paymentIntent, id, 'refund', amountCents);
    }
    this.beforeAnswer();
    return Promise.resolve();
  }

  async *entries({ from, to }: { from: number; to: number }): AsyncIterable<ProviderEntry> {
    this.mustBeThere();
    await Promise.resolve();
    yield* this.books.filter(({ at }) => at >= from && at < to);
  }

  /** Adds a refund or dispute without a movement of money. Returns its id. */
  reversal(paymentIntent: string, kind: 'refund' | 'dispute', cents: number, more: Partial<Reversal> = {}): string {
    const id = `${kind === 'refund' ? 're' : 'dp'}_${++this.counter}_${paymentIntent}`;
    const reversal: Reversal = {
      id,
      kind,
      cents,
      currency: 'usd',
      status: kind === 'refund' ? 'succeeded' : 'needs_response',
      reason: null,
      dueBy: null,
      refundRequestId: null,
      createdAt: this.now(),
      movements: [],
      ...more,
    };
    this.reversals.set(paymentIntent, [...(this.reversals.get(paymentIntent) ?? []), reversal]);
    return id;
  }

  change(paymentIntent: string, id: string, changes: Partial<Reversal>): void {
    const before = this.reversals.get(paymentIntent) ?? [];
    const after = before.map((reversal) => (reversal.id === id ? { ...reversal, ...changes } : reversal));
    this.reversals.set(paymentIntent, after);
  }

  /** Moves money of a refund or dispute. Returns the id of the balance transaction. */
  move(paymentIntent: string, reversalId: string, kind: Kind, cents: number, currency = 'usd'): string {
    const id = `txn_${++this.counter}_${paymentIntent}`;
    const at = this.now();
    const movement: ReversalMovement = { id, kind, cents, feeCents: 0, currency, at };
    const reversal = this.reversals.get(paymentIntent)?.find((one) => one.id === reversalId);
    this.change(paymentIntent, reversalId, { movements: [...(reversal?.movements ?? []), movement] });
    this.books.push({ id, paymentIntent, kind, cents, currency, at });
    return id;
  }

  /** Adds a payment to its records. Returns the id of the entry. */
  enter(
    paymentIntent: string,
    cents: number,
    { currency = 'usd', at = this.now(), paymentId = null }: Partial<Extract<ProviderEntry, { kind: 'payment' }>> = {},
  ): string {
    const id = `txn_${++this.counter}_${paymentIntent}`;
    this.books.push({ id, paymentIntent, kind: 'payment', cents, currency, at, paymentId });
    return id;
  }

  private mustBeThere(): void {
    if (this.isAway) throw new Error('the payment provider is away');
  }
}

/** Returns the payment intent of the newest payment of an account. */
export async function intentOf({ database }: ApiHarness, account: { readonly id: number }): Promise<string> {
  const [payment] = await database.sql<{ payment_intent: string }>(
    `select payment_intent from checkout_sessions where user_id = $1 and status = 'paid' order by paid_at desc limit 1`,
    [account.id],
  );
  if (payment === undefined) throw new Error('no payment');
  return payment.payment_intent;
}
