import { printable } from '../text';
import type { Instant } from '../time';
import type { LogLevel } from './level';

/** A line of a container's log, as it is stored and shown. */
export interface LogLine {
  /** Time in nanoseconds, as Docker writes it. Lines of a container are sorted by it. */
  readonly stamp: string;
  readonly at: Instant;
  readonly container: string;
  readonly level: LogLevel;
  readonly text: string;
}

/** A line as a server sends it. */
export interface RawLogLine {
  readonly stamp: string;
  readonly container: string;
  readonly text: string;
  /** The server has cut the line. */
  readonly isCut: boolean;
}

/** Lines stored per followed deployment. */
export const LOG_LINES_STORED = 2_000;
/** Lines of one search on the server. */
export const LOG_SEARCH_LINES_MAX = 500;
/** Days that a search on the server goes back. */
export const LOG_SEARCH_DAYS = 7;
export const LOG_SEARCH_LENGTH_MIN = 3;
export const LOG_SEARCH_LENGTH_MAX = 100;
/** Bytes of a line that a server sends, before it cuts the line. */
export const LOG_LINE_BYTES_MAX = 4_000;
/** Time for which the logs are followed after a read. */
export const LOG_FOLLOWED_FOR_MS = 30_000;

/** Names of services in a compose file, which the host's scripts accept. */
export const CONTAINER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** `!` after the name marks a line that the server has cut. */
const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z ([A-Za-z0-9][A-Za-z0-9._-]{0,127})(!?)(?: (.*))?$/s;
const NANOSECOND_DIGITS = 9;

/** Parses the lines that a server sends, `time container text` each. Skips what has another form. */
export function parseLogLines(sent: string): RawLogLine[] {
  return sent.split('\n').flatMap((line) => {
    const [, seconds, fraction = '', container = '', cut, text = ''] = LINE.exec(line) ?? [];
    if (seconds === undefined || Number.isNaN(Date.parse(`${seconds}Z`))) return [];
    const stamp = `${seconds}.${fraction.padEnd(NANOSECOND_DIGITS, '0')}Z`;
    return [{ stamp, container, text: plainText(text), isCut: cut === '!' }];
  });
}

/** Returns the instant of a stamp. */
export const stampInstant = (stamp: string): Instant => Date.parse(`${stamp.slice(0, 23)}Z`);

// Built from a string, because a pattern with literal control characters is hard to read.
export const TERMINAL_SEQUENCES = new RegExp(
  '\\u001b(?:\\[[0-?]{0,64}[ -/]{0,16}[@-~]|\\][^\\u0007\\u001b]{0,512}(?:\\u0007|\\u001b\\\\)|[@-Z\\\\-_])',
  'g',
);

/** Returns a line without colours, links and other control characters. */
const plainText = (text: string): string =>
  printable(text.replaceAll('\t', '  ').replace(TERMINAL_SEQUENCES, '')).trimEnd();
