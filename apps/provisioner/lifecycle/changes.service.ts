import { deploymentSecrets, event, type EventData, secretBefore } from '@moorage/contracts';
import {
  type ChangeRow,
  failureOf,
  messageColumns,
  openChange,
  restoreDnsCheck,
  writeConfiguration,
  writeRelease,
  type Deployment,
} from '@moorage/database';
import { CHANGE_MESSAGES, displayName, type Instant, iso, isoOrNull, type Message } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

type Outcome = EventData<'deployment.update_ended'>['outcome'];

/**
 * Records the outcome of changes of running deployments, in the transaction that ends or starts their run. Every method
 * does nothing if no change is open.
 */
@Injectable()
export class Changes {
  constructor(
    private readonly secrets: Secrets,
    private readonly outbox: Outbox,
  ) {}

  /** Records that the new values are in use. */
  async finish(tx: Tx, deploymentId: number, at: Instant): Promise<void> {
    const change = await openChange(tx, deploymentId);
    if (change !== null) await this.end(tx, change, { state: 'done', at, failure: null });
  }

  /**
   * Returns the deployment's row to the previous values, which another run then applies to the server. `failure` is
   * the reason for the owner. `takenBackAt` is set for an update whose release was started.
   */
  async takeBack(tx: Tx, deploymentId: number, failure: Message, takenBackAt: Instant | null = null): Promise<void> {
    const change = await openChange(tx, deploymentId);
    if (change === null) return;
    await this.restoreValues(tx, change);
    const { release = null } = change.before;
    if (change.kind === 'update') await writeRelease(tx, deploymentId, release === null ? null : String(release));
    await tx.execute(
      `update deployment_changes set state = 'undoing', taken_back_at = $2, failure_reason = $3, failure_code = $4,
         failure_facts = $5 where id = $1`,
      [change.id, isoOrNull(takenBackAt), ...messageColumns(failure)],
    );
  }

  /** Records that the server has the previous values again. Resolves with the reason for the owner. */
  async undone(tx: Tx, deploymentId: number, at: Instant): Promise<Message | null> {
    const change = await openChange(tx, deploymentId);
    if (change === null) return null;
    const failure = failureOf(change);
    await this.end(tx, change, { state: 'failed', at, failure, isBack: true });
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

  /**
   * Resets the values of a change, except a size and a release. A size is only written once the provider has confirmed
   * it, and a release once it starts.
   */
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
    change: ChangeRow,
    {
      state,
      at,
      failure,
      isBack = false,
    }: { state: 'done' | 'failed'; at: Instant; failure: Message | null; isBack?: boolean },
  ): Promise<void> {
    const { id, deployment_id: deploymentId, secrets } = change;
    // A deployment that was deleted meanwhile needs no report.
    if (failure?.code !== CHANGE_MESSAGES.gone.code) await this.report(tx, change, { state, isBack, failure });
    for (const name of secrets) await this.secrets.removeOne(tx, deploymentSecrets(deploymentId), secretBefore(name));
    await tx.execute(
      `update deployment_changes set state = $2, finished_at = $3, failure_reason = $4, failure_code = $5,
         failure_facts = $6 where id = $1`,
      [id, state, iso(at), ...messageColumns(failure)],
    );
  }

  private async report(
    tx: Tx,
    change: ChangeRow,
    { state, isBack, failure }: { state: 'done' | 'failed'; isBack: boolean; failure: Message | null },
  ): Promise<void> {
    const { deployment_id: id, kind, before, after, requested_by } = change;
    if (kind !== 'update' && kind !== 'reboot') return;
    const [row] = await tx.query<Pick<Deployment, 'user_id' | 'client_name' | 'package' | 'id'>>(
      'select id, user_id, client_name, package from deployments where id = $1',
      [id],
    );
    if (row === undefined) return;
    if (kind === 'reboot') {
      const data = { deployment_id: id, user_id: row.user_id, outcome: state };
      await this.outbox.append(tx, event('deployment.reboot_ended', id, data));
      return;
    }
    await this.outbox.append(
      tx,
      event('deployment.update_ended', id, {
        deployment_id: id,
        user_id: row.user_id,
        client_name: displayName(row),
        from: String(before.version),
        to: String(after.release),
        outcome: outcomeOf(change, { state, isBack }),
        is_automatic: requested_by === null,
        failure,
      }),
    );
  }
}

function outcomeOf(
  { state: before, taken_back_at: takenBackAt }: ChangeRow,
  { state, isBack }: { state: 'done' | 'failed'; isBack: boolean },
): Outcome {
  if (state === 'done') return 'done';
  if (before === 'undoing' && !isBack) return 'not_undone';
  return takenBackAt === null ? 'not_begun' : 'undone';
}
