import { DeploymentReachability } from '@moorage/database';
import { type Instant, iso } from '@moorage/domain';
import type { Tx } from '@moorage/server';

/** Column of `reachability` with the time of the next check of a kind. */
type DueColumn = keyof DeploymentReachability & ('due_at' | 'host_due_at' | 'names_due_at');

/** Claims up to `most` due deployments until `until`, after which they are due again as if they had not been checked. */
export async function claimDue(
  tx: Tx,
  { column, most, now, until }: { column: DueColumn; most: number; now: Instant; until: Instant },
): Promise<number[]> {
  const rows = await tx.query<{ deployment_id: number }>(
    `update reachability set ${column} = $2 where deployment_id = any(array(
       select deployment_id from reachability where ${column} <= $1 order by ${column} limit $3 for update skip locked
     )) returning deployment_id`,
    [iso(now), iso(until), most],
  );
  return rows.map(({ deployment_id }) => deployment_id);
}

/** Calls `act` for each item, at most `limit` at a time. */
export async function concurrently<Item>(
  items: readonly Item[],
  limit: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
