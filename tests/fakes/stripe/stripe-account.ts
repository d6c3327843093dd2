/** An object of Stripe with Stripe's field names. */
export interface Thing {
  readonly id: string;
  readonly object: string;
  /** Unix time in seconds. */
  readonly created: number;
  [field: string]: unknown;
}

type Metadata = Readonly<Record<string, string>>;

interface Session extends Thing {
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  payment_intent: string | null;
  customer: string | null;
  readonly amount_total: number;
  readonly setup_future_usage: string | null;
  readonly customer_creation: string;
  readonly payment_metadata: Metadata;
}

interface Intent extends Thing {
  status: string;
  amount_received: number;
  last_payment_error: Readonly<Record<string, unknown>> | null;
  latest_charge: string | null;
  readonly amount: number;
  readonly payment_method: string;
  readonly metadata: Metadata;
}

interface Charge extends Thing {
  amount_refunded: number;
  disputed: boolean;
  balance_transaction: string | null;
  readonly amount: number;
  readonly payment_intent: string;
}

interface Refund extends Thing {
  status: string;
  failure_balance_transaction?: string;
  failure_reason?: string;
  balance_transaction: string | null;
  readonly amount: number;
  readonly charge: string;
  readonly payment_intent: string;
}

interface Dispute extends Thing {
  status: string;
  readonly balance_transactions: BalanceTransaction[];
  readonly charge: string;
  readonly payment_intent: string;
}

interface BalanceTransaction extends Thing {
  readonly amount: number;
  readonly source: string;
}

/** An event that Stripe would send. The test decides whether, when and how often it arrives. */
export interface QueuedEvent {
  readonly id: string;
  readonly type: string;
  readonly payload: string;
}

/** Refusal of a request, the `error` of the body. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly error: Readonly<Record<string, unknown>>,
  ) {
    super(String(error.code ?? error.type));
  }
}

/** Behaviour of a card when it is charged without its owner being present. */
export type CardManner = 'succeeds' | 'declines' | 'authentication' | 'processing';

const DECLINES = {
  declines: { code: 'card_declined', decline_code: 'insufficient_funds' },
  authentication: { code: 'authentication_required', decline_code: 'authentication_required' },
} as const;

const DISPUTE_FEE = 1500;

export interface Params {
  readonly [field: string]: string | Params;
}

/** A Stripe account with its money: the requests of the api, and the actions of customers, banks and the dashboard. */
export class StripeAccount {
  /** Returns the time in milliseconds. A test sets the clock of its api. */
  now: () => number = Date.now;
  /** Addresses that Stripe considers invalid. */
  readonly refusedEmails = new Set<string>();
  protected readonly things = new Map<string, Thing>();
  private readonly manners = new Map<string, CardManner>();
  private queued: QueuedEvent[] = [];
  private counter = 0;
  private sessions = 0;

  // Requests of the api.

  openSession(requested: Params): Thing {
    const line = part(part(requested, 'line_items'), '0');
    const price = part(line, 'price_data');
    const paying = part(requested, 'payment_intent_data');
    const customer = text(requested, 'customer');
    if (customer !== null && text(requested, 'customer_email') !== null)
      throw invalid('You may only specify one of these parameters: customer, customer_email.');
    const email = text(requested, 'customer_email');
    if (email !== null && this.refusedEmails.has(email))
      throw invalid(`Invalid email address: ${email}`, 'email_invalid');
    if (customer !== null) this.known(customer, 'customer');
    return this.add<Session>('cs_live', 'checkout.session', {
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      amount_total: Number(text(price, 'unit_amount')) * Number(text(line, 'quantity')),
      currency: text(price, 'currency'),
      customer,
      customer_creation: text(requested, 'customer_creation') ?? 'if_required',
      setup_future_usage: text(paying, 'setup_future_usage'),
      payment_metadata: part(paying, 'metadata') as Metadata,
      client_reference_id: text(requested, 'client_reference_id'),
      metadata: part(requested, 'metadata'),
      mode: text(requested, 'mode'),
      success_url: text(requested, 'success_url'),
      cancel_url: text(requested, 'cancel_url'),
      url: `https://checkout.example/c/${++this.sessions}`,
    });
  }

  charge(requested: Params): Thing {
    const method = this.known(text(requested, 'payment_method') ?? '', 'payment_method');
    if (method.customer === null || method.customer !== text(requested, 'customer'))
      throw invalid('The payment method belongs to no such customer.', 'payment_method_unexpected_state');
    const intent = this.intent({
      amount: Number(text(requested, 'amount')),
      currency: text(requested, 'currency'),
      customer: method.customer,
      payment_method: method.id,
      setup_future_usage: null,
      metadata: part(requested, 'metadata'),
    });
    const manner = this.manners.get(method.id) ?? 'succeeds';
    if (manner === 'processing') return intent;
    if (manner === 'succeeds') {
      this.settle(intent.id, 'succeeded');
      return intent;
    }
    this.fails(intent, DECLINES[manner]);
    throw new Refusal(402, { type: 'card_error', ...intent.last_payment_error, payment_intent: { ...intent } });
  }

  detach(id: string): Thing {
    const method = this.known(id, 'payment_method');
    if (method.customer === null) throw invalid('The payment method is not attached to a customer.');
    method.customer = null;
    this.emit('payment_method.detached', method);
    return method;
  }

  giveBack(requested: Params): Thing {
    const intent = this.known<Intent>(text(requested, 'payment_intent') ?? '', 'payment_intent');
    return this.refund(intent.id, Number(text(requested, 'amount')), part(requested, 'metadata') as Metadata);
  }

  /** Returns an object. Throws Stripe's error for an unknown id. */
  known<T extends Thing = Thing>(id: string, object: string): T {
    const thing = this.things.get(id);
    if (thing?.object !== object)
      throw new Refusal(404, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: `No such ${object}: '${id}'`,
      });
    return thing as T;
  }

  // Actions of others.

  /**
   * Pays a session with a card, which is stored if the session requires it. A `slow` payment is decided by `settle`.
   */
  pay(sessionId: string, { card = 'succeeds', slow = false }: { card?: CardManner; slow?: boolean } = {}): string {
    const session = this.known<Session>(sessionId, 'checkout.session');
    if (session.status !== 'open') throw new Error('the session is over');
    if (session.customer === null && session.customer_creation === 'always')
      session.customer = this.add('cus', 'customer', {}).id;
    const keeps = session.setup_future_usage === 'off_session';
    const method = this.add('pm', 'payment_method', {
      type: 'card',
      card: { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2031 },
      customer: keeps ? session.customer : null,
    });
    this.manners.set(method.id, card);
    const intent = this.intent({
      amount: session.amount_total,
      currency: session.currency,
      customer: session.customer,
      payment_method: method.id,
      setup_future_usage: session.setup_future_usage,
      metadata: session.payment_metadata,
    });
    Object.assign(session, { status: 'complete', payment_intent: intent.id });
    if (slow) this.emit('checkout.session.completed', session);
    else this.settle(intent.id, 'succeeded', 'checkout.session.completed');
    return intent.id;
  }

  /** Decides a payment that is being processed. */
  settle(
    intentId: string,
    outcome: 'succeeded' | 'failed',
    reported = `checkout.session.async_payment_${outcome}`,
  ): void {
    const intent = this.known<Intent>(intentId, 'payment_intent');
    if (intent.status !== 'processing') throw new Error('the payment is decided');
    if (outcome === 'succeeded') this.takes(intent);
    else this.fails(intent, { code: 'payment_intent_payment_attempt_failed' });
    const session = this.all<Session>('checkout.session').find(({ payment_intent }) => payment_intent === intentId);
    if (session === undefined) return;
    if (outcome === 'succeeded') session.payment_status = 'paid';
    this.emit(reported, session);
  }

  expire(sessionId: string): void {
    const session = this.known<Session>(sessionId, 'checkout.session');
    if (session.status !== 'open') throw new Error('the session is over');
    session.status = 'expired';
    this.emit('checkout.session.expired', session);
  }

  /** Deletes a customer. The cards are detached and the payments remain. */
  deleteCustomer(id: string): Thing {
    const customer = this.known(id, 'customer');
    for (const method of this.all('payment_method')) if (method.customer === id) method.customer = null;
    this.things.delete(id);
    return { ...customer, deleted: true };
  }

  endSession(sessionId: string): Thing {
    const session = this.known<Session>(sessionId, 'checkout.session');
    if (session.status !== 'open') throw invalid('Only open sessions can be expired.');
    this.expire(sessionId);
    return session;
  }

  /** Sets the behaviour of a stored card for its next charges. */
  cardAnswers(paymentMethod: string, manner: CardManner): void {
    this.manners.set(this.known(paymentMethod, 'payment_method').id, manner);
  }

  /** Refunds a payment. Without metadata it is a refund of the dashboard. */
  refund(intentId: string, cents: number, metadata: Metadata = {}): Refund {
    const charge = this.chargeOf(intentId);
    if (charge.amount_refunded === charge.amount)
      throw invalid('The charge has been refunded.', 'charge_already_refunded');
    if (charge.disputed) throw invalid('The charge is disputed.', 'charge_disputed');
    if (!(cents > 0) || charge.amount_refunded + cents > charge.amount)
      throw invalid('The refund is greater than what is left of the charge.', 'amount_too_large');
    const refund = this.add<Refund>('re', 'refund', {
      amount: cents,
      currency: charge.currency,
      charge: charge.id,
      payment_intent: intentId,
      metadata,
      reason: null,
      status: 'succeeded',
      balance_transaction: null,
    });
    refund.balance_transaction = this.moves(refund, { amount: -cents, type: 'refund' }).id;
    charge.amount_refunded += cents;
    this.emit('refund.created', refund);
    this.emit('charge.refunded', charge);
    return refund;
  }

  /** Fails a refund because the bank of the card refuses it. The money is back on the account. */
  failRefund(refundId: string): void {
    const refund = this.known<Refund>(refundId, 'refund');
    if (refund.status !== 'succeeded') throw new Error('the refund is over');
    const back = this.moves(refund, { amount: refund.amount, type: 'refund_failure' });
    Object.assign(refund, {
      status: 'failed',
      failure_reason: 'lost_or_stolen_card',
      failure_balance_transaction: back.id,
    });
    this.known<Charge>(refund.charge, 'charge').amount_refunded -= refund.amount;
    for (const type of ['refund.updated', 'charge.refund.updated', 'refund.failed']) this.emit(type, refund);
  }

  /** Opens a dispute. `withdrawn` is the amount withdrawn immediately. */
  dispute(intentId: string, cents?: number, withdrawn?: number): string {
    const charge = this.chargeOf(intentId);
    const amount = cents ?? charge.amount;
    charge.disputed = true;
    const dispute = this.add<Dispute>('du', 'dispute', {
      amount,
      currency: charge.currency,
      charge: charge.id,
      payment_intent: intentId,
      status: 'needs_response',
      reason: 'fraudulent',
      evidence_details: { due_by: this.seconds() + 7 * 86_400 },
      metadata: {},
      balance_transactions: [],
    });
    this.emit('charge.dispute.created', dispute);
    if (withdrawn !== 0) this.withdraw(dispute.id, withdrawn ?? amount, DISPUTE_FEE);
    return dispute.id;
  }

  withdraw(disputeId: string, cents: number, fee = 0): void {
    this.disputeMoves(disputeId, -cents, fee, 'charge.dispute.funds_withdrawn');
  }

  reinstate(disputeId: string, cents: number): void {
    this.disputeMoves(disputeId, cents, 0, 'charge.dispute.funds_reinstated');
  }

  /** Closes a dispute. If it is won, the withdrawn amount is returned first. */
  closeDispute(disputeId: string, outcome: 'won' | 'lost'): void {
    const dispute = this.known<Dispute>(disputeId, 'dispute');
    const withdrawn = -dispute.balance_transactions.reduce((sum, { amount }) => sum + amount, 0);
    dispute.status = outcome;
    if (outcome === 'won' && withdrawn > 0) this.reinstate(disputeId, withdrawn);
    this.emit('charge.dispute.closed', dispute);
  }

  addCustomer(id: string): void {
    this.things.set(id, { id, object: 'customer', created: this.seconds() });
  }

  /** Adds a payment of another product on the same account. Returns its payment intent. */
  foreignPayment(cents: number): string {
    const method = this.add('pm', 'payment_method', { type: 'card', customer: null });
    const intent = this.intent({
      amount: cents,
      currency: 'usd',
      customer: null,
      payment_method: method.id,
      metadata: {},
    });
    this.settle(intent.id, 'succeeded');
    return intent.id;
  }

  /** Pays the account's money out to its bank. */
  payOut(cents: number): void {
    this.moves(this.add('po', 'payout', { amount: cents }), { amount: -cents, type: 'payout' });
  }

  // Queries of tests.

  /** Removes and returns the queued events, in the order in which they happened. */
  takeEvents(): QueuedEvent[] {
    const events = this.queued;
    this.queued = [];
    return events;
  }

  /** Returns the proceeds of each payment in cents, after refunds and disputes and without fees. */
  books(): Map<string, number> {
    const sums = new Map<string, number>();
    for (const { amount, source } of this.all<BalanceTransaction>('balance_transaction')) {
      const payment = this.things.get(source)?.payment_intent;
      if (typeof payment === 'string') sums.set(payment, (sums.get(payment) ?? 0) + amount);
    }
    return sums;
  }

  all<T extends Thing = Thing>(object: string): T[] {
    return [...this.things.values()].filter((thing): thing is T => thing.object === object);
  }

  private intent(facts: Omit<Partial<Intent>, 'id' | 'object' | 'created'>): Intent {
    return this.add<Intent>('pi', 'payment_intent', {
      status: 'processing',
      amount_received: 0,
      last_payment_error: null,
      latest_charge: null,
      ...facts,
    });
  }

  private takes(intent: Intent): void {
    const { id, amount, currency, customer, metadata } = intent;
    const charge = this.add<Charge>('ch', 'charge', {
      amount,
      amount_refunded: 0,
      currency,
      customer,
      disputed: false,
      // Copied once, so that later changes of the intent do not appear on the charge.
      metadata: { ...metadata },
      payment_intent: id,
      status: 'succeeded',
      balance_transaction: null,
    });
    charge.balance_transaction = this.moves(charge, {
      amount,
      type: 'charge',
      fee: Math.round(amount * 0.029) + 30,
    }).id;
    Object.assign(intent, { status: 'succeeded', amount_received: amount, latest_charge: charge.id });
    this.emit('charge.succeeded', charge);
    this.emit('payment_intent.succeeded', intent);
  }

  private fails(intent: Intent, error: Readonly<Record<string, unknown>>): void {
    Object.assign(intent, {
      status: 'requires_payment_method',
      last_payment_error: { type: 'card_error', message: 'sk_live_canary', ...error },
    });
    this.emit('payment_intent.payment_failed', intent);
  }

  private chargeOf(intentId: string): Charge {
    const { latest_charge } = this.known<Intent>(intentId, 'payment_intent');
    if (latest_charge === null) throw invalid('The payment has no successful charge.');
    return this.known<Charge>(latest_charge, 'charge');
  }

  private disputeMoves(disputeId: string, amount: number, fee: number, reported: string): void {
    const dispute = this.known<Dispute>(disputeId, 'dispute');
    dispute.balance_transactions.push(this.moves(dispute, { amount, fee, type: 'adjustment' }));
    this.emit(reported, dispute);
  }

  private moves(
    source: Thing,
    { amount, type, fee = 0 }: { amount: number; type: string; fee?: number },
  ): BalanceTransaction {
    return this.add<BalanceTransaction>('txn', 'balance_transaction', {
      amount,
      fee,
      net: amount - fee,
      currency: 'usd',
      type,
      source: source.id,
    });
  }

  private add<T extends Thing = Thing>(prefix: string, object: string, facts: object): T {
    const thing = {
      id: `${prefix}_${++this.counter}${'a'.repeat(20)}`,
      object,
      created: this.seconds(),
      livemode: true,
      ...facts,
    } as unknown as T;
    this.things.set(thing.id, thing);
    return thing;
  }

  private emit(type: string, object: Thing): void {
    const id = `evt_${++this.counter}${'a'.repeat(20)}`;
    const event = {
      id,
      object: 'event',
      api_version: '2026-10-28.endive',
      created: this.seconds(),
      livemode: true,
      type,
    };
    this.queued.push({ id, type, payload: JSON.stringify({ ...event, data: { object } }, null, 2) });
  }

  private seconds(): number {
    return Math.floor(this.now() / 1000);
  }
}

function invalid(message: string, code?: string): Refusal {
  return new Refusal(400, { type: 'invalid_request_error', message, ...(code === undefined ? {} : { code }) });
}

function part(requested: Params, field: string): Params {
  const value = requested[field];
  return typeof value === 'object' ? value : {};
}

function text(requested: Params, field: string): string | null {
  const value = requested[field];
  return typeof value === 'string' ? value : null;
}
