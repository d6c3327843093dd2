import { messageColumns, openRestore, failureOf } from '@moorage/database';
import { BACKUP_MESSAGES, type Instant, iso, joined, type Message, RESTORE_UNDO_MS } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

/** What becomes of restores. The runs carry them out; all of it in the transaction that ends or begins a run. */
@Injectable()
export class Restores {
  /** The restored data is in use. In place, the data from before is kept for a day, and that of an earlier restore no longer. */
  async finish(tx: Tx, deploymentId: number, at: Instant): Promise<void> {
    const restore = await openRestore(tx, deploymentId);
    if (restore === null) return;
    await tx.execute(
      `update restores set before_removed_at = $2, undo_until = null
         where deployment_id = $1 and undo_until is not null and before_removed_at is null`,
      [deploymentId, iso(at)],
    );
    await tx.execute(`update restores set state = 'done', finished_at = $2, undo_until = $3 where id = $1`, [
      restore.id,
      iso(at),
      restore.kind === 'in_place' ? iso(at + RESTORE_UNDO_MS) : null,
    ]);
  }

  /** The data from before is back. Resolves with why, when nobody asked for it; null: its owner did. */
  async undone(tx: Tx, deploymentId: number, at: Instant): Promise<Message | null> {
    const restore = await openRestore(tx, deploymentId);
    if (restore === null) return null;
    const failure = failureOf(restore);
    await tx.execute(
      `update restores set state = $2, finished_at = $3, undo_until = null, before_removed_at = $3 where id = $1`,
      [restore.id, failure === null ? 'undone' : 'failed', iso(at)],
    );
    return failure;
  }

  /** It failed once the restored data was in place: from now on it is being undone. */
  async takeBack(tx: Tx, deploymentId: number, reason: Message): Promise<void> {
    await tx.execute(
      `update restores set state = 'undoing', failure_reason = $2, failure_code = $3, failure_facts = $4
         where deployment_id = $1 and state = 'running'`,
      [deploymentId, ...messageColumns(joined([BACKUP_MESSAGES.restored_unhealthy, reason]))],
    );
  }

  /** A restore that failed before anything was replaced is over; an undo that failed can be asked for again. */
  async fail(tx: Tx, deploymentId: number, at: Instant, reason: Message): Promise<void> {
    const restore = await openRestore(tx, deploymentId);
    if (restore === null) return;
    const canBeUndone = restore.state === 'undoing' && restore.undo_until !== null && restore.undo_until > at;
    await tx.execute(
      `update restores set state = $2, finished_at = $3, failure_reason = $4, failure_code = $5, failure_facts = $6 where id = $1`,
      [restore.id, canBeUndone ? 'done' : 'failed', iso(at), ...messageColumns(canBeUndone ? null : reason)],
    );
  }
}
