import { type DeploymentAnswer, event } from '@moorage/contracts';
import { type DeploymentRow, Deployments } from '@moorage/database';
import { checkDeploymentName, DomainError, ORDER_MESSAGES, writtenText } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { FieldsInvalid } from '../http/field-problems';
import { DeploymentActs } from './deployment-acts.service';
import { DeploymentAnswers } from './deployment-answers.service';
import { notFound, ownerOf, type Viewer } from './deployment-view';

/**
 * Details that exist only in the database and on no server: the display name and the lock against deletion (decisions
 * 51).
 */
@Injectable()
export class DeploymentDetails {
  constructor(
    private readonly acts: DeploymentActs,
    private readonly db: Db,
    private readonly outbox: Outbox,
    private readonly deployments: Deployments,
    private readonly answers: DeploymentAnswers,
  ) {}

  rename({ viewer, id, name }: { viewer: Viewer; id: number; name: string }): Promise<DeploymentAnswer> {
    const trimmed = writtenText(name);
    return this.change('rename', { viewer, id, column: 'client_name', value: trimmed }, () => {
      const message = checkDeploymentName(trimmed);
      if (message !== null) throw new FieldsInvalid([{ path: 'name', message }]);
    });
  }

  setDeletionLock({ viewer, id, locked }: { viewer: Viewer; id: number; locked: boolean }): Promise<DeploymentAnswer> {
    return this.change('set-deletion-lock', { viewer, id, column: 'deletion_locked', value: locked }, (row) => {
      if (locked && row.status === 'DESTROYING')
        throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.locked_too_late);
    });
  }

  private change(
    what: string,
    {
      viewer,
      id,
      column,
      value,
    }: { viewer: Viewer; id: number } & (
      { column: 'client_name'; value: string } | { column: 'deletion_locked'; value: boolean }
    ),
    check: (row: DeploymentRow) => void = () => undefined,
  ): Promise<DeploymentAnswer> {
    return this.db.tx(`deployments.${what}`, async (tx) => {
      await ownerOf(tx, id, viewer);
      const row = await this.deployments.lock(tx, id);
      if (row === null || row.status === 'DELETED') throw notFound();
      check(row);
      if (row[column] !== value) {
        const action = column === 'client_name' ? 'deployment.renamed' : 'deployment.deletion_lock_changed';
        const facts = column === 'client_name' ? {} : { locked: value };
        await this.acts.begin(tx, { id, viewer, action, facts });
        // `updated_at` stays unchanged because it is the time of the last change of status, and therefore of a failure.
        await tx.execute(`update deployments set ${column} = $2, version = version + 1 where id = $1`, [id, value]);
        const data = { deployment_id: id, user_id: row.user_id };
        await this.outbox.append(tx, event('deployment.details_changed', id, data));
      }
      return this.answers.read(tx, id, viewer);
    });
  }
}
