import {
  countedEarlier,
  type Instant,
  iso,
  Money,
  type Movement,
  type MovementKind,
  postMovement,
  postPayment,
  shareOfMovement,
  takesMoney,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { loadAccount } from './account-store';
import type { Postings } from './postings';
import { saveFirstPayment } from './save-account';
import type { EarlierMovements, MovementFacts, NewMovement, PaymentFacts } from './types';

/** Posts payments, and the refunds and disputes that move their money afterwards. */
export class Payments {
  constructor(private readonly postings: Postings) {}

  async recordPayment(
    tx: Tx,
    { userId, amount, cause, at }: PaymentFacts,
  ): Promise<{ posted: boolean; owedPaid: Money }> {
    if (!amount.isPositive) throw new RangeError(`payment must be positive, got ${amount.toString()}`);
    const loaded = await loadAccount(tx, userId);
    if (await isPosted(tx, 'payment', cause)) return { posted: false, owedPaid: Money.ZERO };
    const posting = postPayment(loaded.account, { amount, at });
    await saveFirstPayment(tx, loaded, at);
    await this.postings.post(tx, loaded, posting, { at, cause });
    return { posted: true, owedPaid: posting.after.owed.minus(loaded.account.owed) };
  }

  async recordMovement(
    tx: Tx,
    { userId, paymentIntent, paid, movement, at }: NewMovement,
  ): Promise<{ fresh: boolean; posted: Money; owed: Money }> {
    const loaded = await loadAccount(tx, userId);
    const { before, borne, isKnown } = await movementsOf(tx, { paymentIntent, id: movement.id });
    if (isKnown) return { fresh: false, posted: Money.ZERO, owed: Money.ZERO };
    const amount = shareOfMovement(movement, { paid, before, borne });
    await rememberMovement(tx, { paymentIntent, movement, posted: amount, at });
    if (amount.isZero) return { fresh: true, posted: Money.ZERO, owed: Money.ZERO };
    const posting = postMovement(loaded.account, { kind: movement.kind, amount, at });
    await this.postings.post(tx, loaded, posting, { at, cause: movement.id });
    const owed = Money.max(Money.ZERO, loaded.account.owed.minus(posting.after.owed));
    return { fresh: true, posted: amount, owed };
  }

  async adoptMovements(
    tx: Tx,
    { userId, paymentIntent, paid, movements, at }: EarlierMovements,
  ): Promise<ReadonlySet<string>> {
    await loadAccount(tx, userId);
    const { before, borne, isOfEarlierVersion } = await movementsOf(tx, { paymentIntent, id: '' });
    if (!isOfEarlierVersion || before.length > 0) return new Set();
    const adopted = movements.slice(0, countedEarlier(movements, { paid, borne }));
    for (const movement of adopted) await rememberMovement(tx, { paymentIntent, movement, posted: Money.ZERO, at });
    return new Set(adopted.map(({ id }) => id));
  }
}

/**
 * Checks whether a cause was posted. The caller holds the wallet's lock, so the second of two deliveries sees the
 * first.
 */
async function isPosted(tx: Tx, type: string, cause: string): Promise<boolean> {
  const rows = await tx.query('select 1 from ledger_transactions where type = $1 and cause = $2', [type, cause]);
  return rows.length > 0;
}

/**
 * Reads the movements of a payment. The caller holds the wallet's lock. `before` is what the provider moved, and
 * `borne` is the part that the account bears.
 */
async function movementsOf(
  tx: Tx,
  { paymentIntent, id }: { paymentIntent: string; id: string },
): Promise<{ before: readonly Movement[]; borne: Money; isKnown: boolean; isOfEarlierVersion: boolean }> {
  const rows = await tx.query<{ id: string; kind: MovementKind; amount_micros: string; posted_micros: string }>(
    'select id, kind, amount_micros, posted_micros from payment_movements where payment_intent = $1',
    [paymentIntent],
  );
  // Row of an earlier version that stored a single total for each payment and kind.
  const older = await tx.query<{ withdrawn_micros: string }>(
    'select withdrawn_micros from payment_withdrawals where payment_intent = $1',
    [paymentIntent],
  );
  const posted = rows.map(({ kind, posted_micros }) => {
    const amount = Money.fromMicrosText(posted_micros);
    return takesMoney(kind) ? amount : amount.negated();
  });
  return {
    before: rows.map(({ kind, amount_micros }) => ({ kind, amount: Money.fromMicrosText(amount_micros) })),
    borne: Money.sum([...posted, ...older.map((row) => Money.fromMicrosText(row.withdrawn_micros))]),
    isKnown: rows.some((row) => row.id === id),
    isOfEarlierVersion: older.length > 0,
  };
}

async function rememberMovement(
  tx: Tx,
  what: { paymentIntent: string; movement: MovementFacts; posted: Money; at: Instant },
): Promise<void> {
  const { paymentIntent, movement, posted, at } = what;
  await tx.execute(
    `insert into payment_movements
       (id, reversal_id, payment_intent, kind, amount_micros, posted_micros, fee_micros, created_at, posted_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      movement.id,
      movement.reversalId,
      paymentIntent,
      movement.kind,
      movement.amount.micros,
      posted.micros,
      movement.fee.micros,
      iso(movement.movedAt),
      iso(at),
    ],
  );
}
