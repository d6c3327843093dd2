import type { LogLine } from '../../../data/logs';

/** Levels between which the segments choose. Warnings do not include errors. */
export const SHOWN_LEVELS = ['all', 'warning', 'error'] as const;
export type ShownLevel = (typeof SHOWN_LEVELS)[number];

export interface LineChoice {
  readonly text: string;
  readonly level: ShownLevel;
  /** Null for all containers. */
  readonly container: string | null;
}

const isChosen =
  ({ text, container }: LineChoice) =>
  (line: LogLine): boolean =>
    (container === null || line.container === container) && line.text.toLowerCase().includes(text.trim().toLowerCase());

/** Returns the older lines of the server and the loaded lines that are chosen, oldest first, with the counts per level. */
export function shownLines(
  { older, loaded }: { older: readonly LogLine[]; loaded: readonly LogLine[] },
  choice: LineChoice,
): { older: readonly LogLine[]; loaded: readonly LogLine[]; counts: Readonly<Record<ShownLevel, number>> } {
  const first = loaded[0]?.at;
  // The server also finds lines that are loaded.
  const before = older.filter((line) => first === undefined || line.at < first).filter(isChosen(choice));
  const lines = loaded.filter(isChosen(choice));
  const ofLevel = (list: readonly LogLine[], level: ShownLevel): readonly LogLine[] =>
    level === 'all' ? list : list.filter((line) => line.level === level);
  const count = (level: ShownLevel): number => ofLevel(before, level).length + ofLevel(lines, level).length;
  return {
    older: ofLevel(before, choice.level),
    loaded: ofLevel(lines, choice.level),
    counts: { all: count('all'), warning: count('warning'), error: count('error') },
  };
}

/** Returns the lines as a text file, with times in UTC. */
export const fileOf = (lines: readonly LogLine[]): string =>
  lines
    .map(({ at, container, level, text }) => `${at} ${container} ${level === 'none' ? '-' : level} ${text}\n`)
    .join('');

export const fileName = (name: string, now: number): string => {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `logs-${plain === '' ? 'deployment' : plain}-${new Date(now).toISOString().slice(0, 16).replace(':', '')}Z.txt`;
};
