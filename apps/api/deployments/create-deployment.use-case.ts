import { type DeploymentAnswer, DEPLOYMENTS_CALLS, type NewDeployment } from '@moorage/contracts';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { Idempotency } from '../http/idempotency.service';
import { DeploymentAnswers } from './deployment-answers.service';
import { findSameOrder } from './orders';
import { PlaceOrder } from './place-order.use-case';

@Injectable()
export class CreateDeployment {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly answers: DeploymentAnswers,
    private readonly orders: PlaceOrder,
  ) {}

  /** Creates the deployment in one transaction under the wallet's lock. `key` is the Idempotency-Key header. */
  run({ caller, body, key }: { caller: Caller; body: NewDeployment; key: string | null }): Promise<DeploymentAnswer> {
    const { userId } = caller;
    const request = this.idempotency.keyed({ userId, key, call: DEPLOYMENTS_CALLS.create, what: body });
    return this.orders.orAddressInUse(
      this.idempotency.tx('deployments.create', request, async (tx, at) => {
        await this.orders.begin(tx, userId);
        const same = request === null ? await findSameOrder(tx, { userId, clientId: body.client_id, at }) : null;
        return same === null ? this.orders.place(tx, { caller, body, at }) : this.answers.read(tx, same, caller);
      }),
    );
  }
}
