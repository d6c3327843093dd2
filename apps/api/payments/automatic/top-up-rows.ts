import {
  type AutomaticTopUp,
  DAY_MS,
  type Instant,
  iso,
  Money,
  startOfMonth,
  type TopUpAttempt,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';

export interface CardRow {
  readonly customer: string;
  readonly payment_method: string;
  readonly brand: string;
  readonly last4: string;
  readonly exp_month: number;
  readonly exp_year: number;
  /** The time of the payment that the card was saved with. */
  readonly saved_at: Instant;
}

interface SettingsRow {
  readonly enabled: boolean;
  readonly threshold_micros: string | null;
  readonly threshold_days: number | null;
  readonly amount_cents: number;
  readonly month_cap_cents: number;
  readonly off_reason: string | null;
}

export type AttemptRow = TopUpAttempt & {
  readonly id: string;
  /** The time of the last request to the provider about this attempt. */
  readonly requestedAt: Instant;
  /** The provider's customer to charge, or null if an older version began the attempt. */
  readonly customer: string | null;
};

/** Returns the stored card. A card of the other mode, test or live, does not count. */
export async function readCard(
  tx: Tx,
  { userId, testMode }: { userId: number; testMode: boolean },
): Promise<CardRow | null> {
  const [row] = await tx.query<CardRow>(
    `select customer, payment_method, brand, last4, exp_month, exp_year, saved_at from saved_cards
     where user_id = $1 and test_mode = $2`,
    [userId, testMode],
  );
  return row ?? null;
}

/** Returns the settings, or null if they were never set. */
export async function readSettings(
  tx: Tx,
  userId: number,
): Promise<(AutomaticTopUp & { readonly offReason: string | null }) | null> {
  const [row] = await tx.query<SettingsRow>(
    `select enabled, threshold_micros, threshold_days, amount_cents, month_cap_cents, off_reason from automatic_top_ups
     where user_id = $1`,
    [userId],
  );
  if (row === undefined) return null;
  return {
    enabled: row.enabled,
    threshold:
      row.threshold_micros === null
        ? { kind: 'days', days: row.threshold_days ?? 0 }
        : { kind: 'amount', amount: Money.fromMicrosText(row.threshold_micros) },
    amountCents: row.amount_cents,
    monthCapCents: row.month_cap_cents,
    offReason: row.off_reason,
  };
}

/** Returns the attempts that the limits count, the open one and the newest. The newest comes first. */
export async function readAttempts(
  tx: Tx,
  { userId, at }: { userId: number; at: Instant },
): Promise<readonly AttemptRow[]> {
  const rows = await tx.query<{
    id: string;
    status: 'open' | 'paid' | 'failed';
    amount_cents: number;
    created_at: Instant;
    asked_at: Instant | null;
    failure: string | null;
    customer: string | null;
  }>(
    `select id, status, failure, amount_cents, created_at, asked_at, customer from checkout_sessions
     where user_id = $1 and kind = 'automatic' and (created_at >= $2 or status = 'open'
       or created_at = (select max(created_at) from checkout_sessions where user_id = $1 and kind = 'automatic'))
     order by created_at desc`,
    [userId, iso(Math.min(startOfMonth(at), at - DAY_MS))],
  );
  return rows.map((row) => ({
    id: row.id,
    at: row.created_at,
    status: isUnknown(row) ? 'unknown' : row.status,
    cents: row.amount_cents,
    requestedAt: row.asked_at ?? row.created_at,
    customer: row.customer,
  }));
}

/**
 * Returns true if the provider never responded, or could not be called because an older version did not store the
 * customer.
 */
function isUnknown({ failure, customer }: { failure: string | null; customer: string | null }): boolean {
  return failure === 'unresolved' || (failure === 'card_removed' && customer === null);
}
