import { logLevel, type LogLevel, type Masker, type RawLogLine } from '@moorage/domain';

/** A line to store. */
export interface NewLine {
  readonly stamp: string;
  readonly container: string;
  readonly level: LogLevel;
  readonly text: string;
}

/** Newest lines of a container that are stored already. */
export interface Known {
  readonly stamp: string;
  readonly texts: ReadonlySet<string>;
}

/** Time before the newest line from which lines are requested again, because containers are read one after the other. */
const OVERLAP_MS = 2_000;

/**
 * Selects the lines that are new in what a server sends. Each request overlaps the previous one, and a process that takes
 * over a follow knows only what is stored.
 */
export class NewLines {
  private seen = new Set<string>();
  private newest: string | null;

  constructor(
    private readonly known: ReadonlyMap<string, Known>,
    /** Newest line that is no longer stored because there were too many. */
    private floor: string,
  ) {
    const stamps = [...known.values()].map(({ stamp }) => stamp);
    this.newest = [...stamps, ...(floor === '' ? [] : [floor])].sort().at(-1) ?? null;
  }

  /** Returns the time from which the next request reads lines, or null before any line. */
  get since(): string | null {
    if (this.newest === null) return null;
    return new Date(Date.parse(`${this.newest.slice(0, 23)}Z`) - OVERLAP_MS).toISOString();
  }

  /**
   * Returns the new lines without secrets, in their order. Every line is passed to the masker at most once. `leftOut` is
   * the number of lines before them that did not fit.
   */
  take(lines: readonly RawLogLine[], masker: Masker, leftOut = 0): NewLine[] {
    const taken: NewLine[] = [];
    const window = new Set<string>();
    for (const { stamp, container, text, isCut } of lines) {
      const id = `${container} ${stamp} ${text}`;
      window.add(id);
      if (this.seen.has(id)) continue;
      const known = this.known.get(container);
      if (stamp <= this.floor || (known !== undefined && stamp < known.stamp)) continue;
      const shown = masker.mask(container, text, isCut);
      if (known?.stamp === stamp && known.texts.has(shown)) continue;
      taken.push({ stamp, container, level: logLevel(shown), text: shown });
      if (this.newest === null || stamp > this.newest) this.newest = stamp;
    }
    // Lines that did not fit would appear too late, between newer lines.
    if (leftOut > 0) this.floor = [this.floor, lines[0]?.stamp ?? ''].sort().at(-1) ?? '';
    // Lines older than the next request cannot occur again, so only this request is stored. An empty response proves
    // nothing, because the server may have been restarted in between.
    if (window.size > 0) this.seen = window;
    return taken;
  }
}
