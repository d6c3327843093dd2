import type { DeploymentAnswer } from '@moorage/contracts';
import {
  type DeploymentRow,
  Deployments,
  findBackup,
  requestRestore,
  undoableRestore,
  type Viewer,
  writeRelease,
} from '@moorage/database';
import { BACKUP_MESSAGES, DomainError, type Instant, refusalToRestore, refusalToUndo } from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PackageManifests } from '../catalogue/packages';
import { DeploymentActs } from '../deployments/deployment-acts.service';
import { DeploymentAnswers } from '../deployments/deployment-answers.service';
import { notFound } from '../deployments/deployment-view';
import { refuseMoving } from '../deployments/moving';
import { backedUp, refuse } from './backed-up';
import { copyRefusal } from './backup-answers';
import { BackupPromises } from '../backup-policy/backup-promises.policy';

interface RestoreRequest {
  readonly viewer: Viewer;
  readonly id: number;
  /** Reason of staff who act on a customer's deployment. */
  readonly reason?: string | null | undefined;
}

/** Restores in place and undoes them. Both are restarts with additional steps, which the provisioner carries out. */
@Injectable()
export class RestoreBackup {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly acts: DeploymentActs,
    private readonly deployments: Deployments,
    private readonly answers: DeploymentAnswers,
    private readonly packages: PackageManifests,
    private readonly promises: BackupPromises,
  ) {}

  restore({ viewer, id, backupId, reason }: RestoreRequest & { backupId: number }): Promise<DeploymentAnswer> {
    return this.db.tx('backups.restore', async (tx) => {
      const facts = { backup_id: backupId };
      await this.acts.begin(tx, { id, viewer, action: 'deployment.restored', facts, reason });
      const row = await this.locked(tx, id);
      const backup = await findBackup(tx, backupId);
      if (backup?.deployment_id !== id) throw copyUnknown();
      refuse(refusalToRestore(await backedUp(tx, row, this.promises)));
      refuse(copyRefusal(backup, this.packages.find(row.package)));
      const at = await this.clock.now(tx);
      const restore = await requestRestore(tx, { deploymentId: id, backup, kind: 'in_place', at });
      if (restore === null) refuse(BACKUP_MESSAGES.restoring);
      await this.interrupt(tx, row, at);
      return this.answers.read(tx, id, viewer);
    });
  }

  undo({ viewer, id, reason }: RestoreRequest): Promise<DeploymentAnswer> {
    return this.db.tx('backups.undo-restore', async (tx) => {
      await this.acts.begin(tx, { id, viewer, action: 'deployment.restore_undone', reason });
      const row = await this.locked(tx, id);
      const restore = await undoableRestore(tx, id);
      const at = await this.clock.now(tx);
      refuse(refusalToUndo(await backedUp(tx, row, this.promises), restore, at));
      await tx.execute(`update restores set state = 'undoing' where id = $1 and state = 'done'`, [restore?.id ?? 0]);
      await this.interrupt(tx, row, at);
      if (restore !== null && restore.release_before !== row.release)
        await writeRelease(tx, id, restore.release_before);
      return this.answers.read(tx, id, viewer);
    });
  }

  private async locked(tx: Tx, id: number): Promise<DeploymentRow> {
    const row = await this.deployments.lock(tx, id);
    if (row === null) throw notFound();
    await refuseMoving(tx, id);
    return row;
  }

  private async interrupt(tx: Tx, row: DeploymentRow, at: Instant): Promise<void> {
    const changes = { restart_from: row.status, failure: null };
    await this.deployments.move(tx, row, { to: 'RESTARTING', by: 'api', at, changes });
  }
}

/** The same error for a copy that does not exist and for a copy of another deployment. */
export const copyUnknown = (): DomainError => new DomainError('NOT_FOUND', BACKUP_MESSAGES.copy_unknown);
