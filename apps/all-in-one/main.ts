import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHttpListener, startApi } from '@moorage/api';
import { startBilling } from '@moorage/billing';
import { initDatabase, type Service, serviceUrl } from '@moorage/database';
import { startProvisioner } from '@moorage/provisioner';
import {
  openOperationsPort,
  Operations,
  startWarnings,
  parseSettings,
  promises,
  type Settings,
} from '@moorage/runtime';
import { createLog, lockFolder, type Running, runProcess, systemRandom } from '@moorage/server';
import { productDatabase } from './owner-database';

/**
 * Entry point of `npm start`: the three services in one process, with an embedded PostgreSQL unless DATABASE_URL is
 * set.
 */
const quiet = process.stdout.isTTY && process.env.LOG_LEVEL === undefined;
const log = createLog({ service: 'moorage', level: quiet ? 'warn' : (process.env.LOG_LEVEL ?? 'info') });

void runProcess(log, async () => {
  const settings = parseSettings(process.env);
  for (const warning of startWarnings(settings)) log.warn(warning);
  const running: Running[] = [];
  const stop = async (): Promise<void> => {
    for (const part of running.splice(0).reverse()) await part.stop();
  };
  try {
    // Lock the folder and bind the port before touching anything else.
    const lock = await lockFolder(settings.DATA_DIR, 'product');
    running.push({ stop: async () => lock.release() });
    const operations = new Operations();
    running.push(await openOperationsPort(operations, { service: 'moorage', settings }));
    const listener = createHttpListener();
    await listener.listen({ host: settings.HOST, port: settings.PORT });
    running.push({ stop: () => listener.close() });

    const database = await productDatabase(settings, log);
    running.push(database);
    const owner = { settings, url: database.url, random: systemRandom() };
    await initDatabase(owner);
    /** Each part connects as its own service, as it would in a separate process. */
    const partOf = async (service: Service) => ({
      settings,
      databaseUrl: await serviceUrl(owner, service),
      log: log.child({ part: service }),
      operations,
    });
    // Only this part publishes events and runs the sweep, for all three.
    running.push(await startBilling({ ...(await partOf('billing')), relays: false }));
    running.push(await startProvisioner(await partOf('provisioner')));
    const api = await startApi({ ...(await partOf('api')), relays: true, built: builtConsole(), listener });
    running.push(api);
    running.push({ stop: async () => operations.stopping() });
    operations.started();
    log.info('ready', { ...promises(settings), url: api.url });
    greet(settings, api.url, api.firstAdmin);
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
});

/** The console of the same build. Its files are either inside the installed copy or next to the server's folder. */
function builtConsole(): { pagesFile: string; filesFolder: string } {
  const inside = fileURLToPath(new URL('./console', import.meta.url));
  return {
    pagesFile: fileURLToPath(new URL('./pages.json', import.meta.url)),
    filesFolder: existsSync(inside) ? inside : fileURLToPath(new URL('../console', import.meta.url)),
  };
}

function greet(settings: Settings, url: string, admin: { email: string; password: string | null } | null): void {
  const lines = [
    '',
    `  ${settings.BRAND_NAME}: open ${url}`,
    `  API: ${url}/api (described at ${url}/api/docs-json)`,
    `  clouds: ${String(promises(settings).clouds)}, payments: ${settings.STRIPE_SECRET_KEY === undefined ? 'test' : 'Stripe'}, mail: ${settings.MAIL_URL === undefined ? join(settings.DATA_DIR, 'mail') : 'SMTP'}`,
    `  administrator: ${settings.ADMIN_EMAIL}`,
    ...(admin?.password == null ? [] : [`  password (shown only once): ${admin.password}`]),
    '  Press Ctrl-C to stop; data is kept between runs.',
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
