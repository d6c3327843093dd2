import type { DeploymentAnswer } from '@moorage/contracts';
import { isSimulated } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';
import { deploymentAnswer, viewDeployment, type Viewer, type ViewRow } from './deployment-view';

/** Deployments as this installation answers with them: it knows where servers are simulated. */
@Injectable()
export class DeploymentAnswers {
  constructor(private readonly settings: ApiSettings) {}

  of(row: ViewRow, viewer: Viewer): DeploymentAnswer {
    return deploymentAnswer(row, { viewer, sandbox: isSimulated(this.settings.clouds, row) });
  }

  /** NOT_FOUND for a deployment that the viewer may not see. */
  async read(tx: Tx, id: number, viewer: Viewer): Promise<DeploymentAnswer> {
    return this.of(await viewDeployment(tx, id, viewer), viewer);
  }
}
