import { CONSTANTS } from '@moorage/domain';
import type { Reads, SqlValue } from '@moorage/server';
import type { Reply } from './call-input';

/** Number of rows in a list (decisions 28). */
export interface Counted {
  readonly total: number;
  /** True if the total is an estimate of the planner, which is used above 10 000 rows. */
  readonly estimated: boolean;
}

/**
 * Counts exactly up to 10 000 rows and returns the planner's estimate above that, so that counting never scans a whole
 * table. `from` is everything after FROM.
 */
export async function countRows(
  reads: Pick<Reads, 'query'>,
  from: string,
  params: readonly SqlValue[],
): Promise<Counted> {
  const most = CONSTANTS.pagedRowsMax;
  const [row] = await reads.query<{ count: number }>(
    `select count(*)::int as count from (select 1 from ${from} limit ${most + 1}) counted`,
    params,
  );
  const exact = row?.count ?? 0;
  if (exact <= most) return { total: exact, estimated: false };
  const [plan] = await reads.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `explain (format json) select 1 from ${from}`,
    params,
  );
  return { total: Math.max(most + 1, plan?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0), estimated: true };
}

export function setTotalCount({ total, estimated }: Counted, reply: Reply): void {
  reply.header('x-total-count', String(total));
  if (estimated) reply.header('x-total-count-estimated', 'true');
}
