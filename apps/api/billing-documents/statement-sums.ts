import {
  type Day,
  endOfCalendarMonth,
  iso,
  type Month,
  startOfCalendarMonth,
  type TransactionType,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { Balances, StatementDocument } from './document-facts';

const SUMS = ['regular', 'credit', 'owed']
  .map(
    (name) => `coalesce(sum(l.amount_micros) filter (where l.ledger_account = '${name}'), 0)::text as ${name}_micros`,
  )
  .join(', ');

/**
 * Returns the balances of an account in the ledger at the start of a month, its postings by day and type, and the
 * balances at the end.
 */
export async function statementSums(
  tx: Tx,
  { userId, month }: { userId: number; month: Month },
): Promise<Pick<StatementDocument, 'opening' | 'rows' | 'closing'>> {
  const from = iso(startOfCalendarMonth(month));
  const to = iso(endOfCalendarMonth(month));
  const [opening] = await tx.query<Balances>(
    `select ${SUMS} from ledger_transactions t join ledger_lines l on l.transaction_id = t.id
     where t.user_id = $1 and t.posted_at < $2`,
    [userId, from],
  );
  if (opening === undefined) throw new Error('the statement sums returned no row');
  const rows = await tx.query<Balances & { day: Day; type: TransactionType; count: number }>(
    `select to_char(t.posted_at at time zone 'UTC', 'YYYY-MM-DD') as day, t.type, count(distinct t.id)::int as count, ${SUMS}
     from ledger_transactions t join ledger_lines l on l.transaction_id = t.id
     where t.user_id = $1 and t.posted_at >= $2 and t.posted_at < $3
     group by 1, 2 order by 1, min(t.id)`,
    [userId, from, to],
  );
  const closing = rows.reduce<Balances>(added, opening);
  return { opening, rows, closing };
}

const added = (a: Balances, b: Balances): Balances => ({
  regular_micros: sum(a.regular_micros, b.regular_micros),
  credit_micros: sum(a.credit_micros, b.credit_micros),
  owed_micros: sum(a.owed_micros, b.owed_micros),
});

const sum = (a: string, b: string): string => (BigInt(a) + BigInt(b)).toString();
