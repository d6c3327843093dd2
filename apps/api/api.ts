import 'reflect-metadata';
import type { Call } from '@moorage/contracts';
import { ALL_CALLS } from '@moorage/contracts';
import { type Envelope, type EventHandler, type WorkHandler } from '@moorage/messaging';
import { type ProductEventHandlers } from '@moorage/runtime';
import { type Tx } from '@moorage/server';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createAlertsFeature } from './alerts/alerts.feature';
import { createAuthFeature } from './auth/auth.feature';
import { createCatalogueFeature } from './catalogue/catalogue.feature';
import { createConsoleFeature } from './console/console.feature';
import { createDeploymentsFeature } from './deployments/deployments.feature';
import type { ApiDeps, Feature } from './feature';
import { createHealthFeature } from './health/health.feature';
import { createHttpApp } from './http/app';
import { createHttpListener, type HttpListener } from './http/http-listener';
import { Idempotency } from './http/idempotency';
import type { Pages } from './http/pages';
import { RateLimiter } from './http/rate-limiter';
import { createLiveFeature } from './live/live.feature';
import { createMailFeature } from './mail/mail.feature';
import { createPaymentsFeature } from './payments/payments.feature';
import { createFirstAdmin, type FirstAdmin } from './users/first-admin';
import { createReferralsFeature } from './referrals/referrals.feature';
import { createServersFeature } from './servers/servers.feature';
import { createSupportFeature } from './support/support.feature';
import { createUsersFeature } from './users/users.feature';
import { createWalletFeature } from './wallet/wallet.feature';

export interface Api {
  readonly app: NestFastifyApplication;
  /** For the inbox of the consumer `api`, by event name. */
  readonly handlers: ProductEventHandlers;
  /** For the workers, by kind. */
  readonly work: Readonly<Record<string, WorkHandler>>;
  /** The rows of the table that are served by this process. */
  served(): readonly Call[];
  /** Makes the first administrator where there is none (decisions 20). */
  ensureFirstAdmin(admin: { email: string; password: string | undefined }): Promise<FirstAdmin | null>;
  /** Starts loops and live connections, then listens where nobody does yet, and serves; returns the port. */
  listen(at: { host: string; port: number }): Promise<number>;
  /** Ends streams, loops and the server; requests under way are finished. */
  close(): Promise<void>;
}

export interface ApiOptions {
  /** What the shell serves beside /api: the built console. */
  readonly pages?: Pages;
  /** Tests only: every answer is held against its row. */
  readonly checkAnswers?: boolean;
  /** One that listens already, so that the port is this process's before anything else is started. */
  readonly listener?: HttpListener;
}

/** Builds the whole api. Nothing listens and nothing loops before `listen`. */
export async function createApi(deps: ApiDeps, options: ApiOptions = {}): Promise<Api> {
  const { db, clock, settings } = deps;
  const rateLimiter = new RateLimiter(db, clock, settings);
  const idempotency = new Idempotency(db, clock, settings);
  const mail = createMailFeature(deps);
  const auth = createAuthFeature(deps, { rateLimiter, mails: mail.mails });
  const users = createUsersFeature(deps, {
    mails: mail.mails,
    passwords: auth.passwords,
    sessions: auth.sessions,
    tokens: auth.tokens,
  });
  const catalogue = createCatalogueFeature(deps);
  const live = createLiveFeature(deps, { authenticator: auth.authenticator });
  const features: readonly Feature[] = [
    auth,
    users,
    createWalletFeature(deps, { idempotency }),
    createReferralsFeature(deps),
    createPaymentsFeature(deps, { idempotency }),
    mail,
    live,
    catalogue,
    createServersFeature(deps, catalogue),
    createDeploymentsFeature(deps, { ...catalogue, idempotency }),
    createSupportFeature(deps, { mails: mail.mails, authenticator: auth.authenticator }),
    createConsoleFeature(deps),
    createHealthFeature(deps),
    createAlertsFeature(deps, { mails: mail.mails }),
  ];
  const listener = options.listener ?? createHttpListener();
  const { app, handler, served } = await createHttpApp(deps, {
    ...options,
    listener,
    features,
    rateLimiter,
    authenticator: auth.authenticator,
    calls: ALL_CALLS,
  });
  const stops: (() => Promise<void>)[] = [];

  return {
    app,
    handlers: joined(features),
    work: Object.assign({}, ...features.map((feature) => feature.work ?? {})) as Record<string, WorkHandler>,
    served,
    ensureFirstAdmin: createFirstAdmin(deps, { passwords: auth.passwords }),
    async listen({ host, port }) {
      for (const feature of features) if (feature.start !== undefined) stops.push(await feature.start());
      listener.serve(handler);
      const address = listener.server.address();
      return typeof address === 'object' && address !== null ? address.port : listener.listen({ host, port });
    },
    async close() {
      for (const stop of stops.splice(0).reverse()) await stop();
      const closed = listener.close();
      await app.close();
      await closed;
    },
  };
}

/** One handler per event: those of all features, one after the other, in the same transaction. */
function joined(features: readonly Feature[]): ProductEventHandlers {
  const byEvent = new Map<string, EventHandler<object>[]>();
  for (const feature of features) {
    for (const [name, handler] of Object.entries(feature.handlers ?? {}))
      byEvent.set(name, [...(byEvent.get(name) ?? []), handler as EventHandler<object>]);
  }
  return Object.fromEntries(
    [...byEvent].map(([name, handlers]) => [
      name,
      async (tx: Tx, event: Envelope<object>) => {
        for (const handler of handlers) await handler(tx, event);
      },
    ]),
  );
}
