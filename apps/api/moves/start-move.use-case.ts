import { type DeploymentAnswer, event, MOVES_CALLS, type NewClone, type NewMove } from '@moorage/contracts';
import { type DeploymentRow, Deployments, insertMove, lastBackupBytes, openMove } from '@moorage/database';
import {
  DomainError,
  findInstanceType,
  type Instant,
  type Message,
  MOVE_MESSAGES,
  type MoveKind,
  refusalOfCloneDomain,
  refusalOfMoveDisk,
  refusalOfTransfer,
} from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { BackupPromises } from '../backup-policy/backup-promises.policy';
import { Catalogues } from '../catalogue/catalogues.service';
import { DeploymentActs } from '../deployments/deployment-acts.service';
import { DeploymentAnswers } from '../deployments/deployment-answers.service';
import { notFound } from '../deployments/deployment-view';
import { OrderAgain } from '../deployments/order-again.use-case';
import { PlatformNames } from '../deployments/platform-names.service';
import { PlaceOrder } from '../deployments/place-order.use-case';
import { refuseState } from '../deployments/refuse-action';
import { refuseLocked } from '../deployments/stop-deployment.use-case';
import type { Caller } from '../http/call-input';
import { FieldsInvalid } from '../http/field-problems';
import { Idempotency } from '../http/idempotency.service';

interface StartRequest {
  readonly caller: Caller;
  readonly id: number;
  /** The Idempotency-Key header. */
  readonly key: string | null;
}

/** Orders the new deployment of a move or clone. The provisioner copies the data once its server is ready. */
@Injectable()
export class StartMove {
  constructor(
    private readonly acts: DeploymentActs,
    private readonly deployments: Deployments,
    private readonly idempotency: Idempotency,
    private readonly answers: DeploymentAnswers,
    private readonly orders: PlaceOrder,
    private readonly again: OrderAgain,
    private readonly outbox: Outbox,
    private readonly catalogues: Catalogues,
    private readonly promises: BackupPromises,
    private readonly platformNames: PlatformNames,
  ) {}

  move({ body, ...request }: StartRequest & { body: NewMove }): Promise<DeploymentAnswer> {
    return this.start('move', { ...request, body });
  }

  clone({ body, ...request }: StartRequest & { body: NewClone }): Promise<DeploymentAnswer> {
    return this.start('clone', { ...request, body });
  }

  /** The rules and the price are those of any order. The source is not changed. */
  private start(
    kind: MoveKind,
    { caller, id, body, key }: StartRequest & { body: NewMove & Partial<NewClone> },
  ): Promise<DeploymentAnswer> {
    const { userId } = caller;
    const call = MOVES_CALLS[kind];
    const request = this.idempotency.keyed({ userId, key, call, what: [call.method, call.path, { id, ...body }] });
    return this.orders.orAddressInUse(
      this.idempotency.tx('moves.start', request, async (tx, at) => {
        await this.orders.begin(tx, userId);
        const action = kind === 'move' ? 'deployment.move_ordered' : 'deployment.clone_ordered';
        await this.acts.begin(tx, { id, viewer: { userId, isAdmin: false }, action });
        const source = await this.deployments.lock(tx, id);
        if (source === null) throw notFound();
        refuseState(source, kind);
        if ((await openMove(tx, id)) !== null) throw new DomainError('DEPLOYMENT_STATE', MOVE_MESSAGES.open);
        if (kind === 'move') refuseLocked(source);
        await this.refusePlace(tx, source, body);
        const getsName = (body.domain ?? null) === null && (await this.platformNames.nameOf(tx, id)) === source.domain;
        if (kind === 'clone' && !getsName)
          refuseField('domain', refusalOfCloneDomain({ of: source.domain, domain: body.domain ?? null }));
        const targetId = await this.order(tx, { kind, caller, source, body, at });
        await insertMove(tx, { sourceId: id, targetId, kind, by: userId, at });
        await this.outbox.append(
          tx,
          event('deployment.move_changed', targetId, {
            deployment_id: targetId,
            user_id: userId,
            client_name: source.client_name,
            kind,
            state: 'running',
            source_id: id,
            remove_at: null,
            failure: null,
          }),
        );
        return this.answers.read(tx, targetId, caller);
      }),
    );
  }

  /** Throws if the data cannot be transferred to the place or does not fit its disk. */
  private async refusePlace(tx: Tx, source: DeploymentRow, body: NewMove): Promise<void> {
    const { server_type, cloud_provider, region, instance_type } = body;
    const to = this.promises.modeOf({ server_type, cloud_provider });
    const refusal = refusalOfTransfer({ from: this.promises.modeOf(source), to });
    if (refusal !== null) throw new DomainError('BACKUP_STATE', refusal);
    if (server_type === 'vps') return;
    const place = { provider: cloud_provider ?? '', region: region ?? '', instanceType: instance_type ?? '' };
    const size = findInstanceType(await this.catalogues.load(tx, place.provider), place);
    const bytes = await lastBackupBytes(tx, source.id);
    refuseField('instance_type', refusalOfMoveDisk({ bytes, diskGb: size?.diskGb ?? null }));
  }

  private async order(
    tx: Tx,
    {
      kind,
      caller,
      source,
      body,
      at,
    }: { kind: MoveKind; caller: Caller; source: DeploymentRow; body: NewMove & Partial<NewClone>; at: Instant },
  ): Promise<number> {
    const before = await this.again.orderOf(tx, source);
    const { domain, support_level, client_name, ...place } = body;
    const { id } = await this.orders.place(tx, {
      caller,
      at,
      release: source.release,
      source: { id: source.id, shared: kind === 'move' },
      body: {
        ...before,
        ...place,
        client_id: null,
        client_name: client_name ?? (kind === 'move' ? before.client_name : null),
        domain: domain ?? before.domain,
        support_level: support_level ?? before.support_level,
      },
    });
    await this.again.copySecrets(tx, { from: source.id, to: id });
    await this.again.copyKeys(tx, { from: source.id, to: id, at });
    // An order does not allow every name that a deployment may have.
    if (kind === 'move')
      await tx.execute('update deployments set client_name = $2 where id = $1', [id, source.client_name]);
    return id;
  }
}

function refuseField(path: string, message: Message | null): void {
  if (message !== null) throw new FieldsInvalid([{ path, message }]);
}
