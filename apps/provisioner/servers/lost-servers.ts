import type { DeploymentRow, Deployments } from '@moorage/database';
import { type DeploymentStatus, type Instant, STEP_MESSAGES } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { serverGone } from './servers';

/** A server is missed only in these; in RESTARTING after the restart has returned (decisions 22). */
export const LOSABLE: readonly DeploymentStatus[] = ['ACTIVE', 'READY', 'DNS_VALIDATION', 'DNS_FAILED'];

/** The deployment fails and costs nothing from `billable_to` on; it remembers where it was, should the server come back. */
export async function loseServer(
  tx: Tx,
  deployments: Deployments,
  row: DeploymentRow,
  { now, billable_to }: { now: Instant; billable_to: Instant },
): Promise<void> {
  await serverGone(tx, row.id, now);
  await deployments.move(tx, row, {
    to: 'FAILED',
    by: 'provisioner',
    at: now,
    changes: {
      failure: STEP_MESSAGES.server_lost,
      destroy_reason: 'failed',
      server_exists: false,
      lost_from: row.status,
      billable_to,
    },
  });
}

/** The server that was called lost is there: our rows know it again. False: they say otherwise by now. */
export async function readoptServer(tx: Tx, deploymentId: number, serverId: string): Promise<boolean> {
  const written = await tx.execute(
    `update servers s set state = 'exists', gone_at = null, missed_at = null, lost_seen_at = null
     from deployments d
     where d.id = s.deployment_id and s.deployment_id = $1 and s.provider_server_id = $2 and s.state = 'gone'
       and d.status = 'FAILED' and d.lost_from is not null`,
    [deploymentId, serverId],
  );
  return written > 0;
}
