/** Level that a log line states, or `none` if it states no level. */
export const LOG_LEVELS = ['error', 'warning', 'info', 'debug', 'none'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Words and abbreviations with which loggers name a level. */
const WORDS: Readonly<Record<string, LogLevel>> = {
  emerg: 'error',
  emergency: 'error',
  alert: 'error',
  crit: 'error',
  critical: 'error',
  fatal: 'error',
  panic: 'error',
  err: 'error',
  eror: 'error',
  error: 'error',
  severe: 'error',
  ftl: 'error',
  warn: 'warning',
  wrn: 'warning',
  warning: 'warning',
  notice: 'info',
  inf: 'info',
  info: 'info',
  information: 'info',
  log: 'info',
  debug: 'debug',
  dbg: 'debug',
  debg: 'debug',
  trace: 'debug',
  trc: 'debug',
  verbose: 'debug',
};

/** Levels of pino and bunyan, and what counts as each. */
const NUMBERS: readonly (readonly [from: number, level: LogLevel])[] = [
  [50, 'error'],
  [40, 'warning'],
  [30, 'info'],
  [10, 'debug'],
];
/** Severities of syslog (RFC 5424). */
const SEVERITIES: readonly LogLevel[] = ['error', 'error', 'error', 'error', 'warning', 'info', 'info', 'debug'];

/** Only the beginning of a line is searched for a word, because later words belong to the message. */
const HEAD_LENGTH = 160;

const JSON_LEVEL =
  /"(?:level|lvl|severity|log\.level|loglevel|levelname)"\s{0,3}:\s{0,3}(?:"([A-Za-z]{1,12})"|(\d{1,2})\b)/;
const LOGFMT_LEVEL = /(?:^|[\s{[])(?:level|lvl|severity)=["']?([A-Za-z]{1,12})/i;
const SYSLOG = /^<(\d{1,3})>/;
/** A level in brackets, such as `[error]`, `[ERROR]`, `[pool-1] <WARN>` or `(info)`. */
const BRACKETED = /[[(<|]\s{0,3}([A-Za-z]{3,11})\s{0,3}[\])>|]/g;
/** A level as a word of its own in capitals, as most loggers write it after the time. */
const CAPITALS = /(?:^|[\s\]:|/-])([A-Z]{3,9})(?=[\s:\]|,]|$)/g;
/** A level as the first word, after nothing but a time. */
const LEADING = /^[\d\s:.,TZ/+-]{0,40}([A-Za-z]{3,11})(?:\[\d{1,8}\])?(?::|\s-\s|\s{2,})/;
/** glog and klog, such as `E0102 15:04:05`. */
const GLOG = /^([EWIFD])\d{4} \d{2}:/;
const GLOG_LEVELS: Readonly<Record<string, LogLevel>> = {
  E: 'error',
  F: 'error',
  W: 'warning',
  I: 'info',
  D: 'debug',
};
/** Names of errors that runtimes print without a level. */
const EXCEPTIONS = /^(?:Uncaught |Unhandled )?(?:[A-Z][A-Za-z]{0,40}(?:Error|Exception)\b|Traceback \(|panic: )/;

const wordLevel = (word: string | undefined): LogLevel | undefined => WORDS[(word ?? '').toLowerCase()];

/** Returns the level of a line. The time is linear in its length. */
export function logLevel(text: string): LogLevel {
  const json = JSON_LEVEL.exec(text);
  if (json !== null) {
    const named = json[2] === undefined ? wordLevel(json[1]) : numberLevel(Number(json[2]));
    if (named !== undefined) return named;
  }
  const head = text.slice(0, HEAD_LENGTH);
  const severity = SYSLOG.exec(head);
  if (severity !== null) return SEVERITIES[Number(severity[1]) % SEVERITIES.length] ?? 'none';
  const short = GLOG.exec(head);
  if (short !== null) return GLOG_LEVELS[short[1] ?? ''] ?? 'none';
  return (
    wordLevel(LOGFMT_LEVEL.exec(head)?.[1]) ??
    firstOf(head, BRACKETED) ??
    wordLevel(LEADING.exec(head)?.[1]) ??
    firstOf(head, CAPITALS) ??
    (EXCEPTIONS.test(head) ? 'error' : 'none')
  );
}

function firstOf(text: string, pattern: RegExp): LogLevel | undefined {
  for (const [, word] of text.matchAll(pattern)) {
    const level = wordLevel(word);
    if (level !== undefined) return level;
  }
  return undefined;
}

const numberLevel = (value: number): LogLevel | undefined => NUMBERS.find(([from]) => value >= from)?.[1];
