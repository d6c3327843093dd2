import { findRepository, hasCopies } from '@moorage/database';
import { copiesKeptUntil, type Instant, type SupportLevel } from '@moorage/domain';
import type { Tx } from '@moorage/server';

/**
 * Until when the copies of a deployment are kept that loses its backups now, because it is deleted or changes to another
 * level; null: it has no copies.
 */
export async function keptUntil(
  tx: Tx,
  { id, level, isGone, at }: { id: number; level: SupportLevel; isGone: boolean; at: Instant },
): Promise<Instant | null> {
  if (!(await hasCopies(tx, id))) return null;
  const ended = (await findRepository(tx, id))?.ends_at ?? null;
  return ended ?? copiesKeptUntil({ level, isGone }, at);
}
