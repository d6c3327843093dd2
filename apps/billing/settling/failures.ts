import { dayOf, type Instant, iso } from '@moorage/domain';
import { errorName } from '@moorage/messaging';
import type { Tx } from '@moorage/server';

/**
 * Records accounts that could not be settled. The nightly audit exempts only them from invariants that require
 * everything due to be settled. The row is deleted in the transaction that settles the account.
 */
export async function recordFailure(
  tx: Tx,
  { userId, error, at }: { userId: number; error: unknown; at: Instant },
): Promise<void> {
  await tx.execute(RECORD, [userId, errorName(error), iso(at), dayOf(at)]);
}

export async function clearFailure(tx: Tx, userId: number): Promise<void> {
  await tx.execute('delete from billing_failures where user_id = $1', [userId]);
}

/** Everything before the first failure stays proven, up to the last finished daily run. */
const RECORD = `
insert into billing_failures as f (user_id, day, code, first_failed_at, failed_at)
values ($1, coalesce((select max(day) + 1 from billing_runs where finished_at is not null and day <= $4::date), $4::date), $2, $3, $3)
on conflict (user_id) do update set code = excluded.code, failed_at = excluded.failed_at, tries = f.tries + 1`;
