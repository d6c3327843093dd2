import { describe, expect, it } from '@jest/globals';
import { logLevel, type LogLevel } from './level';

const LINES: readonly (readonly [text: string, level: LogLevel])[] = [
  ['{"level":"error","msg":"login refused"}', 'error'],
  ['{"time":"2026-12-01T10:00:00Z","level":"warn","message":"slow"}', 'warning'],
  ['{"level":50,"time":1764583200000,"msg":"pino failed"}', 'error'],
  ['{"level":40,"msg":"pino warned"}', 'warning'],
  ['{"level":30,"msg":"an error was repaired"}', 'info'],
  ['{"level":20,"msg":"pino debugged"}', 'debug'],
  ['{"severity": "CRITICAL", "message": "disk"}', 'error'],
  ['time="2026-12-01T10:00:00Z" level=info msg="Configuration loaded"', 'info'],
  ['t=2026-12-01T10:00:00 lvl=eror msg="failed"', 'error'],
  ['2026-12-01T10:00:00Z ERR error="unable to reach" providerName=letsencrypt', 'error'],
  ['2026-12-01T10:00:00Z WRN slow answer', 'warning'],
  ['2026-12-01T10:00:00Z INF Starting provider', 'info'],
  ['2026-12-01T10:00:00Z DBG no error here', 'debug'],
  ['2026/12/01 10:00:00 [error] 7#7: *1 connect() failed', 'error'],
  ['2026/12/01 10:00:00 [notice] 1#1: start worker processes', 'info'],
  ['[2026-12-01 10:00:00] production.WARNING: slow', 'none'],
  ['[2026-12-01 10:00:00] production [WARNING] slow', 'warning'],
  ['2026-12-01T10:00:00.000Z [info]: Server started on port 3001', 'info'],
  ['2026-12-01 10:00:00.123 UTC [71] LOG:  checkpoint complete', 'info'],
  ['2026-12-01 10:00:00.123 UTC [71] FATAL:  password authentication failed', 'error'],
  ['<11>1 2026-12-01T10:00:00Z host app - - - failed', 'error'],
  ['<12>Dec  1 10:00:00 host app: odd', 'warning'],
  ['<165>1 2026-12-01T10:00:00Z host app - - - well', 'info'],
  ['E0102 15:04:05.000000 1 main.go:1] failed', 'error'],
  ['I0102 15:04:05.000000 1 main.go:1] error free', 'info'],
  ['INFO:     Uvicorn running on http://0.0.0.0:8000', 'info'],
  ['warning: the option is deprecated', 'warning'],
  ['error: could not connect', 'error'],
  ['DEBUG 10:00:00 cache hit', 'debug'],
  ['TypeError: x is not a function', 'error'],
  ['Traceback (most recent call last):', 'error'],
  ['panic: runtime error: index out of range', 'error'],
  ['Server started on port 3001', 'none'],
  ['there was no error at all', 'none'],
  ['203.0.113.7 - - [01/Dec/2026:10:00:00 +0000] "GET /error HTTP/1.1" 200 12', 'none'],
  ['', 'none'],
];

describe('the level of a log line', () => {
  it.each(LINES)('%s is %s', (text, level) => expect(logLevel(text)).toBe(level));

  it.each(['[', '(', '< ', '"level" ', '{"level":', 'level=', 'A ', '-', ' ', '1', 'a: '])(
    'is found in linear time in a line of repeated "%s"',
    (part) => {
      const started = performance.now();
      for (let turn = 0; turn < 50; turn++) logLevel(part.repeat(4_000 / part.length));
      expect(performance.now() - started).toBeLessThan(2_000);
    },
  );
});
