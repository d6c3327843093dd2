import { type DeploymentAnswer, DEPLOYMENTS_CALLS, type RetryOrder } from '@moorage/contracts';
import { Deployments } from '@moorage/database';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { Idempotency } from '../http/idempotency.service';
import { DeploymentActs } from './deployment-acts.service';
import { DeploymentAnswers } from './deployment-answers.service';
import { notFound } from './deployment-view';
import { refuseMoveTarget } from './moving';
import { OrderAgain } from './order-again.use-case';
import { findSameOrder } from './orders';
import { PlaceOrder } from './place-order.use-case';
import { refuseOtherFailure } from './read-alternatives.use-case';

@Injectable()
export class RetryDeployment {
  constructor(
    private readonly acts: DeploymentActs,
    private readonly deployments: Deployments,
    private readonly idempotency: Idempotency,
    private readonly answers: DeploymentAnswers,
    private readonly orders: PlaceOrder,
    private readonly again: OrderAgain,
  ) {}

  /**
   * Repeats the order of a deployment with a refused size or region elsewhere, for its owner: another deployment with
   * the same values and secrets, under the rules of any order. `key` is the Idempotency-Key header.
   */
  run({
    caller,
    id,
    place,
    key,
  }: {
    caller: Caller;
    id: number;
    place: RetryOrder;
    key: string | null;
  }): Promise<DeploymentAnswer> {
    const { userId } = caller;
    const call = DEPLOYMENTS_CALLS.retry;
    const what = [call.method, call.path, { id, ...place }];
    const request = this.idempotency.keyed({ userId, key, call, what });
    return this.idempotency.tx('deployments.retry', request, async (tx, at) => {
      await this.acts.begin(tx, { id, viewer: { userId, isAdmin: false }, action: 'deployment.retried' });
      await this.orders.begin(tx, userId);
      const row = await this.deployments.lock(tx, id);
      if (row === null || row.status === 'DELETED') throw notFound();
      refuseOtherFailure(row);
      await refuseMoveTarget(tx, id);
      const { client_id: clientId } = row;
      const same = request === null ? await findSameOrder(tx, { userId, clientId, at, after: id }) : null;
      if (same !== null) return this.answers.read(tx, same, caller);
      const body = { ...(await this.again.orderOf(tx, row)), ...place };
      const ordered = await this.orders.place(tx, { caller, body, at, source: { id, shared: false } });
      await this.again.copyKeys(tx, { from: id, to: ordered.id, at });
      return ordered;
    });
  }
}
