import { messageColumns, openRestore, failureOf } from '@moorage/database';
import { type Instant, iso, type Message, RESTORE_UNDO_MS } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

/** Records the outcome of restores, in the transaction that ends or starts their run. */
@Injectable()
export class Restores {
  /** The restored data is in use. In place, the data from before is kept for a day, and that of an earlier restore no longer. */
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

  /** The data from before is back. Resolves with why, when nobody asked for it; null: its owner did. */
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

  /** It failed when the restored data may have been in place already: from now on it is being undone. */
  async takeBack(tx: Tx, deploymentId: number, reason: Message): Promise<void> {
    await tx.execute(
      `update restores set state = 'undoing', failure_reason = $2, failure_code = $3, failure_facts = $4
         where deployment_id = $1 and state = 'running'`,
      [deploymentId, ...messageColumns(reason)],
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
