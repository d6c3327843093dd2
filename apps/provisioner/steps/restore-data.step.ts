import { type BackupRow, findBackup, openRestore, type RestoreRow, writeRelease } from '@moorage/database';
import { BACKUP_MESSAGES } from '@moorage/domain';
import { Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Repository } from '../backups/copy-store';
import { CopyStores } from '../backups/copy-stores';
import { HostCopies, reasonOf } from '../backups/host-copies.service';
import { problemOf, Repositories } from '../backups/backup-repositories.service';
import { type Step, type StepContext, StepError, type StepOutcome } from '../runs/step';
import { RunTimeouts } from '../runs/step-timeouts';

interface Source {
  readonly restore: RestoreRow;
  readonly backup: BackupRow;
  readonly repository: Repository;
}

@Injectable()
export class RestoreDataStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly repositories: Repositories,
    private readonly stores: CopyStores,
    private readonly copies: HostCopies,
    private readonly timeouts: RunTimeouts,
  ) {}

  /** Restores the copy beside the running data. Starts the restore once, then polls its progress. */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const { deployment, server, fencingToken, run, now } = context;
    const source = await this.db.tx('restore.read', async (tx): Promise<Source | null> => {
      const restore = await openRestore(tx, deployment.id);
      const backup = restore === null ? null : await findBackup(tx, restore.backup_id);
      const found = backup === null ? null : await this.repositories.find(tx, backup.deployment_id);
      return restore === null || backup === null || found === null ? null : { restore, backup, ...found };
    });
    if (source?.backup.state !== 'complete' || source.backup.snapshot_id === null)
      return { failed: BACKUP_MESSAGES.copy_unknown };
    const { restore, backup, repository } = source;
    const place = { deployment, server, fencingToken };
    const job = restoreJob(restore, run.step_attempts);
    const seen = await this.copies.inspect(place, job, signal);
    const again = now + this.timeouts.of(deployment).copy_poll_ms;
    switch (seen.state) {
      case 'running':
        return { retry_at: again, reason: BACKUP_MESSAGES.progress({ percent: seen.percent ?? 0 }) };
      case 'failed':
        await this.copies.stop(place, job, signal);
        throw new StepError(reasonOf(seen), { permanent: seen.exit !== 11 && seen.why !== 'target_silent' });
      case 'done':
        return {
          done: true,
          memory: { restore_job: job },
          // From here on, the files of the release come first, and a failure puts those from before back.
          ...(restore.kind === 'in_place' && backup.release !== restore.release_before
            ? { commit: (tx: Tx) => writeRelease(tx, deployment.id, backup.release) }
            : {}),
        };
      case 'none': {
        const store = this.stores.of(repository.mode);
        const environment = store.hostEnvironment(repository);
        const wanted = { snapshotId: backup.snapshot_id ?? '', bytes: backup.bytes ?? 0 };
        try {
          await store.open(repository, signal);
        } catch (error) {
          const problem = problemOf(error);
          throw problem === null ? error : new StepError(problem, { cause: error });
        }
        await this.copies.start(place, { act: 'restore', job, environment, ...wanted }, signal);
        return { retry_at: now, reason: BACKUP_MESSAGES.progress({ percent: 0 }) };
      }
    }
  }
}

/** Returns a job name per attempt, because the state of the previous attempt is still on the server. */
const restoreJob = ({ id }: RestoreRow, attempts: number): string => `r${id}-${attempts}`;
