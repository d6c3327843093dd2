import { Money } from '@moorage/domain';
import { createLedger } from '@moorage/ledger';
import type { WorkKind } from '@moorage/messaging';
import { openService, sealKeys, type Settings } from '@moorage/runtime';
import { createSealBox, createSecrets, keptKey, type Log, type Running } from '@moorage/server';
import { join } from 'node:path';
import { createApi, type ApiOptions } from './api';
import type { ApiDeps } from './feature';
import { correlatedOutbox } from './http/correlation';
import { createHttpListener, type HttpListener } from './http/http-listener';
import { apiSettings } from './settings';
import type { FirstAdmin } from './users/first-admin';

/** Mails at a time; everything else the api does later is quick. */
const WORK_CONCURRENCY = 2;

export interface RunningApi extends Running {
  /** Where it serves, without a trailing slash. */
  readonly url: string;
  readonly firstAdmin: FirstAdmin | null;
}

/** The api as a process, or as a part of the all-in-one: everything it needs from settings and a database. */
export async function startApi({
  settings,
  databaseUrl,
  log,
  relays = true,
  pages,
  listener,
}: {
  settings: Settings;
  databaseUrl: string;
  log: Log;
  relays?: boolean;
  /** What is served beside /api, where this process is the one that browsers reach. */
  pages?: ApiOptions['pages'];
  /** One that listens already. */
  listener?: HttpListener;
}): Promise<RunningApi> {
  const http = listener ?? createHttpListener();
  const port = await listening(http, settings);
  const base = await openService({
    service: 'api',
    settings,
    databaseUrl,
    log,
    relays,
    wrapOutbox: correlatedOutbox,
  }).catch(async (error: unknown) => {
    await http.close();
    throw error;
  });
  try {
    const { db, clock, random, outbox, work, notices, deployments } = base;
    const box = createSealBox({ keys: await sealKeys(settings, random), random });
    const jwtSecret =
      settings.JWT_SECRET ?? (await keptKey({ folder: settings.DATA_DIR, name: 'jwt.key', bytes: 48, random }));
    const deps: ApiDeps = {
      db,
      clock,
      random,
      log: base.log,
      outbox,
      work,
      notices,
      deployments,
      secrets: createSecrets({ box, clock }),
      box,
      ledger: createLedger({
        deployments,
        outbox,
        actor: 'api',
        holdMinutes: settings.DEPLETION_HOLD_MINUTES,
        creditOnlyMaxHourly: Money.of(settings.CREDIT_ONLY_MAX_HOURLY),
      }),
      settings: apiSettings(settings, {
        publicUrl: settings.PUBLIC_URL ?? `http://${settings.HOST === '0.0.0.0' ? 'localhost' : settings.HOST}:${port}`,
        jwtSecret,
        mailFolder: join(settings.DATA_DIR, 'mail'),
      }),
    };
    const api = await createApi(deps, { listener: http, ...(pages === undefined ? {} : { pages }) });
    const firstAdmin = await api.ensureFirstAdmin({ email: settings.ADMIN_EMAIL, password: settings.ADMIN_PASSWORD });
    const kinds = Object.entries(api.work).map(([kind, run]) => [kind, { concurrency: WORK_CONCURRENCY, run }]);
    await base.startMessaging({ handlers: api.handlers, work: Object.fromEntries(kinds) as Record<string, WorkKind> });
    await api.listen({ host: settings.HOST, port });
    return {
      url: `http://${settings.HOST}:${port}`,
      firstAdmin,
      async stop() {
        await api.close();
        await base.close();
      },
    };
  } catch (error) {
    await http.close();
    await base.close();
    throw error;
  }
}

/** The port it listens on, from now on if it did not yet: links in mails carry it. */
async function listening(http: HttpListener, { HOST, PORT }: Settings): Promise<number> {
  const address = http.server.address();
  return typeof address === 'object' && address !== null ? address.port : http.listen({ host: HOST, port: PORT });
}
