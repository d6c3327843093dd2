import 'reflect-metadata';
import type { Call } from '@moorage/contracts';
import { type Handlers, handlersIn } from '@moorage/runtime';
import type { Random } from '@moorage/server';
import type { DynamicModule } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SimulatedServers } from './console/simulated-servers.service';
import { createHttpApp } from './http/http-app';
import { createHttpListener, type HttpListener } from './http/http-listener';
import type { ApiSettings } from './settings';
import { type Compared, ComparePayments } from './payments/compare-payments.use-case';
import { type FirstAdmin, FirstAdminService } from './users/first-admin.service';

/** A built api. Nothing listens and nothing is scheduled before `init` or `listen`. */
export interface Api extends Handlers {
  readonly app: NestFastifyApplication;
  /** Returns the rows of the table that this process serves, once it is initialised. */
  served(): readonly Call[];
  /** Creates the first administrator if there is none (decisions 20). */
  ensureFirstAdmin(admin: { email: string; password: string | undefined }): Promise<FirstAdmin | null>;
  /** Compares the payment provider's records with our ledger immediately. */
  readonly comparePayments: () => Promise<Compared>;
  /** Runs the modules' lifecycle hooks and adds the routes. Requests may be injected afterwards. */
  init(): Promise<void>;
  /** Initialises, starts to listen unless the listener already does, and serves. Returns the port. */
  listen(at: { host: string; port: number }): Promise<number>;
  /** Ends streams and schedule and closes the server after the requests in progress have finished. */
  close(): Promise<void>;
}

export interface ApiOptions {
  readonly settings: ApiSettings;
  readonly random: Random;
  /** A listener that already listens, so that this process has the port before anything else is started. */
  readonly listener?: HttpListener | undefined;
}

/** Builds the application of a root module that imports `ApiModule`. */
export async function createApi(
  root: DynamicModule,
  { settings, random, listener = createHttpListener() }: ApiOptions,
): Promise<Api> {
  const http = await createHttpApp(root, { settings, random, listener });
  const { app } = http;
  const { handlers, work } = handlersIn(app.get(DiscoveryService));

  return {
    app,
    handlers,
    work,
    served: http.served,
    ensureFirstAdmin: (admin) => app.get(FirstAdminService).ensure(admin),
    comparePayments: () => app.get(ComparePayments).run(),
    init: http.init,
    async listen({ host, port }) {
      await http.init();
      // Not routes because they apply to any path and method, and Fastify answers some requests before routing.
      http.serve((next) => app.get(SimulatedServers).before(next));
      const address = listener.server.address();
      return typeof address === 'object' && address !== null ? address.port : listener.listen({ host, port });
    },
    async close() {
      const closed = listener.close();
      await app.close();
      await closed;
    },
  };
}
