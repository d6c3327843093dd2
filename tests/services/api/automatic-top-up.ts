import type { ApiHarness, TestAccount } from './api-harness';
import { type CardCharge, PaymentProvider, type SavedCard } from '@moorage/api/payments/payment-provider';

export const CARD: SavedCard = {
  customer: 'cus_jane',
  paymentMethod: 'pm_visa',
  brand: 'visa',
  last4: '4242',
  expMonth: 12,
  expYear: 2099,
};

/**
 * Response of the bank to the next charges. `away`: the provider is unreachable. `answer lost`: it charges, and its
 * response is lost. `hangs`: nothing arrives until `release`.
 */
type Mood = 'paid' | 'open' | 'declined' | 'authentication' | 'away' | 'answer lost' | 'hangs';

type CardPart = Pick<PaymentProvider, 'cardOf' | 'forgetCard' | 'forgetCustomer' | 'chargeCard' | 'findCharge'>;

/** In-memory payment provider for saved cards, which charges once per payment id. */
export class CardDouble implements CardPart {
  mood: Mood = 'paid';
  /** Card with which every payment was made. */
  card: SavedCard | null = CARD;
  /** Payment ids in the order of the requests, including repeats. */
  readonly requested: string[] = [];
  readonly charges = new Map<string, { cents: number; kind: CardCharge['kind'] }>();
  readonly forgotten: string[] = [];
  private readonly hanging: (() => void)[] = [];

  /** Replaces the provider that the api was built with. */
  static in({ api }: ApiHarness): CardDouble {
    const double = new CardDouble();
    const real = api.app.get(PaymentProvider);
    for (const name of ['cardOf', 'forgetCard', 'forgetCustomer', 'chargeCard', 'findCharge'] as const)
      Object.assign(real, { [name]: double[name].bind(double) });
    return double;
  }

  /** Saves a card for an account, dated yesterday. */
  async store({ database }: ApiHarness, { id }: TestAccount, over: Partial<SavedCard> = {}): Promise<void> {
    const card = { ...CARD, ...over };
    await database.sql(
      `insert into saved_cards (user_id, customer, payment_method, brand, last4, exp_month, exp_year, test_mode, saved_at)
       values ($1, $2, $3, $4, $5, $6, $7, true, now() - interval '1 day')`,
      [id, card.customer, card.paymentMethod, card.brand, card.last4, card.expMonth, card.expYear],
    );
  }

  /** Makes the provider lose a charge. */
  forget(paymentId: string): void {
    this.charges.delete(paymentId);
  }

  get paid(): number {
    return [...this.charges.values()].filter(({ kind }) => kind === 'paid').length;
  }

  release(): void {
    for (const go of this.hanging.splice(0)) go();
  }

  /** Decides the open charges, as the bank does. */
  settle(kind: CardCharge['kind']): void {
    for (const charge of this.charges.values()) if (charge.kind === 'open') charge.kind = kind;
  }

  cardOf(): Promise<SavedCard | null> {
    return Promise.resolve(this.card);
  }

  forgetCard({ customer, paymentMethod }: Pick<SavedCard, 'customer' | 'paymentMethod'>): Promise<void> {
    this.forgotten.push(`${customer}:${paymentMethod}`);
    return Promise.resolve();
  }

  forgetCustomer(customer: string): Promise<void> {
    this.forgotten.push(customer);
    return Promise.resolve();
  }

  async chargeCard({ paymentId, amountCents }: Parameters<CardPart['chargeCard']>[0]): Promise<CardCharge> {
    this.requested.push(paymentId);
    const { mood } = this;
    if (mood === 'hangs') await new Promise<void>((resolve) => this.hanging.push(resolve));
    if (mood === 'away') throw new Error('connect ETIMEDOUT');
    const kind = mood === 'answer lost' || mood === 'hangs' ? 'paid' : mood;
    if (!this.charges.has(paymentId)) this.charges.set(paymentId, { cents: amountCents, kind });
    if (mood === 'answer lost') throw new Error('socket hang up');
    return this.answer(paymentId) as CardCharge;
  }

  findCharge({ paymentId }: Parameters<CardPart['findCharge']>[0]): Promise<CardCharge | null> {
    if (this.mood === 'away') return Promise.reject(new Error('connect ETIMEDOUT'));
    return Promise.resolve(this.answer(paymentId));
  }

  private answer(paymentId: string): CardCharge | null {
    const charge = this.charges.get(paymentId);
    if (charge === undefined) return null;
    const paymentIntent = `pi_${paymentId.slice(5)}`;
    const { kind, cents } = charge;
    if (kind === 'paid') return { kind, paymentIntent, cents, currency: 'usd' };
    return kind === 'open' ? { kind, paymentIntent } : { kind, paymentIntent, failure: 'insufficient_funds' };
  }
}
