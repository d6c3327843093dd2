import { BACKUPS_CALLS, type DeployCopy as DeployCopyBody, type DeploymentAnswer } from '@moorage/contracts';
import {
  auditLog,
  type BackupRow,
  type DeploymentRow,
  Deployments,
  findBackup,
  requestRestore,
  type Viewer,
  type Deployment,
} from '@moorage/database';
import {
  BACKUP_MESSAGES,
  CONSTANTS,
  findInstanceType,
  type Instant,
  iso,
  refusalOfDisk,
  refusalOfPlace,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Catalogues } from '../catalogue/catalogues.service';
import { PackageManifests } from '../catalogue/packages';
import { DeploymentAnswers } from '../deployments/deployment-answers.service';
import { notFound } from '../deployments/deployment-view';
import { OrderAgain } from '../deployments/order-again.use-case';
import { PlaceOrder } from '../deployments/place-order.use-case';
import type { Caller } from '../http/call-input';
import { FieldsInvalid } from '../http/field-problems';
import { Idempotency } from '../http/idempotency.service';
import { backedUpDeployment, storedRepository, refuse } from './backed-up';
import { copyRefusal } from './backup-answers';
import { BackupPromises } from '../backup-policy/backup-promises.policy';
import { copyUnknown } from './restore-backup.use-case';

@Injectable()
export class DeployCopy {
  constructor(
    private readonly deployments: Deployments,
    private readonly idempotency: Idempotency,
    private readonly answers: DeploymentAnswers,
    private readonly orders: PlaceOrder,
    private readonly again: OrderAgain,
    private readonly packages: PackageManifests,
    private readonly catalogues: Catalogues,
    private readonly promises: BackupPromises,
  ) {}

  /**
   * Creates a new deployment with the data of a copy, for its owner, under the rules of any order. It gets the values
   * and secrets of the copy's deployment, which may no longer exist, in another place. `key` is the Idempotency-Key
   * header.
   */
  run({
    caller,
    id,
    backupId,
    body,
    key,
  }: {
    caller: Caller;
    id: number;
    backupId: number;
    body: DeployCopyBody;
    key: string | null;
  }): Promise<DeploymentAnswer> {
    const { userId } = caller;
    const call = BACKUPS_CALLS.deploy;
    const what = [call.method, call.path, { id, backup_id: backupId, ...body }];
    const request = this.idempotency.keyed({ userId, key, call, what });
    return this.orders.orAddressInUse(
      this.idempotency.tx('backups.deploy', request, async (tx, at) => {
        await this.orders.begin(tx, userId);
        const source = await this.locked(tx, id, { userId, isAdmin: false });
        const backup = await findBackup(tx, backupId);
        if (backup?.deployment_id !== id) throw copyUnknown();
        const same = request === null ? await findSameRestore(tx, { userId, backupId, at, body }) : null;
        if (same !== null) return this.answers.read(tx, same, caller);
        await this.refuseCopy(tx, source, backup, body);
        return this.order(tx, { caller, source, backup, body, at });
      }),
    );
  }

  private async locked(tx: Tx, id: number, viewer: Viewer): Promise<DeploymentRow> {
    await backedUpDeployment(tx, { id, viewer });
    const row = await this.deployments.lock(tx, id);
    if (row === null) throw notFound();
    return row;
  }

  private async refuseCopy(tx: Tx, source: DeploymentRow, backup: BackupRow, body: DeployCopyBody): Promise<void> {
    refuse(copyRefusal(backup, this.packages.find(source.package)));
    const repository = await storedRepository(tx, source.id);
    if (repository === null) return refuse(BACKUP_MESSAGES.copy_unknown);
    const { server_type, cloud_provider, region, instance_type } = body;
    refuse(refusalOfPlace({ copiesIn: repository.mode, mode: this.promises.modeOf({ server_type, cloud_provider }) }));
    if (server_type === 'vps') return;
    const place = { provider: cloud_provider ?? '', region: region ?? '', instanceType: instance_type ?? '' };
    const size = findInstanceType(await this.catalogues.load(tx, place.provider), place);
    const message = refusalOfDisk({ bytes: backup.bytes, diskGb: size?.diskGb ?? null });
    if (message !== null) throw new FieldsInvalid([{ path: 'instance_type', message }]);
  }

  private async order(
    tx: Tx,
    {
      caller,
      source,
      backup,
      body,
      at,
    }: { caller: Caller; source: DeploymentRow; backup: BackupRow; body: DeployCopyBody; at: Instant },
  ): Promise<DeploymentAnswer> {
    const { domain, support_level, client_name, ...place } = body;
    const isGone = source.desired === 'destroyed';
    const before = await this.again.orderOf(tx, source);
    const ordered = await this.orders.place(tx, {
      caller,
      at,
      release: backup.release,
      source: { id: source.id, shared: false },
      body: {
        ...before,
        ...place,
        client_id: null,
        // A different name if the original deployment still exists.
        client_name: client_name ?? (isGone ? before.client_name : null),
        domain: domain ?? before.domain,
        support_level: support_level ?? before.support_level,
      },
    });
    await this.again.copySecrets(tx, { from: source.id, to: ordered.id });
    await this.again.copyKeys(tx, { from: source.id, to: ordered.id, at });
    await requestRestore(tx, { deploymentId: ordered.id, backup, kind: 'new', at });
    await auditLog.record(tx, {
      actor: caller.userId,
      action: 'deployment.copy_ordered',
      subject: `deployment:${source.id}`,
      accountId: caller.userId,
      facts: { backup_id: backup.id, deployment_id: ordered.id },
      at,
    });
    return this.answers.read(tx, ordered.id, caller);
  }
}

/**
 * Returns the deployment that was just ordered for the same copy, in the same place and under the same name, or null if
 * there is none.
 */
async function findSameRestore(
  tx: Tx,
  { userId, backupId, at, body }: { userId: number; backupId: number; at: Instant; body: DeployCopyBody },
): Promise<number | null> {
  const [first] = await tx.query<Pick<Deployment, 'id'>>(
    `select d.id from restores r join deployments d on d.id = r.deployment_id
     where r.backup_id = $1 and r.kind = 'new' and r.requested_at > $2 and d.user_id = $3 and d.status <> 'DELETED'
       and d.server_type = $4 and d.cloud_provider is not distinct from $5 and d.region is not distinct from $6
       and d.instance_type is not distinct from $7 and host(d.vps_ip_address) is not distinct from $8
       and d.domain = coalesce($9, d.domain) and d.client_name = coalesce($10, d.client_name)
     order by d.id limit 1`,
    [
      backupId,
      iso(at - CONSTANTS.sameOrderMs),
      userId,
      body.server_type,
      body.cloud_provider,
      body.region,
      body.instance_type,
      body.vps_ip_address,
      body.domain,
      body.client_name,
    ],
  );
  return first?.id ?? null;
}
