import { DAY_MS, type Instant, MINUTE_MS } from '../time';

const MINUTES_OF_A_DAY = DAY_MS / MINUTE_MS;

/**
 * Returns the minute of the day (UTC) at which a deployment is backed up. It is the same every day and spreads
 * deployments evenly.
 */
export function backupMinute(ref: string): number {
  // FNV-1a, 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/)
  let hash = 0x811c9dc5;
  for (const character of ref) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0) % MINUTES_OF_A_DAY;
}

/** Returns the next daily backup time later than `after`. */
export function nextBackupAt(ref: string, after: Instant): Instant {
  const today = Math.floor(after / DAY_MS) * DAY_MS + backupMinute(ref) * MINUTE_MS;
  return today > after ? today : today + DAY_MS;
}

/**
 * Number of attempts of a failed backup, with growing pauses. The last backup before a destroy is retried within an
 * hour.
 */
export const BACKUP_ATTEMPTS_MAX = 3;
export const BACKUP_PAUSES_MS: readonly number[] = [5 * MINUTE_MS, 20 * MINUTE_MS];
