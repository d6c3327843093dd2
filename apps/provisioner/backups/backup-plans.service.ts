import { type BackupRepositoryRow, type DeploymentRow, Deployments, findRepository } from '@moorage/database';
import { BACKED_UP, copiesKeptUntil, type DeploymentStatus, hasBackups, iso, nextBackupAt } from '@moorage/domain';
import { OnEvent } from '@moorage/runtime';
import { Clock, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { BackupOptions } from './backup-options';

const GONE: readonly DeploymentStatus[] = ['DESTROYED', 'DELETED'];

/** Plans daily backups, and sets the date until which copies are retained after backups have ended. */
@Injectable()
export class BackupPlans {
  constructor(
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly options: BackupOptions,
  ) {}

  @OnEvent('deployment.status_changed', 'deployment.support_level_changed')
  async changed(tx: Tx, { data }: { readonly data: { readonly deployment_id: number } }): Promise<void> {
    const row = await this.deployments.lock(tx, data.deployment_id);
    if (row !== null) await this.follow(tx, row);
  }

  /** Updates the plan to match the current row. Idempotent. */
  async follow(tx: Tx, row: DeploymentRow): Promise<void> {
    const now = await this.clock.now(tx);
    const repository = await findRepository(tx, row.id);
    const mode = this.options.modeOf(row);
    const isGone = GONE.includes(row.status);
    if (mode !== 'off' && hasBackups(row.support_level) && BACKED_UP.includes(row.status)) {
      if (repository !== null && repository.due_at !== null && repository.ends_at === null) return;
      await tx.execute(
        `insert into backup_repositories (deployment_id, mode, created_at, due_at, tend_at) values ($1, $2, $3, $4, $3)
         on conflict (deployment_id) do update set created_at = $3, due_at = $4, tend_at = $3, ends_at = null, removed_at = null`,
        [row.id, mode, iso(now), iso(nextBackupAt(row.ref, now))],
      );
    } else if (repository !== null && repository.removed_at === null && (isGone || !hasBackups(row.support_level))) {
      if (repository.ends_at !== null) return;
      const ends = copiesKeptUntil({ level: row.support_level, isGone }, now);
      await tx.execute(
        'update backup_repositories set due_at = null, ends_at = $2, tend_at = least(coalesce(tend_at, $2), $2) where deployment_id = $1',
        [row.id, iso(ends)],
      );
    } else if (isPlanned(repository) && ['FAILED', 'DESTROYING'].includes(row.status)) {
      // The final status decides how long its copies are retained.
      await tx.execute('update backup_repositories set due_at = null where deployment_id = $1', [row.id]);
    }
  }
}

const isPlanned = (repository: BackupRepositoryRow | null): boolean =>
  repository !== null && repository.due_at !== null;
