import { RESTART_CONTAINER } from '@moorage/contracts';
import {
  type ContainerRestartRow,
  Deployments,
  isSwitchedOff,
  type LogFollowRow,
  type Viewer,
} from '@moorage/database';
import {
  againIn,
  DomainError,
  type Instant,
  iso,
  joined,
  LOG_MESSAGES,
  MINUTE_MS,
  ORDER_MESSAGES,
  RATE_LIMIT_MESSAGES,
  SECOND_MS,
} from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { DeploymentActs } from '../deployments/deployment-acts.service';
import { notFound, ownerOf } from '../deployments/deployment-view';
import { refuseAction } from '../deployments/refuse-action';

const AGAIN_MS = MINUTE_MS;

/** Restarts of single containers, which the provisioner carries out. */
@Injectable()
export class ContainerRestarts {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly work: WorkSchedule,
    private readonly acts: DeploymentActs,
    private readonly deployments: Deployments,
  ) {}

  request(
    { viewer, id }: { viewer: Viewer; id: number },
    { container, reason }: { container: string; reason: string | null | undefined },
  ) {
    return this.db.tx('container-restarts.request', async (tx) => {
      await ownerOf(tx, id, viewer);
      const row = await this.deployments.lock(tx, id);
      if (row === null) throw notFound();
      await refuseAction(tx, row, 'restart_container');
      if (row.desired === 'destroyed') throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.cancelling);
      const runs = await tx.query(`select 1 from runs where deployment_id = $1 and state = 'running'`, [id]);
      if (runs.length > 0) throw new DomainError('DEPLOYMENT_STATE', LOG_MESSAGES.busy);
      if (await isSwitchedOff(tx, id)) throw new DomainError('DEPLOYMENT_STATE', LOG_MESSAGES.switched_off);
      await refuseUnknown(tx, id, container);
      const at = await this.clock.now(tx);
      await refuseTooOften(tx, { id, container, at });
      const facts = { name: container };
      await this.acts.begin(tx, { id, viewer, action: 'deployment.container_restarted', facts, reason });
      const [created] = await tx.query<ContainerRestartRow>(
        `insert into container_restarts (deployment_id, container, requested_by, requested_at) values ($1, $2, $3, $4)
         returning *`,
        [id, container, viewer.userId, iso(at)],
      );
      if (created === undefined) throw new Error('the insert of the restart returned no row');
      await this.work.schedule(tx, { kind: RESTART_CONTAINER, key: String(created.id), due_at: at });
      return { container, requested_at: iso(at) };
    });
  }
}

/** Throws NOT_FOUND if the logs are being read and show no such container. The server refuses other names itself. */
async function refuseUnknown(tx: Tx, id: number, name: string): Promise<void> {
  const [follow] = await tx.query<Pick<LogFollowRow, 'containers'>>(
    'select containers from log_follows where deployment_id = $1',
    [id],
  );
  if (follow === undefined || follow.containers.length === 0) return;
  if (!follow.containers.some((container) => container.name === name && container.declared))
    throw new DomainError('NOT_FOUND', LOG_MESSAGES.container_unknown);
}

/** Throws RATE_LIMITED within a minute of the last request for the container. */
async function refuseTooOften(
  tx: Tx,
  { id, container, at }: { id: number; container: string; at: Instant },
): Promise<void> {
  const [last] = await tx.query<{ requested_at: Instant }>(
    `select requested_at from container_restarts where deployment_id = $1 and container = $2 and requested_at > $3
     order by requested_at desc limit 1`,
    [id, container, iso(at - AGAIN_MS)],
  );
  if (last === undefined) return;
  const seconds = Math.ceil((last.requested_at + AGAIN_MS - at) / SECOND_MS);
  throw new DomainError('RATE_LIMITED', joined([RATE_LIMIT_MESSAGES.container_again, againIn(seconds)]), {
    retry_after_s: seconds,
  });
}
