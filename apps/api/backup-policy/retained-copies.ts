import { findRepository, hasCopies } from '@moorage/database';
import { copiesKeptUntil, type Instant, type SupportLevel } from '@moorage/domain';
import type { Tx } from '@moorage/server';

/**
 * Returns the time until which the copies are stored of a deployment that is losing its backups, because it is deleted
 * or changes its level. Returns null if it has no copies.
 */
export async function keptUntil(
  tx: Tx,
  { id, level, isGone, at }: { id: number; level: SupportLevel; isGone: boolean; at: Instant },
): Promise<Instant | null> {
  if (!(await hasCopies(tx, id))) return null;
  const ended = (await findRepository(tx, id))?.ends_at ?? null;
  return ended ?? copiesKeptUntil({ level, isGone }, at);
}
