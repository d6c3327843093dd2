import type { Wallet } from '@moorage/database';
import { type Instant, iso } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { digestOf } from './chain';
import { adoptedState, writeCheckpoint } from './checkpoints';
import { readHistories } from './history';

/**
 * Accepts and seals the data from before the first seal. Adds missing facts of intervals and credits, and creates the
 * first checkpoint of every account with unhashed transactions. Runs once.
 */
export async function adoptFacts(tx: Tx, at: Instant): Promise<void> {
  await tx.execute(
    `insert into interval_changes (deployment_id, user_id, billable_from, billable_to, actor, reason, written_at)
     select d.id, d.user_id, d.billable_from, d.billable_to, 'unknown', 'before the first seal', $1
     from deployments d
     left join lateral (
       select billable_from, billable_to from interval_changes where deployment_id = d.id order by id desc limit 1
     ) i on true
     where d.billable_from is not null
       and (i.billable_from is distinct from d.billable_from or i.billable_to is distinct from d.billable_to)`,
    [iso(at)],
  );
  await tx.execute(
    `insert into credit_terms (credit_id, user_id, credit_type, amount_micros, expires_at, actor, reason, written_at)
     select c.id, c.user_id, c.credit_type, c.amount_micros, c.expires_at, 'unknown', 'before the first seal', $1
     from credits c where not exists (select from credit_terms t where t.credit_id = c.id)`,
    [iso(at)],
  );
}

const BATCH = 100;

/**
 * Creates checkpoints for a batch of accounts after `afterUser` that have unhashed transactions up to `throughId`.
 * Returns the last account of the batch.
 */
export async function adoptAccounts(
  tx: Tx,
  { throughId, afterUser, at }: { throughId: number; afterUser: number; at: Instant },
): Promise<number | null> {
  const users = await tx.query<Pick<Wallet, 'user_id'>>(
    `select w.user_id from wallets w where w.user_id > $1
       and exists (select from ledger_transactions t where t.user_id = w.user_id and t.hash is null and t.id <= $2)
     order by w.user_id limit ${BATCH}`,
    [afterUser, throughId],
  );
  const histories = await readHistories(
    tx,
    users.map(({ user_id: userId }) => ({ userId, after: 0 })),
  );
  for (const { userId, copies, transactions } of histories) {
    const before = transactions.filter(({ id }) => id <= throughId);
    const hashed = before.filter(({ hash }) => hash !== null);
    await writeCheckpoint(
      tx,
      {
        userId,
        throughId,
        transactions: before.length,
        hash: digestOf(before.filter(({ hash }) => hash === null)),
        head: hashed.at(-1)?.hash ?? null,
        state: adoptedState({ copies, transactions: before }),
      },
      at,
    );
  }
  return users.at(-1)?.user_id ?? null;
}
