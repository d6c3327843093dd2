import type { SupportLevel } from '../deployment/support-level';
import { DAY_MS, dayOf, type Instant } from '../time';
import { BACKUP_DAYS, type BackupKind, type BackupRemoval, BACKUPS_KEPT_AFTER_LEAVING_MS, hasBackups } from './backups';

/** A complete copy whose data is kept. */
export interface KeptCopy {
  readonly id: number;
  readonly kind: BackupKind;
  readonly takenAt: Instant;
}

export interface RetentionQuestion {
  readonly copies: readonly KeptCopy[];
  /** How many days the level keeps. 0: it keeps none, and only `endsAt` says when the copies go. */
  readonly days: number;
  /** From then on no copy is kept; null: backups go on. */
  readonly endsAt: Instant | null;
  /** Bytes that the repository takes, and how many are included. */
  readonly usedBytes: number;
  readonly quotaBytes: number;
  readonly now: Instant;
}

export interface CopyToRemove {
  readonly id: number;
  readonly because: BackupRemoval;
}

/**
 * The copies that are no longer kept. Daily retention counts days that have a copy, so an outage of ours costs nobody a
 * copy: the newest copy of each of the last `days` such days stays. Copies that somebody asked for, or that were taken
 * before a change, stay for as many days as daily ones do. The newest copy always stays until `endsAt`.
 * Of a repository that is over its quota only the oldest copy is named: what it frees is known once it is gone.
 */
export function copiesToRemove({
  copies,
  days,
  endsAt,
  usedBytes,
  quotaBytes,
  now,
}: RetentionQuestion): CopyToRemove[] {
  if (endsAt !== null && now >= endsAt) return copies.map(({ id }) => ({ id, because: 'ended' }));
  const newestFirst = [...copies].sort((a, b) => b.takenAt - a.takenAt || b.id - a.id);
  const [newest, ...others] = newestFirst;
  if (newest === undefined) return [];
  const keptDays = newestOfDays(newestFirst).slice(0, days);
  const isKept = (copy: KeptCopy): boolean =>
    keptDays.includes(copy) || (copy.kind !== 'scheduled' && now - copy.takenAt < days * DAY_MS);
  const expired = days === 0 ? [] : others.filter((copy) => !isKept(copy));
  if (expired.length > 0) return expired.map(({ id }) => ({ id, because: 'retention' }));
  const oldest = others.at(-1);
  return usedBytes > quotaBytes && oldest !== undefined ? [{ id: oldest.id, because: 'quota' }] : [];
}

/** The newest copy of each day that has one. */
function newestOfDays(newestFirst: readonly KeptCopy[]): KeptCopy[] {
  const byDay = new Map<string, KeptCopy>();
  for (const copy of newestFirst) if (!byDay.has(dayOf(copy.takenAt))) byDay.set(dayOf(copy.takenAt), copy);
  return [...byDay.values()];
}

/**
 * Until when copies are kept once a deployment has no backups any more: as its level says when it is gone, and for a week
 * when it was changed to a level without backups.
 */
export function copiesKeptUntil(
  { level, isGone }: { readonly level: SupportLevel; readonly isGone: boolean },
  at: Instant,
): Instant {
  return at + (isGone && hasBackups(level) ? BACKUP_DAYS[level] * DAY_MS : BACKUPS_KEPT_AFTER_LEAVING_MS);
}
