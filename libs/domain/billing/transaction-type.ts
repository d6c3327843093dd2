import type { Money } from '../money';
import { type Day, type Instant, iso } from '../time';
import type { CreditType } from './credit';

/** The kinds of ledger transactions and their names on screens (decisions 1). */
export const TRANSACTION_TYPES = {
  payment: 'Top-up',
  charge: 'Daily charge',
  rerate: 'Level change',
  refund: 'Refund of hours left',
  credit_granted: 'Credit granted',
  credit_expired: 'Credit ended',
  credit_adjusted: 'Credit adjusted',
  adjustment: 'Adjustment',
  payment_refund: 'Payment refunded',
  dispute: 'Payment disputed',
  dispute_won: 'Dispute won',
  owed_paid: 'Amount owed paid',
} as const;
export type TransactionType = keyof typeof TRANSACTION_TYPES;

const CREDIT_NAMES: Readonly<Record<CreditType, string>> = {
  signup: 'Signup credit',
  referrer: 'Referral credit',
  referred: 'Referral credit',
};

const hoursText = (hours: number): string => (hours === 1 ? '1 hour' : `${hours} hours`);

/** `2026-12-01 20:00 UTC`, with seconds and milliseconds only where they are not zero. */
function instantText(at: Instant): string {
  const [day = '', time = ''] = iso(at).replace('Z', '').split('T');
  return `${day} ${time.replace(/(:00)?\.000$/, '')} UTC`;
}

/** What a row says. The daily run writes the same sentence for a charge in SQL; a test holds the two equal. */
export const SENTENCES = {
  payment: () => 'Top-up',
  charge: ({ clientName, day, hours }: { clientName: string; day: Day; hours: number }) =>
    `${clientName}: ${hoursText(hours)} on ${day}`,
  rerate: ({ clientName, day }: { clientName: string; day: Day }) =>
    `${clientName}: the rest of ${day} at the new level's price`,
  refund: ({ clientName, day, lapses }: { clientName: string; day: Day; lapses: readonly Lapse[] }) =>
    `${clientName}: hours left of ${day}${lapses.map(lapseText).join('')}`,
  credit_granted: (creditType: CreditType) => `${CREDIT_NAMES[creditType]} for 30 days`,
  credit_expired: (creditType: CreditType) => `${CREDIT_NAMES[creditType]} ended`,
  credit_adjusted: (creditType: CreditType) => `${CREDIT_NAMES[creditType]} adjusted by support`,
  adjustment: () => 'Balance adjusted by support',
  payment_refund: () => 'Payment refunded to you',
  dispute: () => 'Payment disputed at the bank',
  dispute_won: () => 'Dispute settled: the payment is back',
  owed_paid: () => 'Paid what was owed',
} as const;

/** What a refund could not return, because the credit it belongs to had ended. */
export interface Lapse {
  readonly amount: Money;
  readonly endedAt: Instant;
}

function lapseText({ amount, endedAt }: Lapse): string {
  return `. ${amount.toDecimal()} would have gone back to a credit that ended ${instantText(endedAt)}`;
}
