import type { DeploymentRow, Deployments } from '@moorage/database';
import { type DeploymentStatus, type Instant, STEP_MESSAGES } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { Incidents } from '../incidents/incidents.service';
import { serverGone } from '../server-store/server-store';

/** Statuses in which a server can be lost. In RESTARTING, only after the restart has ended (decisions 22). */
export const LOSABLE: readonly DeploymentStatus[] = ['ACTIVE', 'READY', 'DNS_VALIDATION', 'DNS_FAILED'];

/**
 * Fails the deployment and ends its charges at `billable_to`. Stores its previous status in case the server reappears.
 */
export async function loseServer(
  tx: Tx,
  { deployments, incidents }: { readonly deployments: Deployments; readonly incidents: Incidents },
  row: DeploymentRow,
  { now, billable_to }: { now: Instant; billable_to: Instant },
): Promise<void> {
  await serverGone(tx, row.id, now);
  const finding = { kind: 'server_gone', subject: '', facts: { provider: row.cloud_provider ?? '' } } as const;
  await incidents.begin(tx, row, { finding, at: now });
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

/** Records that a lost server exists again. Returns false if the rows have changed in the meantime. */
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
