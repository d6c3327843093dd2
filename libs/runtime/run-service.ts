import type { Service } from '@moorage/database';
import { createLog, type Facts, type Log, type Running, runProcess } from '@moorage/server';
import { labWarnings, parseSettings, type Settings } from './settings';
import { chosenTransports } from './transports';

/** The main of a service process: settings from the environment, one line when it is ready, a clean end. */
export async function runService<R extends Running>(
  service: Service,
  start: (options: { settings: Settings; databaseUrl: string; log: Log }) => Promise<R>,
  tell: (running: R) => Facts = () => ({}),
): Promise<void> {
  const log = createLog({ name: service, level: process.env.LOG_LEVEL ?? 'info' });
  await runProcess(log, async () => {
    const settings = parseSettings(process.env);
    for (const warning of labWarnings(settings)) log.warn(warning);
    if (settings.DATABASE_URL === undefined) {
      throw new Error('DATABASE_URL is not set: only the all-in-one starts a database of its own');
    }
    const running = await start({ settings, databaseUrl: settings.DATABASE_URL, log });
    log.info('ready', { ...promises(settings), ...tell(running) });
    return running;
  });
}

/** What this process promises, in one line at its start. */
export function promises(settings: Settings): Facts {
  return {
    mode: settings.MODE,
    ...chosenTransports(settings),
    clouds: settings.CLOUD_MODE,
    payments: settings.STRIPE_SECRET_KEY === undefined ? 'test' : 'stripe',
  };
}
