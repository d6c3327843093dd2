import type { Backups, Copy } from '../../data/backups';
import { nearInstant } from '../../ui/dates';
import { takenAt } from './calendar';

/** `today, 03:12`, of UTC. */
export const copyName = (copy: Copy, now: number): string => nearInstant(takenAt(copy), now);

/** Capitalises the first letter. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The duration of the backup, or null until it has ended. */
export function tookMs({ started_at: from, finished_at: to }: Copy): number | null {
  return from === null || to === null ? null : Date.parse(to) - Date.parse(from);
}

export const newestComplete = (copies: readonly Copy[]): Copy | undefined =>
  copies.find(({ state }) => state === 'complete');

/** The newest copy that was there when something looked at the copies. */
export function newestBefore(copies: readonly Copy[], at: string): Copy | undefined {
  return copies.find(({ state, finished_at: finished }) => state === 'complete' && finished !== null && finished <= at);
}

/** The support level keeps no backups, and no earlier copies are left either. */
export const isLevelWithout = ({ mode, days, kept_until: until }: Backups): boolean =>
  mode !== 'off' && days === 0 && until === null;

/** A copy is kept that can be restored. */
export const hasCopies = ({ copies }: Backups): boolean => copies.some(({ state }) => state === 'complete');
