import { pino } from 'pino';
import { correlationId } from './correlation';

/**
 * Structured log with one JSON object per line, including the current correlation id. Callers name each fact, and
 * objects are never logged as a whole.
 */
export abstract class Log {
  abstract readonly debug: (message: string, facts?: Facts) => void;
  abstract readonly info: (message: string, facts?: Facts) => void;
  abstract readonly warn: (message: string, facts?: Facts) => void;
  abstract readonly error: (message: string, facts?: ErrorFacts) => void;
  abstract readonly child: (facts: Facts) => Log;
}

export type Facts = Readonly<Record<string, string | number | boolean | null | undefined>>;
/** Facts and the thrown error. A fact that is not a plain value is logged only by its type. */
export type ErrorFacts = Readonly<Record<string, unknown>> & { readonly error?: unknown };

/** Names with values that are never logged. This is a second safeguard besides listing the facts to log. */
const REDACTED = /password|secret|token|authorization|private|passkey|(^|_)key$|enrollment|license/i;

export function createLog({
  level = 'info',
  service,
  write,
}: {
  level?: string;
  service: string;
  write?: (line: string) => void;
}): Log {
  const logger = pino(
    {
      level,
      base: { service },
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => ({ correlation_id: correlationId() }),
    },
    write === undefined ? pino.destination({ sync: true }) : { write },
  );
  return wrap(logger);
}

export const SILENT: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => SILENT,
};

function wrap(logger: pino.Logger): Log {
  return {
    debug: (message, facts = {}) => logger.debug(clean(facts), message),
    info: (message, facts = {}) => logger.info(clean(facts), message),
    warn: (message, facts = {}) => logger.warn(clean(facts), message),
    error: (message, { error, ...facts } = {}) => logger.error({ ...clean(facts), ...describe(error) }, message),
    child: (facts) => wrap(logger.child(clean(facts))),
  };
}

function clean(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, REDACTED.test(name) ? '[redacted]' : plain(value)]),
  );
}

function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? typeof value : value;
}

/**
 * Returns the class, code and stack frames of an error. The message of a database error can contain row values (detail,
 * parameters), so an error with a driver error is logged only by its state and constraint.
 */
function describe(error: unknown): Record<string, unknown> {
  if (error === undefined) return {};
  if (!(error instanceof Error)) return { error: typeof error };
  const driver = (error as { driverError?: { code?: string; constraint?: string } }).driverError;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    error: error.name,
    ...(driver === undefined
      ? { reason: error.message.slice(0, 500) }
      : { sql_state: driver.code, constraint: driver.constraint }),
    stack: frames.slice(0, 12).join('\n'),
  };
}
