import { APPLY_DOMAINS, event } from '@moorage/contracts';
import { type DeploymentRow, failureOf, type MoveRow } from '@moorage/database';
import { displayName, type Instant, iso, isoOrNull, MOVE_WAIT_MS, nextStateOfMove } from '@moorage/domain';
import { Outbox, WorkSchedule } from '@moorage/messaging';
import { Clock, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

/** Records how far moves and clones are. Their two deployments decide it. */
@Injectable()
export class FollowMoves {
  constructor(
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly work: WorkSchedule,
  ) {}

  /**
   * Handles every change of the two deployments in the same way, by their current rows. The lock on the move makes the
   * later of two handlers see both changes, so neither deployment needs to be locked.
   */
  async follow(tx: Tx, deploymentId: number): Promise<void> {
    const [move] = await tx.query<MoveRow>(
      `select * from moves where (source_id = $1 or target_id = $1) and state in ('running', 'waiting') for update`,
      [deploymentId],
    );
    if (move === undefined) return;
    const rows = await tx.query<DeploymentRow>('select * from deployments where id in ($1, $2)', [
      move.source_id,
      move.target_id,
    ]);
    const source = rows.find(({ id }) => id === move.source_id);
    const target = rows.find(({ id }) => id === move.target_id);
    if (source === undefined || target === undefined) return;
    const state = nextStateOfMove(move, { source, target });
    if (state === null) return;
    const at = await this.clock.now(tx);
    const isWaiting = state === 'waiting';
    const arrives = isWaiting || (state === 'done' && move.state === 'running');
    const removeAt = isWaiting ? at + MOVE_WAIT_MS : null;
    await tx.execute(
      `update moves set state = $2, switched_at = coalesce(switched_at, $3), remove_at = $4, finished_at = $5 where id = $1`,
      [move.id, state, arrives ? iso(at) : null, isoOrNull(removeAt), isWaiting ? null : iso(at)],
    );
    if (move.kind === 'move' && arrives) await this.transferDomains(tx, { from: source.id, to: target.id, at });
    // The old server stays.
    if (move.state === 'waiting' && (state === 'cancelled' || state === 'failed'))
      await this.transferDomains(tx, { from: target.id, to: source.id, at });
    await this.outbox.append(
      tx,
      event('deployment.move_changed', target.id, {
        deployment_id: target.id,
        user_id: target.user_id,
        client_name: displayName(target),
        kind: move.kind,
        state,
        source_id: source.id,
        remove_at: isoOrNull(removeAt),
        failure: state === 'failed' ? failureOf(target) : null,
      }),
    );
  }

  /**
   * Assigns further domains to the other deployment, which sets them up anew once their records point to its server.
   */
  private async transferDomains(tx: Tx, { from, to, at }: { from: number; to: number; at: Instant }): Promise<void> {
    const moved = await tx.execute(
      `update deployment_domains set deployment_id = $2, record = null, certificate = null, checked_at = null,
         applied_at = null, failure_reason = null, failure_code = null, failure_facts = null
       where deployment_id = $1 and removed_at is null and given_up_at is null`,
      [from, to],
    );
    if (moved > 0) await this.work.schedule(tx, { kind: APPLY_DOMAINS, key: String(to), due_at: at });
  }
}
