import type { Deployment } from '@moorage/database';
import { CONSTANTS, type Instant, iso } from '@moorage/domain';
import type { Tx } from '@moorage/server';

/**
 * Returns the deployment of the same order. Without an Idempotency-Key, an order is recognised by its client_id for a
 * minute (decisions 29). `after` restricts the search to deployments with a higher id.
 */
export async function findSameOrder(
  tx: Tx,
  { userId, clientId, at, after = 0 }: { userId: number; clientId: string | null; at: Instant; after?: number },
): Promise<number | null> {
  if (clientId === null) return null;
  const [first] = await tx.query<Pick<Deployment, 'id'>>(
    `select id from deployments where user_id = $1 and client_id = $2 and created_at > $3 and id > $4 and status <> 'DELETED' order by id limit 1`,
    [userId, clientId, iso(at - CONSTANTS.sameOrderMs), after],
  );
  return first?.id ?? null;
}
