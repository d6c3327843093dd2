import { type DeploymentRow, Deployments, type MoveRow, openMove } from '@moorage/database';
import { type Instant, iso, refusalToRemoveSource } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

const BATCH = 100;

const DUE = `
select m.id, m.source_id, d.user_id from moves m join deployments d on d.id = m.source_id
where m.state = 'waiting' and m.remove_at <= $1 and m.id > $2 order by m.id limit ${BATCH}`;

interface DueMove {
  readonly id: number;
  readonly source_id: number;
  readonly user_id: number;
}

/** Matches a target that its provider does not list, or that does not respond, at the moment. */
const IN_DOUBT = `
select 1 from servers where deployment_id = $1 and missed_at is not null
union all
select 1 from reachability where deployment_id = $1 and state = 'unreachable'
limit 1`;

/** Removes the old servers of moves in time. Their owners may do so earlier through the api. */
@Injectable()
export class MovedSources {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly ledger: Ledger,
    private readonly deployments: Deployments,
  ) {}

  /**
   * Removes every old server whose time is over, each in its own transaction. One that has to stay is checked again by
   * the next call.
   */
  async removeDue({ at }: { at?: Instant | undefined } = {}): Promise<{ removed: number }> {
    let removed = 0;
    for (let after = 0; ;) {
      const moves = await this.db.tx('moves.due', async (tx) =>
        tx.query<DueMove>(DUE, [iso(at ?? (await this.clock.now(tx))), after]),
      );
      for (const move of moves) if (await this.tryToRemove(move, at)) removed += 1;
      const last = moves.at(-1);
      if (last === undefined || moves.length < BATCH) return { removed };
      after = last.id;
    }
  }

  private async tryToRemove(move: DueMove, at: Instant | undefined): Promise<boolean> {
    try {
      return await this.db.tx('moves.remove-source', async (tx) =>
        this.remove(tx, move, at ?? (await this.clock.now(tx))),
      );
    } catch (error) {
      this.log.error('old server of a move could not be removed', { deployment_id: move.source_id, error });
      return false;
    }
  }

  /**
   * Stops the source as a delete by its owner does. Decides only by what it reads with the locks, and keeps the source
   * while its deletion is locked or the target is in doubt.
   */
  private async remove(tx: Tx, { source_id: id, user_id: userId }: DueMove, at: Instant): Promise<boolean> {
    const { billableTo } = await this.ledger.prepareStop(tx, { userId, deploymentId: id, at });
    const source = await this.deployments.lock(tx, id);
    const move = await openMove(tx, id);
    const target = move === null ? null : await this.deployments.lock(tx, move.target_id);
    if (source === null || target === null || !(await mayRemove(tx, { move, source, target, at }))) return false;
    await this.deployments.move(tx, source, {
      to: 'DESTROYING',
      by: 'billing',
      at,
      changes: {
        desired: 'destroyed',
        destroy_reason: 'deleted',
        ...(billableTo === null ? {} : { billable_to: billableTo }),
      },
    });
    await this.ledger.stop(tx, { userId, deploymentId: id, at });
    return true;
  }
}

async function mayRemove(
  tx: Tx,
  { move, source, target, at }: { move: MoveRow | null; source: DeploymentRow; target: DeploymentRow; at: Instant },
): Promise<boolean> {
  if (refusalToRemoveSource(move, { source, target }) !== null || source.deletion_locked) return false;
  if (move === null || move.source_id !== source.id || move.remove_at === null || move.remove_at > at) return false;
  return (await tx.query(IN_DOUBT, [target.id])).length === 0;
}
