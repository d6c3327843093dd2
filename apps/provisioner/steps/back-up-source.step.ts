import {
  type BackupRow,
  type DeploymentRow,
  Deployments,
  failureOf,
  openMoveTo,
  requestRestore,
} from '@moorage/database';
import { BACKUP_MESSAGES, hasBackups, iso, joined, MOVE_COPY_MS, MOVE_MESSAGES, STEP_MESSAGES } from '@moorage/domain';
import { Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { BackupOptions } from '../backups/backup-options';
import { backupProgress, NewestBackup } from '../backups/newest-backup.service';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { RunTimeouts } from '../runs/step-timeouts';

@Injectable()
export class BackUpSourceStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly deployments: Deployments,
    private readonly newest: NewestBackup,
    private readonly options: BackupOptions,
    private readonly timeouts: RunTimeouts,
  ) {}

  /**
   * Backs up the deployment whose data the new one gets, once the new server is ready, so that little of what is
   * written meanwhile is missing. The next step restores this backup.
   */
  async run(context: StepContext): Promise<StepOutcome> {
    const { deployment, now } = context;
    const found = await this.db.tx('back-up-source.ask', (tx) => this.request(tx, context));
    if (found === 'gone') return { failed: MOVE_MESSAGES.source_gone };
    const again = now + this.timeouts.of(deployment).copy_poll_ms;
    if (found === null) return { retry_at: again, reason: BACKUP_MESSAGES.taking_backup };
    switch (found.state) {
      case 'complete':
        return { done: true, commit: (tx) => this.restore(tx, context, found) };
      case 'failed':
      case 'removed':
        return { failed: joined([STEP_MESSAGES.back_up_source, failureOf(found) ?? BACKUP_MESSAGES.failed]) };
      case 'waiting':
      case 'running':
        return { retry_at: again, reason: backupProgress(found) };
    }
  }

  /** Requests the backup once. Returns null while another backup of the source is running. */
  private async request(
    tx: Tx,
    { deployment, startedAt, now, assertLease }: StepContext,
  ): Promise<BackupRow | 'gone' | null> {
    const move = await openMoveTo(tx, deployment.id);
    const source = move === null ? null : await this.deployments.lock(tx, move.source_id);
    if (source === null) return 'gone';
    if (!hasBackups(source.support_level)) await this.storeForTheMove(tx, source, now + MOVE_COPY_MS);
    const backup = await this.newest.request(tx, {
      deploymentId: source.id,
      kind: 'before_move',
      since: startedAt,
      at: now,
    });
    await assertLease(tx);
    return backup?.state !== 'complete' && source.desired === 'destroyed' ? 'gone' : backup;
  }

  /** Opens the repository of a source whose support level has no backups, until the move has ended. */
  private async storeForTheMove(tx: Tx, source: DeploymentRow, until: number): Promise<void> {
    const mode = this.options.modeOf(source);
    if (mode === 'off') return;
    await tx.execute(
      `insert into backup_repositories as r (deployment_id, mode, created_at, ends_at, tend_at) values ($1, $2, $3, $4, $4)
       on conflict (deployment_id) do update set removed_at = null, ends_at = greatest(r.ends_at, $4),
         tend_at = coalesce(r.tend_at, $4)`,
      [source.id, mode, iso(until - MOVE_COPY_MS), iso(until)],
    );
  }

  private async restore(tx: Tx, { deployment, now }: StepContext, backup: BackupRow): Promise<void> {
    await requestRestore(tx, { deploymentId: deployment.id, backup, kind: 'new', at: now });
  }
}
