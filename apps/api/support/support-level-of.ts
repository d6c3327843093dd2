import { ACTIVE_DEPLOYMENT, type SupportLevel } from '@moorage/domain';
import type { Tx } from '@moorage/server';

const ACTIVE = ACTIVE_DEPLOYMENT.map((status) => `'${status}'`).join(', ');
const LEVEL = `
select coalesce(
  (select support_level from deployments where id = $2),
  (select max(support_level) from deployments where user_id = $1 and status in (${ACTIVE})),
  1) as level`;

/** The level of the deployment that a message is about; without one the highest of what the account runs. A visitor has 1. */
export async function supportLevelOf(
  tx: Tx,
  { userId, deploymentId }: { userId: number | null; deploymentId: number | null },
): Promise<SupportLevel> {
  const [row] = await tx.query<{ level: SupportLevel }>(LEVEL, [userId, deploymentId]);
  return row?.level ?? 1;
}
