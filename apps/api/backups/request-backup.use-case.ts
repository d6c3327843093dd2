import type { BackupAnswer } from '@moorage/contracts';
import { Deployments, findBackup, requestBackup, type Viewer } from '@moorage/database';
import { BACKUP_MESSAGES, refusalToBackUp } from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PackageManifests } from '../catalogue/packages';
import { DeploymentActs } from '../deployments/deployment-acts.service';
import { notFound } from '../deployments/deployment-view';
import { backedUp, refuse } from './backed-up';
import { backupAnswer } from './backup-answers';
import { BackupPromises } from '../backup-policy/backup-promises.policy';

/** Starts a backup on request (*Back up now*). */
@Injectable()
export class RequestBackup {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly acts: DeploymentActs,
    private readonly deployments: Deployments,
    private readonly work: WorkSchedule,
    private readonly packages: PackageManifests,
    private readonly promises: BackupPromises,
  ) {}

  run({ viewer, id }: { viewer: Viewer; id: number }): Promise<BackupAnswer> {
    return this.db.tx('backups.request', async (tx) => {
      await this.acts.begin(tx, { id, viewer, action: 'deployment.backup_requested' });
      const row = await this.deployments.lock(tx, id);
      if (row === null) throw notFound();
      refuse(refusalToBackUp(await backedUp(tx, row, this.promises)));
      const at = await this.clock.now(tx);
      const backupId = await requestBackup(tx, this.work, { deploymentId: id, kind: 'on_request', at });
      const backup = backupId === null ? null : await findBackup(tx, backupId);
      if (backup === null) return refuse(BACKUP_MESSAGES.already) as never;
      // Its release is not known before it has started.
      return backupAnswer(backup, this.packages.find(row.package), () => false);
    });
  }
}
