import { CONSTANTS } from '@moorage/domain';
import type { SqlValue, Tx } from '@moorage/server';
import type { Reply } from './call-input';

/** How many rows a list has (decisions 28). */
export interface Counted {
  readonly total: number;
  /** More than 10 000: the planner's guess. */
  readonly estimated: boolean;
}

/** Exact to 10 000, beyond it what the planner guesses: counting never reads a table to its end. `from`: everything behind FROM. */
export async function countRows(tx: Tx, from: string, params: readonly SqlValue[]): Promise<Counted> {
  const most = CONSTANTS.pagedRowsMax;
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from (select 1 from ${from} limit ${most + 1}) counted`,
    params,
  );
  const exact = row?.count ?? 0;
  if (exact <= most) return { total: exact, estimated: false };
  const [plan] = await tx.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `explain (format json) select 1 from ${from}`,
    params,
  );
  return { total: Math.max(most + 1, plan?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0), estimated: true };
}

export function setTotalCount({ total, estimated }: Counted, reply: Reply): void {
  reply.header('x-total-count', String(total));
  if (estimated) reply.header('x-total-count-estimated', 'true');
}
