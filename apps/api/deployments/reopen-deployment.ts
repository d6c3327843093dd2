import { type DeploymentAnswer, DEPLOYMENTS_CALLS } from '@moorage/contracts';
import type { Deployments } from '@moorage/database';
import { DomainError, iso, mayReturn, ORDER_WORDS } from '@moorage/domain';
import type { Ledger } from '@moorage/ledger';
import type { Idempotency } from '../http/idempotency';
import { deploymentAnswer, notFound, ownerOf, viewDeployment, type Viewer } from './deployment-view';

/** `key`: the Idempotency-Key header. */
export type ReopenDeployment = (ask: {
  viewer: Viewer;
  id: number;
  reason: string;
  key: string | null;
}) => Promise<DeploymentAnswer>;

export interface ReopenOptions {
  readonly idempotency: Idempotency;
  readonly ledger: Ledger;
  readonly deployments: Deployments;
  readonly sandbox: boolean;
}

/**
 * An administrator puts a deployment back to where it was when its server was lost, once the comparison with the provider
 * has found that server again (decisions 22). It costs again from now on; what lies between cost nothing.
 */
export function createReopenDeployment({ idempotency, ledger, deployments, sandbox }: ReopenOptions): ReopenDeployment {
  return ({ viewer, id, reason, key }) => {
    const call = DEPLOYMENTS_CALLS.reopen;
    const what = [call.method, call.path, { id, reason }];
    const request = idempotency.keyed({ userId: viewer.userId, key, call, what });
    return idempotency.tx('deployments.reopen', request, async (tx, at) => {
      const userId = await ownerOf(tx, id, viewer);
      // the wallet's lock first, everywhere; what is decided is read behind the deployment's
      await ledger.lock(tx, userId);
      const row = await deployments.lock(tx, id);
      if (row === null || row.status === 'DELETED') throw notFound();
      const to = row.lost_from;
      if (to === null || !mayReturn(row, to)) throw new DomainError('DEPLOYMENT_STATE', ORDER_WORDS.not_lost);
      if (!row.server_exists) throw new DomainError('DEPLOYMENT_STATE', ORDER_WORDS.not_found_again);
      const { charged } = await ledger.reopen(tx, {
        userId,
        deploymentId: id,
        actorUserId: viewer.userId,
        at,
        cause: request?.cause,
      });
      const changes = { failure_reason: null, destroy_reason: null, lost_from: null };
      const after = await deployments.move(tx, row, { to, by: 'api', at, changes });
      await tx.execute(
        `insert into audit_records (actor_user_id, action, subject, facts, at) values ($1, 'deployment.reopened', $2, $3, $4)`,
        [
          viewer.userId,
          `deployment:${id}`,
          JSON.stringify({ reason, to, charged_micros: charged.micros.toString(), version: after.version }),
          iso(at),
        ],
      );
      return deploymentAnswer(await viewDeployment(tx, id, viewer), { viewer, sandbox });
    });
  };
}
