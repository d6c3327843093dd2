import { FORGET_CARD, FORGET_CUSTOMER, SAVE_CARD } from '@moorage/contracts';
import { auditLog, type CheckoutSession } from '@moorage/database';
import { type Instant, iso } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { type Claim, type Outcome, WorkSchedule } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { SecurityMails } from '../../mail/security-mails.service';
import { usersRepository } from '../../users-store/users.repository';
import { PaymentProvider, PaymentRefused, type SavedCard } from '../payment-provider';

const CONCURRENCY = 2;

interface PaidRow extends Pick<CheckoutSession, 'user_id'> {
  readonly payment_intent: string;
  readonly paid_at: Instant;
}

/** References that the provider needs to delete a card. */
interface CardReference {
  readonly customer: string;
  readonly payment_method: string;
}

/** Cards stored for automatic top-ups, at most one per account. */
@Injectable()
export class SavedCards {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly ledger: Ledger,
    private readonly work: WorkSchedule,
    private readonly securityMails: SecurityMails,
    private readonly provider: PaymentProvider,
  ) {}

  /** Stores the card of a payment if the payer agreed, and deletes the previous card. */
  @HandlesWork(SAVE_CARD, { concurrency: CONCURRENCY })
  async store({ key }: Pick<Claim, 'key'>): Promise<Outcome> {
    const [paid] = await this.db.tx('cards.paid', (tx) =>
      tx.query<PaidRow>(
        `select user_id, payment_intent, paid_at from checkout_sessions
         where id = $1 and status = 'paid' and save_card and payment_intent is not null and test_mode = $2`,
        [key, this.provider.testMode],
      ),
    );
    const card = paid === undefined ? null : await this.cardOf(paid.payment_intent);
    if (paid !== undefined && card !== null) await this.db.tx('cards.keep', (tx) => this.save(tx, paid, card));
    return { done: true };
  }

  /** Returns the card, or null if it is not stored at the provider or the provider does not know the payment. */
  private async cardOf(paymentIntent: string): Promise<SavedCard | null> {
    try {
      return await this.provider.cardOf(paymentIntent);
    } catch (error) {
      if (error instanceof PaymentRefused) return null;
      throw error;
    }
  }

  @HandlesWork(FORGET_CARD, { concurrency: CONCURRENCY })
  async forget({ key }: Pick<Claim, 'key'>): Promise<Outcome> {
    const [customer = '', paymentMethod = ''] = key.split(':');
    const [stored] = await this.db.tx('cards.kept', (tx) =>
      tx.query('select 1 from saved_cards where payment_method = $1', [paymentMethod]),
    );
    // The same card may have been saved again in the meantime.
    if (stored === undefined) await this.provider.forgetCard({ customer, paymentMethod });
    return { done: true };
  }

  @HandlesWork(FORGET_CUSTOMER, { concurrency: CONCURRENCY })
  async forgetCustomer({ key }: Pick<Claim, 'key'>): Promise<Outcome> {
    await this.provider.forgetCustomer(key);
    return { done: true };
  }

  /**
   * Deletes the account's card here and at the provider. The caller holds the lock of the wallet. Returns false if
   * there was none.
   */
  async remove(tx: Tx, { userId, at }: { userId: number; at: Instant }): Promise<boolean> {
    const [card] = await tx.query<CardReference>(
      'delete from saved_cards where user_id = $1 returning customer, payment_method',
      [userId],
    );
    if (card !== undefined) await this.forgetLater(tx, card, at);
    return card !== undefined;
  }

  private async save(tx: Tx, { user_id: userId, paid_at }: PaidRow, card: SavedCard): Promise<void> {
    const { customer, paymentMethod, brand, last4 } = card;
    await this.ledger.lock(tx, userId);
    const at = await this.clock.now(tx);
    const isActive = await usersRepository.exists(tx, userId, { state: 'active' });
    const [former] = await tx.query<CardReference & { saved_at: Instant }>(
      'select customer, payment_method, saved_at from saved_cards where user_id = $1',
      [userId],
    );
    // The card of the newest payment counts, in any order of processing.
    if (!isActive || (former !== undefined && former.saved_at > paid_at))
      return this.forgetLater(tx, { customer, payment_method: paymentMethod }, at);
    await tx.execute(
      `insert into saved_cards
         (user_id, customer, payment_method, brand, last4, exp_month, exp_year, test_mode, saved_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (user_id) do update set customer = excluded.customer, payment_method = excluded.payment_method,
         brand = excluded.brand, last4 = excluded.last4, exp_month = excluded.exp_month, exp_year = excluded.exp_year,
         test_mode = excluded.test_mode, saved_at = excluded.saved_at`,
      [
        userId,
        customer,
        paymentMethod,
        brand.slice(0, 40),
        last4,
        card.expMonth,
        card.expYear,
        this.provider.testMode,
        iso(paid_at),
      ],
    );
    if (former?.payment_method === paymentMethod) return;
    if (former !== undefined) await this.forgetLater(tx, former, at);
    await this.securityMails.post(tx, { userId, template: 'card_saved', facts: { brand, last4 }, at });
    const subject = `user:${userId}`;
    await auditLog.record(tx, { actor: userId, action: 'card.saved', subject, facts: { brand, last4 }, at });
  }

  private forgetLater(tx: Tx, { customer, payment_method }: CardReference, at: Instant): Promise<void> {
    return this.work.schedule(tx, { kind: FORGET_CARD, key: `${customer}:${payment_method}`, due_at: at });
  }
}
