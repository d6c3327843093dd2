import { type DeploymentAnswer, event } from '@moorage/contracts';
import { Deployments, isSwitchedOff } from '@moorage/database';
import { DomainError, WATCH_MESSAGES } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { DeploymentActs } from '../deployments/deployment-acts.service';
import { DeploymentAnswers } from '../deployments/deployment-answers.service';
import { notFound, type Viewer } from '../deployments/deployment-view';
import { refuseAction } from '../deployments/refuse-action';

/** Starts a server that is switched off at its provider. The restart that follows starts the server first. */
@Injectable()
export class StartServer {
  constructor(
    private readonly acts: DeploymentActs,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly deployments: Deployments,
    private readonly answers: DeploymentAnswers,
  ) {}

  start({
    viewer,
    id,
    reason,
  }: {
    viewer: Viewer;
    id: number;
    reason?: string | null | undefined;
  }): Promise<DeploymentAnswer> {
    return this.db.tx('watch.start-server', async (tx) => {
      const at = await this.clock.now(tx);
      await this.acts.begin(tx, { id, viewer, action: 'deployment.server_started', reason });
      const row = await this.deployments.lock(tx, id);
      if (row === null) throw notFound();
      await refuseAction(tx, row, 'start_server');
      if (!(await isSwitchedOff(tx, id))) throw new DomainError('DEPLOYMENT_STATE', WATCH_MESSAGES.server_runs);
      await this.deployments.move(tx, row, {
        to: 'RESTARTING',
        by: 'api',
        at,
        changes: { restart_from: row.status, failure: null },
      });
      await this.outbox.append(
        tx,
        event('deployment.restart_requested', id, { deployment_id: id, user_id: row.user_id }),
      );
      return this.answers.read(tx, id, viewer);
    });
  }
}
