import { deploymentSecrets, secretBefore } from '@moorage/contracts';
import {
  type ChangeRow,
  failureOf,
  messageColumns,
  openChange,
  restoreDnsCheck,
  writeConfiguration,
} from '@moorage/database';
import { type Instant, iso, type Message } from '@moorage/domain';
import { Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

/**
 * Records the outcome of changes of running deployments, in the transaction that ends or starts their run. Every method
 * does nothing if no change is open.
 */
@Injectable()
export class Changes {
  constructor(private readonly secrets: Secrets) {}

  /** Records that the new values are in use. */
  async finish(tx: Tx, deploymentId: number, at: Instant): Promise<void> {
    const change = await openChange(tx, deploymentId);
    if (change !== null) await this.end(tx, change, { state: 'done', at, failure: null });
  }

  /**
   * Returns the deployment's row to the previous values, which another run then applies to the server. `failure` is
   * the reason for the owner.
   */
  async takeBack(tx: Tx, deploymentId: number, failure: Message): Promise<void> {
    const change = await openChange(tx, deploymentId);
    if (change === null) return;
    await this.restoreValues(tx, change);
    await tx.execute(
      `update deployment_changes set state = 'undoing', failure_reason = $2, failure_code = $3, failure_facts = $4
         where id = $1`,
      [change.id, ...messageColumns(failure)],
    );
  }

  /** Records that the server has the previous values again. Resolves with the reason for the owner. */
  async undone(tx: Tx, deploymentId: number, at: Instant): Promise<Message | null> {
    const change = await openChange(tx, deploymentId);
    if (change === null) return null;
    const failure = failureOf(change);
    await this.end(tx, change, { state: 'failed', at, failure });
    return failure;
  }

  /**
   * Ends a change whose run failed before it replaced anything on the server, or whose undo failed. The deployment's
   * row has the previous values afterwards.
   */
  async fail(tx: Tx, deploymentId: number, at: Instant, failure: Message): Promise<void> {
    const change = await openChange(tx, deploymentId);
    if (change === null) return;
    if (change.state === 'running') await this.restoreValues(tx, change);
    await this.end(tx, change, { state: 'failed', at, failure });
  }

  /** A size is written only when the provider has confirmed it, so there is nothing to reset. */
  private async restoreValues(tx: Tx, change: ChangeRow): Promise<void> {
    const { deployment_id: id, kind, before, secrets } = change;
    if (kind !== 'configuration') return;
    const owner = deploymentSecrets(id);
    for (const name of secrets) {
      const value = await this.secrets.get(tx, owner, secretBefore(name));
      if (value === null) await this.secrets.removeOne(tx, owner, name);
      else await this.secrets.put(tx, owner, name, value);
    }
    await writeConfiguration(tx, id, before);
    await restoreDnsCheck(tx, change.id);
  }

  private async end(
    tx: Tx,
    { id, deployment_id: deploymentId, secrets }: ChangeRow,
    { state, at, failure }: { state: 'done' | 'failed'; at: Instant; failure: Message | null },
  ): Promise<void> {
    for (const name of secrets) await this.secrets.removeOne(tx, deploymentSecrets(deploymentId), secretBefore(name));
    await tx.execute(
      `update deployment_changes set state = $2, finished_at = $3, failure_reason = $4, failure_code = $5,
         failure_facts = $6 where id = $1`,
      [id, state, iso(at), ...messageColumns(failure)],
    );
  }
}
