import type { Deployments } from '@moorage/database';
import type { Envelope } from '@moorage/messaging';
import type { ProductEventHandlers } from '@moorage/runtime';
import type { Clock, Tx } from '@moorage/server';
import type { Endings } from './endings';

/**
 * Every event that may call for a run leads to the same look at the deployment's row: what it says now counts, not what
 * was true when the event was written. So duplicates, replays and late events are harmless.
 */
export function createRunHandlers({
  clock,
  deployments,
  endings,
}: {
  clock: Clock;
  deployments: Deployments;
  endings: Endings;
}): ProductEventHandlers {
  const tend = async (tx: Tx, { data }: Envelope<{ deployment_id: number }>): Promise<void> => {
    const row = await deployments.lock(tx, data.deployment_id);
    if (row !== null) await endings.tend(tx, row, await clock.now(tx));
  };
  return {
    'deployment.created': tend,
    'deployment.deletion_requested': tend,
    'deployment.restart_requested': tend,
    'deployment.dns_retry_requested': tend,
    'deployment.status_changed': tend,
    'balance.depleted': tend,
  };
}
