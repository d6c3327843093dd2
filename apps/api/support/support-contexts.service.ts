import { type SupportContext } from '@moorage/contracts';
import { failureOf } from '@moorage/database';
import { iso } from '@moorage/domain';
import { Clock, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { viewDeployment, type Viewer } from '../deployments/deployment-view';
import { ReadProgress } from '../deployments/read-progress.use-case';

/** Context of a message about a deployment: the deployment and its timeline at that time, without secrets. */
@Injectable()
export class SupportContexts {
  constructor(
    private readonly clock: Clock,
    private readonly progress: ReadProgress,
  ) {}

  /** Throws NOT_FOUND for a deployment that the viewer may not see. */
  async read(tx: Tx, { viewer, id }: { viewer: Viewer; id: number }): Promise<SupportContext> {
    const row = await viewDeployment(tx, id, viewer);
    const { steps } = await this.progress.read(tx, { viewer, id });
    return {
      client_name: row.client_name,
      package: row.package,
      server_type: row.server_type,
      cloud_provider: row.cloud_provider,
      region: row.region,
      instance_type: row.instance_type,
      support_level: row.support_level,
      domain: row.domain,
      status: row.status,
      failure: failureOf(row),
      created_at: iso(row.created_at),
      steps: steps.map(({ name, part, state, started_at, ended_at, message, attempts }) => ({
        name,
        part,
        state,
        started_at,
        ended_at,
        message,
        attempts,
      })),
      at: iso(await this.clock.now(tx)),
    };
  }
}
