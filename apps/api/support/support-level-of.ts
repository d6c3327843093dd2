import { ACTIVE_DEPLOYMENT, type SupportLevel } from '@moorage/domain';
import type { Tx } from '@moorage/server';

const ACTIVE = ACTIVE_DEPLOYMENT.map((status) => `'${status}'`).join(', ');
/** SQL condition for deployments that need no support any more and cost nothing. */
const GONE = `status in ('DESTROYED', 'DELETED') or (status = 'FAILED' and not server_exists)`;
const LEVEL = `
select coalesce(
  (select support_level from deployments where id = $2 and not (${GONE})),
  (select max(support_level) from deployments where user_id = $1 and status in (${ACTIVE})),
  1) as level`;

/**
 * Returns the level of the deployment that a message is about while it exists, otherwise the highest level among the
 * account's running deployments. Visitors have level 1.
 */
export async function supportLevelOf(
  tx: Tx,
  { userId, deploymentId }: { userId: number | null; deploymentId: number | null },
): Promise<SupportLevel> {
  const [row] = await tx.query<{ level: SupportLevel }>(LEVEL, [userId, deploymentId]);
  return row?.level ?? 1;
}
