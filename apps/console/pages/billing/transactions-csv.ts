import { csvText } from '../../ui/csv';
import type { Transaction } from '../../parts/money/transaction-messages';

const HEADER = ['date', 'time_utc', 'id', 'type', 'description', 'deployment_id', 'amount_usd'];

/** Exports every transaction, newest first, with six decimals per amount. */
export function csvOf(transactions: readonly Transaction[]): string {
  return csvText(
    HEADER,
    transactions.map(({ created_at: at, id, type, description, deployment_id: deployment, amount }) => [
      at.slice(0, 10),
      at.slice(11, 19),
      String(id),
      type,
      { text: description },
      deployment === null ? '' : String(deployment),
      amount.toFixed(6),
    ]),
  );
}
