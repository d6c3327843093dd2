import { type Instant, iso, type MoveKind, type MoveState } from '@moorage/domain';
import type { Tx } from '@moorage/server';

/** A row of `moves`. */
export interface MoveRow {
  readonly id: number;
  readonly source_id: number;
  readonly target_id: number;
  readonly kind: MoveKind;
  readonly state: MoveState;
  readonly requested_at: Instant;
  /** Time at which the target was ready with the data. */
  readonly switched_at: Instant | null;
  /** Time at which the source is removed, or null unless the move waits for that. */
  readonly remove_at: Instant | null;
  readonly finished_at: Instant | null;
}

const IS_OPEN = `state in ('running', 'waiting')`;

/** Returns the move or clone from or to a deployment that has not ended, or null if there is none. */
export async function openMove(tx: Tx, deploymentId: number): Promise<MoveRow | null> {
  const [row] = await tx.query<MoveRow>(
    `select * from moves where (source_id = $1 or target_id = $1) and ${IS_OPEN} limit 1`,
    [deploymentId],
  );
  return row ?? null;
}

/** Returns the move or clone that created a deployment and has not ended, or null if there is none. */
export async function openMoveTo(tx: Tx, deploymentId: number): Promise<MoveRow | null> {
  const [row] = await tx.query<MoveRow>(`select * from moves where target_id = $1 and ${IS_OPEN}`, [deploymentId]);
  return row ?? null;
}

/** Inserts a move. The caller has locked its source and checked that no other move of it is open. */
export async function insertMove(
  tx: Tx,
  { sourceId, targetId, kind, by, at }: { sourceId: number; targetId: number; kind: MoveKind; by: number; at: Instant },
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into moves (source_id, target_id, kind, state, requested_by, requested_at)
     values ($1, $2, $3, 'running', $4, $5) returning id`,
    [sourceId, targetId, kind, by, iso(at)],
  );
  if (row === undefined) throw new Error('the insert of a move returned no row');
  return row.id;
}
