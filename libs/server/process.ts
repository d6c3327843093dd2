import type { Log } from './log';

export interface Running {
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 25_000;

/**
 * Runs one process: starts it, stops it once on SIGINT or SIGTERM (what runs is finished, bounded), exits 0; a second
 * signal or a stop that hangs exits 1. Nest's own shutdown hooks stay off: they re-raise the signal before our last step.
 */
export async function runProcess(log: Log, start: () => Promise<Running>): Promise<void> {
  process.on('uncaughtException', (error) => die(log, 'an error nobody caught', error));
  process.on('unhandledRejection', (error) => die(log, 'a rejection nobody caught', error));
  let running: Running | undefined;
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
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
    die(log, 'could not start', error);
  }
}

function die(log: Log, message: string, error: unknown): never {
  log.error(message, { error });
  if (error instanceof Error) process.stderr.write(`${message}: ${error.message}\n`);
  process.exit(1);
}
