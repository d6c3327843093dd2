import type { SupportLevel } from '../deployment/support-level';
import { DAY_MS, dayOf, type Instant } from '../time';
import {
  BACKUP_DAYS,
  type BackupKind,
  type BackupRemoval,
  BACKUP_RETENTION_AFTER_LEAVING_MS,
  hasBackups,
} from './backups';

/** A complete backup that is still stored. */
export interface StoredCopy {
  readonly id: number;
  readonly kind: BackupKind;
  readonly takenAt: Instant;
}

export interface RetentionQuestion {
  readonly copies: readonly StoredCopy[];
  /** Number of days the support level retains. With 0, only `endsAt` decides when the backups are removed. */
  readonly days: number;
  /** Time from which no backup is retained, or null if backups continue. */
  readonly endsAt: Instant | null;
  /** Bytes used by the repository, and bytes included in the support level. */
  readonly usedBytes: number;
  readonly quotaBytes: number;
  readonly now: Instant;
}

export interface CopyToRemove {
  readonly id: number;
  readonly because: BackupRemoval;
}

/**
 * Returns the backups that are no longer retained.
 *
 * Daily retention counts days that have a backup, so an outage of the platform costs no customer a backup. The newest
 * backup of each of the last `days` such days is retained. Backups on request, or before a change, are retained for the
 * same number of days as daily backups. The newest backup is always retained until `endsAt`.
 *
 * If a repository exceeds its quota, only the oldest backup is returned, because the space it frees is known only after
 * its removal.
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
  const isStored = (copy: StoredCopy): boolean =>
    keptDays.includes(copy) || (copy.kind !== 'scheduled' && now - copy.takenAt < days * DAY_MS);
  const expired = days === 0 ? [] : others.filter((copy) => !isStored(copy));
  if (expired.length > 0) return expired.map(({ id }) => ({ id, because: 'retention' }));
  const oldest = others.at(-1);
  return usedBytes > quotaBytes && oldest !== undefined ? [{ id: oldest.id, because: 'quota' }] : [];
}

/** Returns the newest backup of each day that has a backup. */
function newestOfDays(newestFirst: readonly StoredCopy[]): StoredCopy[] {
  const byDay = new Map<string, StoredCopy>();
  for (const copy of newestFirst) if (!byDay.has(dayOf(copy.takenAt))) byDay.set(dayOf(copy.takenAt), copy);
  return [...byDay.values()];
}

/**
 * Returns until when backups are retained after backups end. A destroyed deployment keeps the retention of its level. A
 * change to a level without backups leaves a week.
 */
export function copiesKeptUntil(
  { level, isGone }: { readonly level: SupportLevel; readonly isGone: boolean },
  at: Instant,
): Instant {
  return at + (isGone && hasBackups(level) ? BACKUP_DAYS[level] * DAY_MS : BACKUP_RETENTION_AFTER_LEAVING_MS);
}
