import type { Money } from '../money';
import { type Day, type Instant, iso } from '../time';
import type { CreditType } from './credit';
import { LEDGER_TEXTS } from '../messages/ledger';
import { formatMessage } from '../messages/message';

/** Types of ledger transactions with their display names (decision 1). */
export const TRANSACTION_TYPES = {
  payment: 'Top-up',
  charge: 'Daily charge',
  rerate: 'Price change',
  refund: 'Refund of hours left',
  credit_granted: 'Credit granted',
  credit_expired: 'Credit ended',
  credit_adjusted: 'Credit adjusted',
  adjustment: 'Adjustment',
  payment_refund: 'Payment refunded',
  refund_failed: 'Refund came back',
  dispute: 'Payment disputed',
  dispute_won: 'Dispute won',
  owed_paid: 'Amount owed paid',
} as const;
export type TransactionType = keyof typeof TRANSACTION_TYPES;

/** Movements of money between a card and the balance. */
export const CARD_MOVEMENTS = [
  'payment',
  'payment_refund',
  'refund_failed',
  'dispute',
  'dispute_won',
] as const satisfies readonly TransactionType[];
export type CardMovement = (typeof CARD_MOVEMENTS)[number];

/** Groups of transactions by which their list is filtered. Each type is in exactly one. */
export const TRANSACTION_GROUPS = {
  charges: ['charge', 'rerate', 'refund'],
  payments: ['payment', 'adjustment', 'payment_refund', 'refund_failed', 'dispute', 'dispute_won', 'owed_paid'],
  credits: ['credit_granted', 'credit_expired', 'credit_adjusted'],
} as const satisfies Record<string, readonly TransactionType[]>;
export type TransactionGroup = keyof typeof TRANSACTION_GROUPS;
export const TRANSACTION_GROUP_NAMES = ['charges', 'payments', 'credits'] as const satisfies TransactionGroup[];

/** Formats an instant as `2026-12-01 20:00 UTC`, with seconds and milliseconds only if they are not zero. */
function instantText(at: Instant): string {
  const [day = '', time = ''] = iso(at).replace('Z', '').split('T');
  return `${day} ${time.replace(/(:00)?\.000$/, '')} UTC`;
}

/**
 * Descriptions of ledger rows. They name a deployment by its number, because rows are immutable, while a name may
 * contain a domain or a person's name that an erasure has to remove. The daily charge run creates the description of a
 * charge in SQL. A test keeps both equal.
 */
export const SENTENCES = {
  payment: () => LEDGER_TEXTS.payment,
  charge: ({ id, day, hours }: { id: number; day: Day; hours: number }) =>
    hours === 1
      ? formatMessage(LEDGER_TEXTS.charge_hour, { id, day })
      : formatMessage(LEDGER_TEXTS.charge_hours, { id, day, hours }),
  rerate: ({ id, day }: { id: number; day: Day }) => formatMessage(LEDGER_TEXTS.rerate, { id, day }),
  /** Description of a `rerate` row after the server of a lost deployment was found again. */
  reopened: ({ id, day }: { id: number; day: Day }) => formatMessage(LEDGER_TEXTS.reopened, { id, day }),
  /** Description of a `rerate` row after the server got another size. */
  resized: ({ id, day }: { id: number; day: Day }) => formatMessage(LEDGER_TEXTS.resized, { id, day }),
  /** Description of a `rerate` row after the delete of a deployment was undone. */
  restored: ({ id, day }: { id: number; day: Day }) => formatMessage(LEDGER_TEXTS.restored, { id, day }),
  refund: ({ id, day, lapses }: { id: number; day: Day; lapses: readonly Lapse[] }) =>
    [formatMessage(LEDGER_TEXTS.refund, { id, day }), ...lapses.map(lapseText)].join('. '),
  credit_granted: (creditType: CreditType) =>
    creditType === 'signup' ? LEDGER_TEXTS.granted_signup : LEDGER_TEXTS.granted_referral,
  credit_expired: (creditType: CreditType) =>
    creditType === 'signup' ? LEDGER_TEXTS.ended_signup : LEDGER_TEXTS.ended_referral,
  credit_adjusted: (creditType: CreditType) =>
    creditType === 'signup' ? LEDGER_TEXTS.adjusted_signup : LEDGER_TEXTS.adjusted_referral,
  adjustment: () => LEDGER_TEXTS.adjustment,
  payment_refund: () => LEDGER_TEXTS.payment_refund,
  refund_failed: () => LEDGER_TEXTS.refund_failed,
  dispute: () => LEDGER_TEXTS.dispute,
  dispute_won: () => LEDGER_TEXTS.dispute_won,
  owed_paid: () => LEDGER_TEXTS.owed_paid,
} as const;

/** Returns the description that an administrator entered for an adjustment, or null if it is the default text. */
export const ownMessage = (type: TransactionType, description: string): string | null =>
  type === 'adjustment' && description !== SENTENCES.adjustment() ? description : null;

/** Amount that a refund could not return, because its credit had ended. */
export interface Lapse {
  readonly amount: Money;
  readonly endedAt: Instant;
}

function lapseText({ amount, endedAt }: Lapse): string {
  return formatMessage(LEDGER_TEXTS.lapsed, { amount: amount.toDecimal(), instant: instantText(endedAt) });
}
