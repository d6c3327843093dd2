import { failureOf, messageColumns, openRestore, writeRelease } from '@moorage/database';
import { type Instant, iso, type Message, RESTORE_UNDO_MS } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

/** Records the outcome of restores, in the transaction that ends or starts their run. */
@Injectable()
export class Restores {
  /**
   * Records that the restored data is in use. After a restore in place, the data from before is retained for a day, and
   * that of an earlier restore is no longer retained.
   */
  async finish(tx: Tx, deploymentId: number, at: Instant): Promise<void> {
    const restore = await openRestore(tx, deploymentId);
    if (restore === null) return;
    await tx.execute(
      'update restores set undo_until = null, tidy_at = null where deployment_id = $1 and tidy_at is not null',
      [deploymentId],
    );
    await tx.execute(
      `update restores set state = 'done', finished_at = $2, undo_until = $3, tidy_at = $3 where id = $1`,
      [restore.id, iso(at), restore.kind === 'in_place' ? iso(at + RESTORE_UNDO_MS) : null],
    );
  }

  /**
   * Records that the data from before the restore is back. Resolves with the failure that caused the undo, or null if
   * the owner requested it.
   */
  async undone(tx: Tx, deploymentId: number, at: Instant): Promise<Message | null> {
    const restore = await openRestore(tx, deploymentId);
    if (restore === null) return null;
    const failure = failureOf(restore);
    await tx.execute(
      'update restores set state = $2, finished_at = $3, undo_until = null, tidy_at = null where id = $1',
      [restore.id, failure === null ? 'undone' : 'failed', iso(at)],
    );
    return failure;
  }

  /** Marks a failed restore as being undone, because the restored data may already be in place. */
  async takeBack(tx: Tx, deploymentId: number, reason: Message): Promise<void> {
    const restore = await openRestore(tx, deploymentId);
    if (restore?.kind === 'in_place') await writeRelease(tx, deploymentId, restore.release_before);
    await tx.execute(
      `update restores set state = 'undoing', failure_reason = $2, failure_code = $3, failure_facts = $4
         where deployment_id = $1 and state = 'running'`,
      [deploymentId, ...messageColumns(reason)],
    );
  }

  /**
   * Records a failure. A restore that failed before anything was replaced has ended. An undo that failed can be
   * requested again.
   */
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
