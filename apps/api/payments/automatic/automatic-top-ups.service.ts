import { AUTOMATIC_TOP_UP } from '@moorage/contracts';
import {
  DAY_MS,
  decideTopUp,
  HOUR_MS,
  type Instant,
  iso,
  MINUTE_MS,
  Money,
  startOfMonth,
  type TopUpDecision,
} from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { type Claim, type Outcome, WorkSchedule } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, Log, Random, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { SecurityMails } from '../../mail/security-mails.service';
import { balanceEnd } from '../../mail/balance-end';
import { ApplyPayment } from '../apply-payment.use-case';
import { type CardCharge, PaymentProvider, PaymentRefused } from '../payment-provider';
import { TopUpSwitch } from '../../top-up-switch/top-up-switch.service';
import { usersRepository } from '../../users-store/users.repository';
import { type AttemptRow, type CardRow, readAttempts, readCard, readSettings } from './top-up-rows';

/** Concurrent charges per process. */
const CONCURRENCY = 4;
/** Minimum interval between requests to the provider about the same attempt. A charge takes less or times out. */
const CHARGE_TIMEOUT_MS = MINUTE_MS;
const CHARGE_TIMEOUT_MS_MAX = HOUR_MS;
/** Time during which a charge is requested again under the same id, because the provider is sure to recognise it. */
const CHARGE_MS_MAX = 23 * HOUR_MS;
/** Time after which an unresolved attempt is given up. A payment that appears later is posted nevertheless. */
const WAIT_MS_MAX = 7 * DAY_MS;

/** Maximum number of accounts checked in a pass. */
const PASS_MAX = 500;

interface Attempt {
  readonly userId: number;
  readonly id: string;
  readonly begunAt: Instant;
  readonly amountCents: number;
  /** The provider's customer to charge, even if another card has been saved since. */
  readonly customer: string;
  /** The saved card, or null if its owner has removed it. */
  readonly card: CardRow | null;
  /** True if its charge may have been requested before. */
  readonly mayBeKnown: boolean;
  /** True if the charge may be requested now. */
  readonly mayCharge: boolean;
}

/**
 * Response of the provider. `unknown` means that it has no such charge and none was requested, `silent` that it did not
 * respond.
 */
type Answer = CardCharge | { readonly kind: 'unknown' | 'silent' };

/** Charges the saved cards of accounts with a low balance (decisions 54). */
@Injectable()
export class AutomaticTopUps {
  /** The last account that a pass has checked. */
  private passed = 0;

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly log: Log,
    private readonly ledger: Ledger,
    private readonly work: WorkSchedule,
    private readonly topUpSwitch: TopUpSwitch,
    private readonly securityMails: SecurityMails,
    private readonly applyPayment: ApplyPayment,
    private readonly provider: PaymentProvider,
  ) {}

  @HandlesWork(AUTOMATIC_TOP_UP, { concurrency: CONCURRENCY })
  async run({ key }: Pick<Claim, 'key'>): Promise<Outcome> {
    const again = await this.consider(Number(key));
    return again === null
      ? { done: true }
      : { retry_at: again, reason: 'a charge is in flight, or a limit is reached' };
  }

  /**
   * Charges the card if a charge is due, and settles an open attempt. Returns the time of the next check. The attempt
   * is stored before the provider is called, so that after a crash it is requested again under the same id.
   */
  async consider(userId: number): Promise<Instant | null> {
    const begun = await this.db.tx('automatic_top_up.begin', (tx) => this.begin(tx, userId));
    if (!('id' in begun)) return begun.checkAgainAt;
    const answer = await this.request(begun);
    return this.db.tx('automatic_top_up.end', (tx) => this.end(tx, begun, answer));
  }

  /** Checks the next accounts with automatic top-up enabled and schedules those that are due. */
  async pass(): Promise<void> {
    const ids = await this.db.tx('automatic_top_up.pass', (tx) =>
      tx.query<{ user_id: number }>(
        'select user_id from automatic_top_ups where enabled and user_id > $1 order by user_id limit $2',
        [this.passed, PASS_MAX],
      ),
    );
    for (const { user_id: userId } of ids) {
      // An account that cannot be read must not keep the next pass from reaching those after it.
      this.passed = userId;
      await this.db.tx('automatic_top_up.look', async (tx) => {
        const at = await this.clock.now(tx);
        const { decision } = await this.evaluate(tx, userId, at);
        if (decision.due || decision.why === 'card_expired')
          await this.work.schedule(tx, { kind: AUTOMATIC_TOP_UP, key: String(userId), due_at: at });
      });
    }
    if (ids.length < PASS_MAX) this.passed = 0;
  }

  private async begin(tx: Tx, userId: number): Promise<Attempt | { readonly checkAgainAt: Instant | null }> {
    await this.ledger.lock(tx, userId);
    const at = await this.clock.now(tx);
    const { decision, card, attempts, isOn } = await this.evaluate(tx, userId, at);
    const open = attempts.find(({ status }) => status === 'open');
    if (open !== undefined) return this.resume(tx, { userId, open, card, isOn, at });
    if (!decision.due) {
      if (decision.why === 'card_expired' && card !== null)
        await this.topUpSwitch.off(tx, { userId, card, reason: 'card_expired', at });
      return { checkAgainAt: decision.checkAgainAt };
    }
    if (card === null) throw new Error('expected a saved card for the charge, found none');
    const id = `auto_${this.random.text(32)}`;
    await tx.execute(
      `insert into checkout_sessions (id, user_id, kind, amount_cents, test_mode, url, created_at, asked_at, customer)
       values ($1, $2, 'automatic', $3, $4, '', $5, $5, $6)`,
      [id, userId, decision.cents, this.provider.testMode, iso(at), card.customer],
    );
    const { customer } = card;
    return { userId, id, begunAt: at, amountCents: decision.cents, customer, card, mayBeKnown: false, mayCharge: true };
  }

  /** Takes over an unfinished attempt, unless it was taken over just now. */
  private async resume(
    tx: Tx,
    what: { userId: number; open: AttemptRow; card: CardRow | null; isOn: boolean; at: Instant },
  ): Promise<Attempt | { readonly checkAgainAt: Instant | null }> {
    const { userId, open, card, isOn, at } = what;
    if (at < open.requestedAt + CHARGE_TIMEOUT_MS) return { checkAgainAt: open.requestedAt + CHARGE_TIMEOUT_MS };
    const customer = open.customer ?? card?.customer ?? null;
    if (customer === null) {
      await this.fail(tx, open.id, 'card_removed', at);
      return { checkAgainAt: null };
    }
    await tx.execute('update checkout_sessions set asked_at = $2 where id = $1', [open.id, iso(at)]);
    const isSameCard = card !== null && card.saved_at <= open.at;
    const mayCharge = isOn && isSameCard && at < open.at + CHARGE_MS_MAX;
    return {
      userId,
      id: open.id,
      begunAt: open.at,
      amountCents: open.cents,
      customer,
      card,
      mayBeKnown: true,
      mayCharge,
    };
  }

  private async request({ userId, id, amountCents, customer, card, mayBeKnown, mayCharge }: Attempt): Promise<Answer> {
    try {
      const known = mayBeKnown ? await this.provider.findCharge({ paymentId: id, customer }) : null;
      if (known !== null) return known;
      if (!mayCharge || card === null) return { kind: 'unknown' };
      const charged = { customer, paymentMethod: card.payment_method };
      return await this.provider.chargeCard({ paymentId: id, userId, card: charged, amountCents });
    } catch (error) {
      if (error instanceof PaymentRefused) return { kind: 'declined', paymentIntent: null, failure: error.code };
      // The provider's own message may contain keys and cards.
      this.log.warn('saved card not charged; retrying', {
        payment_id: id,
        kind: error instanceof Error ? error.name : 'unknown',
      });
      return { kind: 'silent' };
    }
  }

  private async end(tx: Tx, { userId, id, begunAt, card }: Attempt, answer: Answer): Promise<Instant | null> {
    await this.ledger.lock(tx, userId);
    const at = await this.clock.now(tx);
    if ('paymentIntent' in answer && answer.kind !== 'paid') await rememberIntent(tx, id, answer.paymentIntent);
    switch (answer.kind) {
      case 'paid': {
        // Posted even if the attempt was given up in the meantime, because the card was charged.
        const { paymentIntent, cents, currency } = answer;
        const facts = { kind: 'paid', session_id: id, payment_intent: paymentIntent, cents, currency } as const;
        const outcome = await this.applyPayment.run(tx, facts, { at });
        if (outcome.startsWith('refused')) {
          await this.fail(tx, id, outcome, at);
          tx.afterCommit(() => this.log.error('saved card charge not posted', { payment_id: id, outcome }));
        }
        return null;
      }
      case 'open':
      case 'silent':
        if (at < begunAt + WAIT_MS_MAX)
          return at + Math.min(Math.max(CHARGE_TIMEOUT_MS, at - begunAt), CHARGE_TIMEOUT_MS_MAX);
        await this.fail(tx, id, 'unresolved', at);
        tx.afterCommit(() => this.log.error('saved card charge has an unknown outcome', { payment_id: id }));
        return null;
      case 'unknown':
        await this.fail(tx, id, card === null ? 'card_removed' : 'not_charged', at);
        return null;
      case 'declined':
      case 'authentication':
        // The webhook may have been faster, or the owner may have removed the card.
        if (await this.fail(tx, id, answer.failure, at))
          await this.topUpSwitch.off(tx, { userId, ...(card === null ? {} : { card }), reason: answer.kind, at });
        return null;
    }
  }

  /** Marks an attempt as failed. Returns false if it was already finished. */
  private async fail(tx: Tx, id: string, failure: string, at: Instant): Promise<boolean> {
    const failed = await tx.execute(
      `update checkout_sessions set status = 'failed', failure = $2, asked_at = $3 where id = $1 and status = 'open'`,
      [id, failure.slice(0, 100), iso(at)],
    );
    return failed === 1;
  }

  /** Applies the rule to the account as stored. Notifies its owner once a month that the cap is reached. */
  private async evaluate(
    tx: Tx,
    userId: number,
    at: Instant,
  ): Promise<{
    decision: TopUpDecision;
    card: CardRow | null;
    attempts: readonly AttemptRow[];
    /**
     * True if the owner has enabled automatic top-up and the account may be charged, because it is active and owes
     * nothing.
     */
    isOn: boolean;
  }> {
    const settings = await readSettings(tx, userId);
    const attempts = await readAttempts(tx, { userId, at });
    const card = await readCard(tx, { userId, testMode: this.provider.testMode });
    const off = { due: false, why: 'off', checkAgainAt: null } as const;
    if (settings?.enabled !== true) return { decision: off, card, attempts, isOn: false };
    const isActive = await usersRepository.exists(tx, userId, { state: 'active' });
    const { available, owed } = await this.ledger.balance(tx, { userId, at });
    const decision = decideTopUp({
      settings,
      card: card === null ? null : { expMonth: card.exp_month, expYear: card.exp_year },
      account: {
        isActive,
        available,
        owed,
        runway: await this.ledger.runway(tx, { userId, at }),
      },
      attempts,
      at,
    });
    if (!decision.due && decision.why === 'month') {
      const end = balanceEnd(await this.ledger.forecast(tx, { userId, at }), at);
      const cap_micros = Money.ofCents(settings.monthCapCents).micros.toString();
      // The cause of the email contains the first instant of the month, which limits it to one a month.
      await this.securityMails.post(tx, {
        userId,
        template: 'automatic_top_up_cap',
        facts: { cap_micros, ...(end === undefined ? {} : { end }) },
        at: startOfMonth(at),
      });
    }
    return { decision, card, attempts, isOn: isActive && !owed.isPositive };
  }
}

/**
 * Stores the payment intent. The comparison with the provider uses it to find payments of attempts that failed here.
 */
async function rememberIntent(tx: Tx, id: string, paymentIntent: string | null): Promise<void> {
  await tx.execute(
    `update checkout_sessions set payment_intent = $2 where id = $1 and payment_intent is null and status <> 'paid'`,
    [id, paymentIntent],
  );
}
