import { openService, type Operations, redisServerOf, type Settings } from '@moorage/runtime';
import { loadOrCreateKey, type Log, type Running } from '@moorage/server';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Api, createApi } from './api';
import { ApiServiceModule } from './api.module';
import { createHttpListener, type HttpListener } from './http/http-listener';
import { shownPrices } from './catalogue/shown-prices';
import { BackupPromises } from './backup-policy/backup-promises.policy';
import { consolePages } from './console/console-pages';
import { consoleSettings } from './console/console-settings';
import { openSealBoxes, resealAccounts } from './seal-boxes';
import { apiSettings } from './settings';
import type { FirstAdmin } from './users/first-admin.service';

export interface RunningApi extends Running {
  /** Address of the service, without a trailing slash. */
  readonly url: string;
  readonly firstAdmin: FirstAdmin | null;
  readonly comparePayments: Api['comparePayments'];
}

/**
 * Starts the api as a process, or as a part of the all-in-one, with everything it needs from settings and a database.
 */
export async function startApi({
  settings,
  databaseUrl,
  log,
  relays = true,
  built,
  listener,
  operations,
}: {
  settings: Settings;
  databaseUrl: string;
  log: Log;
  relays?: boolean;
  /** The built console: its pages, and the folder of its files unless a gateway serves them. */
  built?: { readonly pagesFile: string; readonly filesFolder?: string };
  /** A listener that already listens. */
  listener?: HttpListener;
  operations?: Operations;
}): Promise<RunningApi> {
  const http = listener ?? createHttpListener();
  const port = await listening(http, settings);
  const base = await openService({ service: 'api', settings, databaseUrl, log, relays, operations }).catch(
    async (error: unknown) => {
      await http.close();
      throw error;
    },
  );
  let api: Api | undefined;
  try {
    const { random, clock } = base;
    const boxes = await openSealBoxes(settings, random);
    const jwtSecret =
      settings.JWT_SECRET ?? (await loadOrCreateKey({ folder: settings.DATA_DIR, name: 'jwt.key', bytes: 48, random }));
    const derived = apiSettings(settings, {
      publicUrl: settings.PUBLIC_URL ?? `http://${settings.HOST === '0.0.0.0' ? 'localhost' : settings.HOST}:${port}`,
      jwtSecret,
      mailFolder: join(settings.DATA_DIR, 'mail'),
      // Built into the folder of this file.
      documentWorker: fileURLToPath(new URL('./render-document.js', import.meta.url)),
      queues: redisServerOf(settings),
    });
    const settingsShown = consoleSettings(derived, new BackupPromises(derived).modes());
    const data = { settings: settingsShown, prices: shownPrices() };
    const pages = built === undefined ? undefined : await consolePages({ ...built, data });
    const root = ApiServiceModule.of({ base, settings: derived, boxes, pages });
    api = await createApi(root, { settings: derived, random, listener: http });
    // Before the exchange of events begins.
    const firstAdmin = await api.ensureFirstAdmin({ email: settings.ADMIN_EMAIL, password: settings.ADMIN_PASSWORD });
    // Secrets that cannot be opened remain unchanged, and their owners cannot log in until the key is restored.
    await resealAccounts(base.db, { box: boxes.account, clock }).catch((error: unknown) =>
      log.error('two-factor secrets not re-sealed', { error }),
    );
    await api.listen({ host: settings.HOST, port });
    return {
      url: `http://${settings.HOST}:${port}`,
      firstAdmin,
      comparePayments: api.comparePayments,
      async stop() {
        await api?.close();
        await base.close();
      },
    };
  } catch (error) {
    await api?.close().catch((failed: unknown) => log.error('api not closed', { error: failed }));
    await http.close();
    await base.close();
    throw error;
  }
}

/** Returns the port, and starts to listen if it does not yet. Links in emails contain the port. */
async function listening(http: HttpListener, { HOST, PORT }: Settings): Promise<number> {
  const address = http.server.address();
  return typeof address === 'object' && address !== null ? address.port : http.listen({ host: HOST, port: PORT });
}
