import { type Day, type Instant, Money, type TransactionType } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { TransactionDay } from './types';

interface TransactionRow {
  readonly id: string;
  readonly day: Day;
  readonly type: TransactionType;
  readonly description: string;
  readonly amount_micros: string;
  readonly due_at: Instant;
  readonly deployment_id: number | null;
}

const DAY_OF = `(due_at at time zone 'UTC')::date`;

/** One page: `daysPerPage` UTC days that have postings, newest first; within a day newest first too. */
export async function transactionPage(
  tx: Tx,
  { userId, page, daysPerPage }: { userId: number; page: number; daysPerPage: number },
): Promise<{ days: TransactionDay[]; totalPages: number }> {
  const rows = await tx.query<TransactionRow>(
    `with days as (
       select ${DAY_OF} as day from ledger_transactions where user_id = $1 group by 1
     ), page as (
       select day from days order by day desc limit $2 offset $3
     )
     select t.id, ${DAY_OF} as day, t.type, t.description, t.amount_micros, t.due_at, t.deployment_id
     from ledger_transactions t
     where t.user_id = $1 and ${DAY_OF} in (select day from page)
     order by day desc, t.due_at desc, t.id desc`,
    [userId, daysPerPage, (page - 1) * daysPerPage],
  );
  const [count] = await tx.query<{ days: number }>(
    `select count(distinct ${DAY_OF})::int as days from ledger_transactions where user_id = $1`,
    [userId],
  );
  const days: { date: Day; transactions: TransactionDay['transactions'][number][] }[] = [];
  for (const row of rows) {
    if (days.at(-1)?.date !== row.day) days.push({ date: row.day, transactions: [] });
    days.at(-1)?.transactions.push({
      id: Number(row.id),
      type: row.type,
      description: row.description,
      amount: Money.fromMicrosText(row.amount_micros),
      at: row.due_at,
      deploymentId: row.deployment_id,
    });
  }
  return { days, totalPages: Math.max(1, Math.ceil((count?.days ?? 0) / daysPerPage)) };
}
