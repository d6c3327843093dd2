import { type BackupRow, Deployments, failureOf } from '@moorage/database';
import { BACKUP_MESSAGES, type BackupKind, HOUR_MS, joined, type Plan, STEP_MESSAGES } from '@moorage/domain';
import { Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { backupProgress, NewestBackup } from '../backups/newest-backup.service';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { RunTimeouts } from '../runs/step-timeouts';

/** Time limit for the last backup before a destroy, which then continues without it. */
const LAST_BACKUP_MS = HOUR_MS;

/** Kinds of the backups of plans. */
const KIND_OF: Readonly<Partial<Record<Plan, BackupKind>>> = {
  destroy: 'last',
  resize: 'before_resize',
  update: 'before_update',
};

@Injectable()
export class BackUpStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly deployments: Deployments,
    private readonly newest: NewestBackup,
    private readonly timeouts: RunTimeouts,
  ) {}

  /** Requests a backup and waits for it. Without the backup, a restore or resize fails, but a destroy continues. */
  async run(context: StepContext): Promise<StepOutcome> {
    const { run, deployment, now, startedAt } = context;
    const isLast = run.plan === 'destroy';
    const backup = await this.db.tx('back-up.ask', (tx) =>
      this.requestNewest(tx, context, KIND_OF[run.plan] ?? 'before_restore'),
    );
    const pollAt = now + this.timeouts.of(deployment).copy_poll_ms;
    if (isLast && now >= startedAt + LAST_BACKUP_MS && backup?.state !== 'complete') {
      return { done: true, message: BACKUP_MESSAGES.last_failed };
    }
    // Another backup is in progress, and its data may be older.
    if (backup === null) return { retry_at: pollAt, reason: BACKUP_MESSAGES.taking_backup };
    switch (backup.state) {
      case 'complete':
      case 'removed':
        return { done: true };
      case 'failed': {
        const why = failureOf(backup) ?? BACKUP_MESSAGES.failed;
        return isLast
          ? { done: true, message: BACKUP_MESSAGES.last_failed }
          : { failed: joined([STEP_MESSAGES.back_up, why]) };
      }
      case 'waiting':
      case 'running':
        return { retry_at: pollAt, reason: backupProgress(backup) };
    }
  }

  /** Requests this run's backup once. Returns null while another backup is running. */
  private async requestNewest(
    tx: Tx,
    { run, deployment, now, assertLease }: StepContext,
    kind: BackupKind,
  ): Promise<BackupRow | null> {
    await this.deployments.lock(tx, deployment.id);
    const backup = await this.newest.request(tx, {
      deploymentId: deployment.id,
      kind,
      since: run.started_at,
      at: now,
    });
    await assertLease(tx);
    return backup;
  }
}
