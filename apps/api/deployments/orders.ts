import { CONSTANTS, type Instant, iso } from '@moorage/domain';
import type { Tx } from '@moorage/server';

/** The deployment of the same order: without an Idempotency-Key an order is recognised by its client_id for a minute (decisions 29). */
export async function findSameOrder(
  tx: Tx,
  { userId, clientId, at }: { userId: number; clientId: string | null; at: Instant },
): Promise<number | null> {
  if (clientId === null) return null;
  const [first] = await tx.query<{ id: number }>(
    `select id from deployments where user_id = $1 and client_id = $2 and created_at > $3 and status <> 'DELETED' order by id limit 1`,
    [userId, clientId, iso(at - CONSTANTS.sameOrderMs)],
  );
  return first?.id ?? null;
}
