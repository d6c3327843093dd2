import 'reflect-metadata';
import type { Call } from '@moorage/contracts';
import { type Handlers, handlersIn } from '@moorage/runtime';
import type { Random } from '@moorage/server';
import type { DynamicModule } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpApp } from './http/http-app';
import { createHttpListener, type HttpListener } from './http/http-listener';
import type { ApiSettings } from './settings';
import { type Compared, ComparePayments } from './payments/compare-payments';
import { type FirstAdmin, FirstAdminService } from './users/first-admin.service';

/** An api that is built. Nothing listens and nothing is scheduled before `init` or `listen`. */
export interface Api extends Handlers {
  readonly app: NestFastifyApplication;
  /** The rows of the table that are served by this process, once it is initialised. */
  served(): readonly Call[];
  /** Makes the first administrator where there is none (decisions 20). */
  ensureFirstAdmin(admin: { email: string; password: string | undefined }): Promise<FirstAdmin | null>;
  /** Compares the payment provider's books with ours, now. */
  readonly comparePayments: () => Promise<Compared>;
  /** Runs the modules' lifecycle hooks and adds the routes; requests may be injected from now on. */
  init(): Promise<void>;
  /** Initialises, then listens where nobody does yet, and serves; returns the port. */
  listen(at: { host: string; port: number }): Promise<number>;
  /** Ends streams and schedule and closes the server; requests under way are finished. */
  close(): Promise<void>;
}

export interface ApiOptions {
  readonly settings: ApiSettings;
  readonly random: Random;
  /** One that listens already, so that the port is this process's before anything else is started. */
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
      http.serve();
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
