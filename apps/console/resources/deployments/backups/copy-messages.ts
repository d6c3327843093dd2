import type { Backups, Copy } from '../../../data/backups';
import { nearInstant } from '../../../ui/dates';
import { takenAt } from './calendar';

/** Name of a copy in UTC, such as `today, 03:12`. */
export const copyName = (copy: Copy, now: number): string => nearInstant(takenAt(copy), now);

/** Capitalises the first letter. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the duration of the backup, or null until it has ended. */
export function tookMs({ started_at: from, finished_at: to }: Copy): number | null {
  return from === null || to === null ? null : Date.parse(to) - Date.parse(from);
}

export const newestComplete = (copies: readonly Copy[]): Copy | undefined =>
  copies.find(({ state }) => state === 'complete');

/** Returns the version of a copy's data if the deployment runs another one, otherwise null. */
export const otherRelease = ({ release }: Copy, { release: running }: Pick<Backups, 'release'>): string | null =>
  release === running ? null : release;

/** Returns the newest copy that existed when the copies were checked. */
export function newestBefore(copies: readonly Copy[], at: string): Copy | undefined {
  return copies.find(({ state, finished_at: finished }) => state === 'complete' && finished !== null && finished <= at);
}

/** Returns whether the support level keeps no backups and no earlier copies are left. */
export const isLevelWithout = ({ mode, days, kept_until: until }: Backups): boolean =>
  mode !== 'off' && days === 0 && until === null;

/** Returns whether a restorable copy exists. */
export const hasCopies = ({ copies }: Backups): boolean => copies.some(({ state }) => state === 'complete');
