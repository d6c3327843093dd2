import type { Day, Instant, Bucket, TransactionType } from '@moorage/domain';
import type { TestDatabase } from '@moorage/testing';
import type { Recorded } from './runner';

/** Account to read, and the mapping of database ids to the ids in a scenario. */
interface Reader {
  readonly userId: number;
  readonly mark: bigint;
  readonly creditIds: ReadonlyMap<number, number>;
  readonly numberOf: (deploymentId: number) => number;
}

interface Row {
  readonly type: TransactionType;
  readonly due_at: Instant;
  readonly deployment_id: number | null;
  readonly charged_on: Day | null;
  readonly description: string;
  readonly amount_micros: string;
  readonly lines: readonly { ledger_account: Bucket; credit_id: number | null; micros: string }[];
}

/** Returns what was written after the scenario began, in the order of writing. */
export async function recordedOf(database: TestDatabase, reader: Reader): Promise<readonly Recorded[]> {
  const numbers = new Map([...reader.creditIds].map(([n, id]) => [id, n]));
  const rows = await database.sql<Row>(
    `select t.type, t.due_at, t.deployment_id, t.charged_on, t.description, t.amount_micros,
       (select json_agg(json_build_object('ledger_account', l.ledger_account, 'credit_id', l.credit_id, 'micros', l.amount_micros::text) order by l.line_no)
          from ledger_lines l where l.transaction_id = t.id) as lines
     from ledger_transactions t where t.user_id = $1 and t.id > $2 and t.type <> 'credit_granted' order by t.id`,
    [reader.userId, reader.mark.toString()],
  );
  return rows.map((row) => ({
    type: row.type,
    at: row.due_at,
    id: row.deployment_id === null ? null : reader.numberOf(row.deployment_id),
    on: row.charged_on,
    description: row.description,
    lines: row.lines.map(({ ledger_account, credit_id, micros }) => ({
      bucket: ledger_account,
      credit: credit_id === null ? null : (numbers.get(credit_id) ?? -1),
      micros: BigInt(micros),
    })),
  }));
}

/** Returns intervals that ended because the balance ran out. */
export async function depletionsOf(
  database: TestDatabase,
  { userId, numberOf }: Reader,
): Promise<readonly { id: number; at: Instant }[]> {
  const rows = await database.sql<{ id: number; billable_to: Instant }>(
    `select id, billable_to from deployments where user_id = $1 and destroy_reason = 'depleted' order by billable_to, id`,
    [userId],
  );
  return rows.map(({ id, billable_to }) => ({ id: numberOf(id), at: billable_to }));
}
