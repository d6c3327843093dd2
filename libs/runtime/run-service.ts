import type { Service } from '@moorage/database';
import { CLOUD_NAMES } from '@moorage/domain';
import { createLog, type Facts, type Log, type Running, runProcess } from '@moorage/server';
import { Operations } from './operations/operations';
import { openOperationsPort } from './operations/operations-port';
import { cloudSetupOf, hasCredentials } from './cloud-settings';
import { startWarnings, parseSettings, type SettingsReader } from './read-settings';
import type { Settings } from './settings';
import { chosenTransports } from './transports';

/** Runs a service process, with settings from the environment, a log line when it is ready, and a clean shutdown. */
export async function runService<R extends Running>(
  service: Service,
  start: (options: { settings: Settings; databaseUrl: string; log: Log; operations: Operations }) => Promise<R>,
  report: (running: R) => Facts = () => ({}),
): Promise<void> {
  const log = createLog({ service, level: process.env.LOG_LEVEL ?? 'info' });
  await runProcess(log, async () => {
    const settings = parseSettings(process.env, service);
    for (const warning of startWarnings(settings, service)) log.warn(warning);
    if (settings.DATABASE_URL === undefined) {
      throw new Error('DATABASE_URL is not set: only the all-in-one starts its own database');
    }
    const operations = new Operations();
    const port = await openOperationsPort(operations, { service, settings });
    const running = await start({ settings, databaseUrl: settings.DATABASE_URL, log, operations });
    operations.started();
    log.info('ready', { ...promises(settings, service), ...report(running) });
    return {
      async stop() {
        operations.stopping();
        await running.stop();
        await port.stop();
      },
    };
  });
}

/** Returns the modes of this process, for the log line at its start. */
export function promises(settings: Settings, reader: SettingsReader = 'all'): Facts {
  return {
    mode: settings.MODE,
    ...chosenTransports(settings),
    clouds: cloudsOf(settings, reader),
    // The other services do not have the key.
    ...(reader === 'all' || reader === 'api'
      ? { payments: settings.STRIPE_SECRET_KEY === undefined ? 'test' : 'stripe' }
      : {}),
  };
}

/**
 * Returns `simulated` or `off` if this applies to all providers, otherwise each provider that is not off with its mode,
 * for example `hetzner=live, aws=simulated`. Only readers of the credentials know whether a live provider has them.
 */
function cloudsOf(settings: Settings, reader: SettingsReader): string {
  const { modes } = cloudSetupOf(settings);
  const [only, ...others] = new Set(Object.values(modes));
  if (only !== undefined && only !== 'live' && others.length === 0) return only;
  const knows = reader === 'all' || reader === 'provisioner';
  return CLOUD_NAMES.filter((name) => modes[name] !== 'off')
    .map((name) => {
      const bare = knows && modes[name] === 'live' && !hasCredentials(settings, name);
      return `${name}=${modes[name]}${bare ? ' without credentials' : ''}`;
    })
    .join(', ');
}
