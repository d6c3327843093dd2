import type { Credit as StoredCredit, Wallet } from '@moorage/database';
import {
  type Credit,
  type CreditView,
  DomainError,
  type Instant,
  Money,
  ORDER_MESSAGES,
  viewCredit,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';

type CreditRow = Pick<
  StoredCredit,
  | 'id'
  | 'credit_type'
  | 'amount_micros'
  | 'remaining_micros'
  | 'lapsed_micros'
  | 'granted_at'
  | 'expires_at'
  | 'display_currency'
  | 'expired_at'
> &
  Pick<Wallet, 'regular_micros'>;

const SELECT = `select c.*, w.regular_micros from credits c join wallets w on w.user_id = c.user_id`;

/**
 * Maximum number of credits in a list. Accounts have few (a signup credit, a credit as referred user, and a credit per
 * user they referred).
 */
const CREDITS_MAX = 1_000;

/**
 * Lists credits, newest first.
 *
 * @param options `userId` null lists the credits of all accounts. `ids` restricts the list to these credits.
 */
export async function listCredits(
  tx: Tx,
  { userId, at, ids }: { userId: number | null; at: Instant; ids?: readonly number[] },
): Promise<CreditView[]> {
  const rows = await tx.query<CreditRow>(
    `${SELECT} where ($1::integer is null or c.user_id = $1) and ($2::integer[] is null or c.id = any ($2))
     order by c.id desc limit ${CREDITS_MAX}`,
    [userId, ids === undefined ? null : [...ids]],
  );
  return rows.map((row) => toView(row, at));
}

/**
 * Returns a credit as it is at the time `at`.
 *
 * @throws DomainError NOT_FOUND when there is no such credit.
 */
export async function creditView(tx: Tx, { creditId, at }: { creditId: number; at: Instant }): Promise<CreditView> {
  const [row] = await tx.query<CreditRow>(`${SELECT} where c.id = $1`, [creditId]);
  if (row === undefined) throw new DomainError('NOT_FOUND', ORDER_MESSAGES.credit_unknown);
  return toView(row, at);
}

function toView(row: CreditRow, at: Instant): CreditView {
  const credit: Credit & Pick<CreditView, 'grantedAt' | 'displayCurrency'> = {
    id: row.id,
    creditType: row.credit_type,
    amount: Money.fromMicrosText(row.amount_micros),
    remaining: Money.fromMicrosText(row.remaining_micros),
    lapsed: Money.fromMicrosText(row.lapsed_micros),
    grantedAt: row.granted_at,
    displayCurrency: row.display_currency,
    expiresAt: row.expires_at,
    expired: row.expired_at !== null,
  };
  return viewCredit(credit, { regular: Money.fromMicrosText(row.regular_micros), at });
}
