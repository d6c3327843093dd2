import { FolderInUse } from './folder-lock';
import type { Log } from './log';
import { DataFolderError } from './postgres-data-folder';

export interface Running {
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 25_000;
/** Ctrl-C reaches npm and this process, and npm passes it on. Signals within this time count as the same request. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Thrown for a problem at start that the operator can solve. Its message is the single sentence with which the process
 * ends.
 */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

/**
 * Runs one process. It stops once on SIGINT or SIGTERM (running work is finished, within limits) and exits with 0. A
 * second signal or a stop that hangs exits with 1. Nest's own shutdown hooks stay off, because they send the signal
 * again before our last step.
 */
export async function runProcess(log: Log, start: () => Promise<Running>): Promise<void> {
  process.on('uncaughtException', (error) => die(log, 'uncaught exception', error));
  // Node.js would write them as text.
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => log.warn('Node.js warning', { warning: name, reason: message }));
  process.on('unhandledRejection', (error) => die(log, 'unhandled rejection', error));
  let running: Running | undefined;
  let stoppingSince: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stoppingSince !== undefined) {
      if (Date.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = Date.now();
    log.info('stopping', { signal });
    const limit = setTimeout(() => die(log, 'did not stop in time', undefined), STOP_TIMEOUT_MS);
    limit.unref();
    Promise.resolve(running?.stop()).then(
      () => process.exit(0),
      (error: unknown) => die(log, 'stopping failed', error),
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    running = await start();
  } catch (error) {
    if (!isRefusal(error)) die(log, 'could not start', error);
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

const isRefusal = (error: unknown): error is Error =>
  [StartRefused, DataFolderError, FolderInUse].some((kind) => error instanceof kind);

function die(log: Log, message: string, error: unknown): never {
  log.error(message, { error });
  if (error instanceof Error) process.stderr.write(`${message}: ${error.message}\n`);
  process.exit(1);
}
