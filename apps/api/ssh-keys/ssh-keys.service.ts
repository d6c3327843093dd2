import { event, type NewSshKey, type SshKeysAnswer } from '@moorage/contracts';
import {
  addSshKey,
  type DeploymentRow,
  Deployments,
  failureOf,
  findSshKeyState,
  fingerprintOf,
  keysWanted,
  type SshKeyRow,
  sshKeysOf,
  type SshKeyStateRow,
  type Viewer,
} from '@moorage/database';
import { DomainError, type Instant, iso, isoOrNull, ORDER_MESSAGES, SSH_KEYS_MAX } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { DeploymentActs } from '../deployments/deployment-acts.service';
import { notFound, ownerOf } from '../deployments/deployment-view';
import { refuseAction } from '../deployments/refuse-action';
import { FieldsInvalid } from '../http/field-problems';

interface KeysRequest {
  readonly viewer: Viewer;
  readonly id: number;
  /** Reason of staff who act on a customer's deployment. */
  readonly reason?: string | null | undefined;
}

@Injectable()
export class SshKeys {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly acts: DeploymentActs,
    private readonly deployments: Deployments,
  ) {}

  list({ viewer, id }: KeysRequest): Promise<SshKeysAnswer> {
    return this.db.tx('ssh-keys.list', async (tx) => {
      await ownerOf(tx, id, viewer);
      return this.answer(tx, id);
    });
  }

  add(
    request: KeysRequest,
    { name, public_key: line }: Pick<NewSshKey, 'name' | 'public_key'>,
  ): Promise<SshKeysAnswer> {
    return this.db.tx('ssh-keys.add', async (tx) => {
      const { viewer, id, reason } = request;
      const row = await this.locked(tx, request);
      const fingerprint = fingerprintOf(line);
      refuseKey(await sshKeysOf(tx, id), fingerprint);
      const facts = { name, fingerprint };
      await this.acts.begin(tx, { id, viewer, action: 'deployment.ssh_key_added', facts, reason });
      const at = await this.clock.now(tx);
      await addSshKey(tx, { deploymentId: id, name, line, userId: viewer.userId, at });
      return this.changed(tx, row, at);
    });
  }

  remove(request: KeysRequest, keyId: number): Promise<SshKeysAnswer> {
    return this.db.tx('ssh-keys.remove', async (tx) => {
      const { viewer, id, reason } = request;
      const row = await this.locked(tx, request);
      const key = (await sshKeysOf(tx, id)).find((each) => each.id === keyId);
      if (key === undefined) throw new DomainError('NOT_FOUND', ORDER_MESSAGES.ssh_key_unknown);
      const facts = { name: key.name, fingerprint: key.fingerprint };
      await this.acts.begin(tx, { id, viewer, action: 'deployment.ssh_key_removed', facts, reason });
      await tx.execute('delete from deployment_ssh_keys where id = $1', [keyId]);
      return this.changed(tx, row, await this.clock.now(tx));
    });
  }

  private async locked(tx: Tx, { viewer, id }: KeysRequest): Promise<DeploymentRow> {
    await ownerOf(tx, id, viewer);
    const row = await this.deployments.lock(tx, id);
    if (row === null) throw notFound();
    await refuseAction(tx, row, 'manage_keys');
    if (row.desired === 'destroyed') throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.cancelling);
    return row;
  }

  private async changed(tx: Tx, { id, user_id }: DeploymentRow, at: Instant): Promise<SshKeysAnswer> {
    await keysWanted(tx, id, at);
    await this.outbox.append(tx, event('deployment.ssh_keys_changed', id, { deployment_id: id, user_id }));
    return this.answer(tx, id);
  }

  private async answer(tx: Tx, id: number): Promise<SshKeysAnswer> {
    return sshKeysAnswer(await sshKeysOf(tx, id), await findSshKeyState(tx, id));
  }
}

function refuseKey(keys: readonly SshKeyRow[], fingerprint: string): void {
  const same = keys.find((key) => key.fingerprint === fingerprint);
  const message =
    same !== undefined
      ? ORDER_MESSAGES.ssh_key_twice({ name: same.name })
      : keys.length >= SSH_KEYS_MAX
        ? ORDER_MESSAGES.ssh_keys_most({ most: SSH_KEYS_MAX })
        : null;
  if (message !== null) throw new FieldsInvalid([{ path: 'public_key', message }]);
}

function sshKeysAnswer(keys: readonly SshKeyRow[], state: SshKeyStateRow | null): SshKeysAnswer {
  const failure = state === null ? null : failureOf(state);
  return {
    keys: keys.map(({ id, name, public_key, fingerprint, added_at }) => ({
      id,
      name,
      type: public_key.split(' ')[0] ?? '',
      fingerprint,
      added_at: iso(added_at),
    })),
    state: failure !== null ? 'failed' : state === null || state.applied_at !== null ? 'applied' : 'applying',
    applied_at: isoOrNull(state?.applied_at ?? null),
    failure,
    retry_at: isoOrNull(state?.retry_at ?? null),
    keys_max: SSH_KEYS_MAX,
  };
}
