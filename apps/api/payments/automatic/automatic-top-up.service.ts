import { AUTOMATIC_TOP_UP, type AutomaticTopUpAnswer, type AutomaticTopUpSettings } from '@moorage/contracts';
import { auditLog } from '@moorage/database';
import {
  AUTOMATIC_TOP_UP_DEFAULTS,
  type AutomaticTopUp,
  DomainError,
  hasExpired,
  type Instant,
  iso,
  Money,
  monthCents,
  ORDER_MESSAGES,
  SHAPE_MESSAGES,
  type TopUpAttempt,
  type TopUpOffReason,
} from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { SecurityMails } from '../../mail/security-mails.service';
import type { Caller } from '../../http/call-input';
import { FieldsInvalid } from '../../http/field-problems';
import { ApiSettings } from '../../settings';
import { mustExist } from '../../users-store/accounts';
import { PaymentProvider } from '../payment-provider';
import { SavedCards } from './saved-cards.service';
import { TopUpSwitch } from '../../top-up-switch/top-up-switch.service';
import { type CardRow, readAttempts, readCard, readSettings } from './top-up-rows';

/** Automatic top-up of the caller's own account: threshold, amount and card. */
@Injectable()
export class AutomaticTopUpService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly ledger: Ledger,
    private readonly work: WorkSchedule,
    private readonly settings: ApiSettings,
    private readonly securityMails: SecurityMails,
    private readonly cards: SavedCards,
    private readonly provider: PaymentProvider,
    private readonly topUpSwitch: TopUpSwitch,
  ) {}

  read({ userId }: Caller): Promise<AutomaticTopUpAnswer> {
    return this.db.tx('automatic_top_up.read', async (tx) => this.answer(tx, userId, await this.clock.now(tx)));
  }

  change({ userId }: Caller, requested: AutomaticTopUpSettings): Promise<AutomaticTopUpAnswer> {
    this.refuseAmounts(requested);
    const wanted = settingsOf(requested);
    return this.db.tx('automatic_top_up.change', async (tx) => {
      await this.ledger.lock(tx, userId);
      const at = await this.clock.now(tx);
      const card = await readCard(tx, { userId, testMode: this.provider.testMode });
      if (wanted.enabled) refuseCard(card, at);
      const before = await readSettings(tx, userId);
      await save(tx, { userId, wanted, at });
      if (!isSame(before ?? AUTOMATIC_TOP_UP_DEFAULTS, wanted))
        await this.confirm(tx, { userId, requested, wasOn: before?.enabled === true, card, at });
      if (wanted.enabled) await this.work.schedule(tx, { kind: AUTOMATIC_TOP_UP, key: String(userId), due_at: at });
      return this.answer(tx, userId, at);
    });
  }

  removeCard({ userId }: Caller): Promise<AutomaticTopUpAnswer> {
    return this.db.tx('automatic_top_up.remove-card', async (tx) => {
      await this.ledger.lock(tx, userId);
      const at = await this.clock.now(tx);
      if (await this.cards.remove(tx, { userId, at })) {
        await this.topUpSwitch.off(tx, { userId, reason: 'card_removed', at });
        const subject = `user:${userId}`;
        await auditLog.record(tx, { actor: userId, action: 'card.removed', subject, facts: {}, at });
      }
      return this.answer(tx, userId, at);
    });
  }

  /** Returns the settings of an account for administrators. */
  readOf(userId: number): Promise<AutomaticTopUpAnswer> {
    return this.db.tx('automatic_top_up.read', async (tx) => {
      await mustExist(tx, userId);
      return this.answer(tx, userId, await this.clock.now(tx));
    });
  }

  /** Disables automatic top-up for administrators. Does nothing if it is already disabled. */
  stop(caller: Caller, userId: number, why: string): Promise<AutomaticTopUpAnswer> {
    return this.db.tx('automatic_top_up.stop', async (tx) => {
      await mustExist(tx, userId);
      await this.ledger.lock(tx, userId);
      const at = await this.clock.now(tx);
      await this.topUpSwitch.off(tx, { userId, reason: 'administrator', at, by: { userId: caller.userId, why } });
      return this.answer(tx, userId, at);
    });
  }

  private refuseAmounts({ amount_cents, month_cap_cents }: AutomaticTopUpSettings): void {
    const { checkoutMaxCents } = this.settings;
    if (amount_cents > checkoutMaxCents) {
      const most = Money.ofCents(checkoutMaxCents).toDisplay('price');
      throw new FieldsInvalid([{ path: 'amount_cents', message: SHAPE_MESSAGES.top_up_most({ most }) }]);
    }
    if (month_cap_cents < amount_cents)
      throw new FieldsInvalid([{ path: 'month_cap_cents', message: ORDER_MESSAGES.month_cap_low }]);
  }

  /** Confirms a change by email, because the owner of the mailbox may not be the one who made it. */
  private async confirm(
    tx: Tx,
    what: { userId: number; requested: AutomaticTopUpSettings; wasOn: boolean; card: CardRow | null; at: Instant },
  ): Promise<void> {
    const { userId, requested, wasOn, card, at } = what;
    // A change that leaves it disabled needs no email because nothing is charged.
    if (requested.enabled || wasOn) {
      const { enabled, threshold } = requested;
      await this.securityMails.post(tx, {
        userId,
        template: 'automatic_top_up_changed',
        facts: {
          enabled,
          threshold,
          amount_micros: Money.ofCents(requested.amount_cents).micros.toString(),
          cap_micros: Money.ofCents(requested.month_cap_cents).micros.toString(),
          card: card === null ? null : { brand: card.brand, last4: card.last4 },
        },
        at,
      });
    }
    const subject = `user:${userId}`;
    await auditLog.record(tx, { actor: userId, action: 'automatic_top_up.changed', subject, facts: requested, at });
  }

  private async answer(tx: Tx, userId: number, at: Instant): Promise<AutomaticTopUpAnswer> {
    const card = await readCard(tx, { userId, testMode: this.provider.testMode });
    const settings = await readSettings(tx, userId);
    const { enabled, threshold, amountCents, monthCapCents } = settings ?? AUTOMATIC_TOP_UP_DEFAULTS;
    const attempts = await readAttempts(tx, { userId, at });
    const [last] = attempts;
    return {
      card:
        card === null
          ? null
          : { brand: card.brand, last4: card.last4, exp_month: card.exp_month, exp_year: card.exp_year },
      enabled,
      threshold: threshold.kind === 'days' ? threshold : { kind: 'amount', amount: threshold.amount.toWire() },
      amount_cents: amountCents,
      month_cap_cents: monthCapCents,
      month_used_cents: monthCents(attempts, at),
      off_reason: (settings?.offReason ?? null) as TopUpOffReason | null,
      last: last === undefined ? null : lastAnswer(last),
    };
  }
}

const lastAnswer = ({ status, cents, at }: TopUpAttempt): NonNullable<AutomaticTopUpAnswer['last']> => ({
  status: status === 'unknown' ? 'failed' : status,
  amount_cents: cents,
  at: iso(at),
});

function refuseCard(card: CardRow | null, at: Instant): void {
  if (card === null) throw new DomainError('AUTOMATIC_TOP_UP_STATE', ORDER_MESSAGES.card_missing);
  if (hasExpired({ expMonth: card.exp_month, expYear: card.exp_year }, at))
    throw new DomainError('AUTOMATIC_TOP_UP_STATE', ORDER_MESSAGES.card_expired);
}

const settingsOf = ({ enabled, threshold, amount_cents, month_cap_cents }: AutomaticTopUpSettings): AutomaticTopUp => ({
  enabled,
  threshold: threshold.kind === 'days' ? threshold : { kind: 'amount', amount: Money.of(threshold.amount) },
  amountCents: amount_cents,
  monthCapCents: month_cap_cents,
});

function isSame(before: AutomaticTopUp, wanted: AutomaticTopUp): boolean {
  const figures = ({ enabled, threshold, amountCents, monthCapCents }: AutomaticTopUp): string =>
    [enabled, ...columnsOf(threshold), amountCents, monthCapCents].join();
  return figures(before) === figures(wanted);
}

const columnsOf = (threshold: AutomaticTopUp['threshold']): [micros: bigint | null, days: number | null] =>
  threshold.kind === 'amount' ? [threshold.amount.micros, null] : [null, threshold.days];

/** Stores the settings and clears the reason why it was disabled, which the user has seen by now. */
async function save(
  tx: Tx,
  { userId, wanted, at }: { userId: number; wanted: AutomaticTopUp; at: Instant },
): Promise<void> {
  await tx.execute(
    `insert into automatic_top_ups
       (user_id, enabled, threshold_micros, threshold_days, amount_cents, month_cap_cents, changed_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (user_id) do update set enabled = excluded.enabled, threshold_micros = excluded.threshold_micros,
       threshold_days = excluded.threshold_days, amount_cents = excluded.amount_cents,
       month_cap_cents = excluded.month_cap_cents, off_reason = null, changed_at = excluded.changed_at`,
    [userId, wanted.enabled, ...columnsOf(wanted.threshold), wanted.amountCents, wanted.monthCapCents, iso(at)],
  );
}
