import {
  type DeploymentAnswer,
  DEPLOYMENTS_CALLS,
  deploymentSecrets,
  newDeployment,
  type NewDeployment,
  type RetryOrder,
} from '@moorage/contracts';
import { type DeploymentRow, Deployments } from '@moorage/database';
import { type ConfigField, ENV_VARIABLES, isClientName } from '@moorage/domain';
import { Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { Idempotency } from '../http/idempotency';
import { DeploymentActs } from './deployment-acts';
import { DeploymentAnswers } from './deployment-answers';
import { notFound, POSTGRES_PASSWORD } from './deployment-view';
import { findSameOrder } from './orders';
import { PlaceOrder } from './place-order';
import { refuseOtherFailure } from './read-alternatives';

@Injectable()
export class RetryDeployment {
  constructor(
    private readonly acts: DeploymentActs,
    private readonly deployments: Deployments,
    private readonly secrets: Secrets,
    private readonly idempotency: Idempotency,
    private readonly answers: DeploymentAnswers,
    private readonly orders: PlaceOrder,
  ) {}

  /**
   * The order of a deployment whose size or region was refused once more, elsewhere, for its owner: another deployment with the same
   * values and secrets, by the rules of any order. `key`: the Idempotency-Key header.
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
      const { client_id: clientId } = row;
      const same = request === null ? await findSameOrder(tx, { userId, clientId, at, after: id }) : null;
      if (same !== null) return this.answers.read(tx, same, caller);
      return this.orders.place(tx, { caller, body: { ...(await this.orderOf(tx, row)), ...place }, at });
    });
  }

  /** What was ordered then. Its secrets are kept until a deployment has left FAILED. */
  private async orderOf(tx: Tx, row: DeploymentRow): Promise<NewDeployment> {
    const owner = deploymentSecrets(row.id);
    const values: Partial<Record<ConfigField, string | null | undefined>> = {};
    for (const { env, field, secret } of ENV_VARIABLES)
      values[field] = secret ? await this.secrets.get(tx, owner, env) : row.config[env];
    return newDeployment.parse({
      ...values,
      package: row.package,
      server_type: row.server_type,
      cloud_provider: row.cloud_provider,
      support_level: row.support_level,
      user_ssh_key: row.user_ssh_key,
      // a name that its owner gave it may hold more than an order may
      client_name: isClientName(row.client_name) ? row.client_name : null,
      client_id: row.client_id,
      postgres_host: row.postgres_host,
      postgres_user: row.postgres_user,
      postgres_password: await this.secrets.get(tx, owner, POSTGRES_PASSWORD),
      github_repo: row.github_repo,
    });
  }
}
