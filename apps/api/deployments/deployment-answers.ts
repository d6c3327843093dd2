import type { DeploymentAnswer } from '@moorage/contracts';
import { isSimulated } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';
import { deploymentAnswer, viewDeployment, type Viewer, type ViewRow } from './deployment-view';
import { SignIns } from './sign-ins';

/** Deployments as this installation answers with them: it knows where servers are simulated. */
@Injectable()
export class DeploymentAnswers {
  constructor(
    private readonly settings: ApiSettings,
    private readonly signIns: SignIns,
  ) {}

  of(row: ViewRow, viewer: Viewer): DeploymentAnswer {
    const { clouds, publicUrl } = this.settings;
    return deploymentAnswer(row, { viewer, sandbox: isSimulated(clouds, row), publicUrl });
  }

  /** NOT_FOUND for a deployment that the viewer may not see. */
  async read(tx: Tx, id: number, viewer: Viewer): Promise<DeploymentAnswer> {
    const row = await viewDeployment(tx, id, viewer);
    return { ...this.of(row, viewer), sign_in: await this.signIns.of(tx, { id, userId: viewer.userId }) };
  }
}
