import { BACKUP_WORK } from '@moorage/contracts';
import { type BackupRow, findBackup, openBackup, requestBackup } from '@moorage/database';
import { BACKUP_MESSAGES, type BackupKind, type Instant, iso, type Message } from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

/** Returns what a step says while it waits for a backup. */
export const backupProgress = ({ percent }: Pick<BackupRow, 'percent'>): Message =>
  percent === null ? BACKUP_MESSAGES.taking_backup : BACKUP_MESSAGES.progress({ percent });

/** Requests the backup that a step of a run needs. */
@Injectable()
export class NewestBackup {
  constructor(private readonly work: WorkSchedule) {}

  /**
   * Returns the deployment's backup of this kind since `since`, which is requested once. Returns null while another
   * backup is running. A backup that is only waiting becomes this one. The caller has locked the deployment.
   */
  async request(
    tx: Tx,
    { deploymentId, kind, since, at }: { deploymentId: number; kind: BackupKind; since: Instant; at: Instant },
  ): Promise<BackupRow | null> {
    const [known] = await tx.query<{ id: number }>(
      'select id from backups where deployment_id = $1 and kind = $2 and requested_at >= $3 order by id desc limit 1',
      [deploymentId, kind, iso(since)],
    );
    const id = known?.id ?? (await this.add(tx, { deploymentId, kind, at }));
    return id === null ? null : findBackup(tx, id);
  }

  private async add(
    tx: Tx,
    requested: { readonly deploymentId: number; readonly kind: BackupKind; readonly at: Instant },
  ): Promise<number | null> {
    const open = await openBackup(tx, requested.deploymentId);
    if (open === null) return requestBackup(tx, this.work, requested);
    if (open.state === 'running') return null;
    await tx.execute(
      `update backups set kind = $2, requested_at = $3, attempts = 0, retry_at = null, failure_reason = null,
         failure_code = null, failure_facts = null where id = $1`,
      [open.id, requested.kind, iso(requested.at)],
    );
    await this.work.schedule(tx, { kind: BACKUP_WORK, key: String(open.id), due_at: requested.at });
    return open.id;
  }
}
