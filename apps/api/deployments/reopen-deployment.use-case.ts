import { type DeploymentAnswer, DEPLOYMENTS_CALLS } from '@moorage/contracts';
import { Deployments } from '@moorage/database';
import { DomainError, mayReturn, ORDER_MESSAGES } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Idempotency } from '../http/idempotency.service';
import { usersRepository } from '../users-store/users.repository';
import { DeploymentActs } from './deployment-acts.service';
import { DeploymentAnswers } from './deployment-answers.service';
import { notFound, ownerOf, type Viewer } from './deployment-view';

@Injectable()
export class ReopenDeployment {
  constructor(
    private readonly acts: DeploymentActs,
    private readonly ledger: Ledger,
    private readonly deployments: Deployments,
    private readonly idempotency: Idempotency,
    private readonly answers: DeploymentAnswers,
  ) {}

  /**
   * Returns a deployment to the status it had when its server was lost, after the comparison with the provider has
   * found that server again (decisions 22). For administrators. It costs again from now on, and the time between costs
   * nothing. `key` is the Idempotency-Key header.
   */
  run({
    viewer,
    id,
    reason,
    key,
  }: {
    viewer: Viewer;
    id: number;
    reason: string;
    key: string | null;
  }): Promise<DeploymentAnswer> {
    const call = DEPLOYMENTS_CALLS.reopen;
    const what = [call.method, call.path, { id, reason }];
    const request = this.idempotency.keyed({ userId: viewer.userId, key, call, what });
    return this.idempotency.tx('deployments.reopen', request, async (tx, at) => {
      const userId = await ownerOf(tx, id, viewer);
      // The wallet's lock always comes first. Amounts due by now may still shorten the interval that is to continue.
      await this.ledger.settleAccount(tx, { userId, at });
      await refuseDeactivated(tx, userId);
      const row = await this.deployments.lock(tx, id);
      if (row === null || row.status === 'DELETED') throw notFound();
      const to = row.lost_from;
      if (to === null || !mayReturn(row, to)) throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.not_lost);
      if (!row.server_exists) throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.not_found_again);
      const { charged } = await this.ledger.reopen(tx, {
        userId,
        deploymentId: id,
        actorUserId: viewer.userId,
        at,
        cause: request?.cause,
      });
      const changes = { failure: null, destroy_reason: null, lost_from: null };
      const after = await this.deployments.move(tx, row, { to, by: 'api', at, changes });
      const facts = { reason, to, charged_micros: charged.micros.toString(), version: after.version };
      await this.acts.begin(tx, { id, viewer, action: 'deployment.reopened', facts, reason });
      return this.answers.read(tx, id, viewer);
    });
  }
}

/**
 * Throws for a deactivated account. Deactivation acquires the wallet's lock first, as the caller has done, so the
 * account cannot change after it is read.
 */
export async function refuseDeactivated(tx: Tx, userId: number): Promise<void> {
  const isActive = await usersRepository.exists(tx, userId, { state: 'active' });
  if (!isActive) throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.reopen_deactivated);
}
