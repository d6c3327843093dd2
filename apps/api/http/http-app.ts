import type { Call } from '@moorage/contracts';
import { Metrics } from '@moorage/runtime';
import { Log, type Random } from '@moorage/server';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestListener } from 'node:http';
import type { ApiSettings } from '../settings';
import { addBodyParsers, BODY_BYTES_MAX } from './body-parsers';
import { ErrorsFilter } from './errors.filter';
import { addHttpMetrics } from './http-metrics';
import type { HttpListener } from './http-listener';
import { addReplyStatus } from './reply-status';
import { addRequestContext, beginContext } from './request-context';
import { addRequestLog } from './request-log';
import { addRouteCheck } from './route-check';
import { addSecurityHeaders, securityHeadersFor } from './security-headers';

export interface HttpAppOptions {
  readonly settings: ApiSettings;
  readonly random: Random;
  readonly listener: HttpListener;
}

export interface HttpApp {
  readonly app: NestFastifyApplication;
  /** Rows of the table that are served, once the application is initialised. */
  readonly served: () => readonly Call[];
  /** Initialises the application with all its routes. Throws when a route declares no access. */
  readonly init: () => Promise<void>;
  /** Starts answering the listener's requests with the application, after `before`. */
  serve(before: (next: RequestListener) => RequestListener): void;
}

/**
 * Creates the Nest application on Fastify. Access is enforced by a guard over every route, never by middleware over
 * paths (S25).
 */
export async function createHttpApp(
  root: DynamicModule,
  { settings, random, listener }: HttpAppOptions,
): Promise<HttpApp> {
  let handler: RequestListener | undefined;
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void =>
    app.get(ErrorsFilter).answer(error, request, reply);
  const securityHeaders = securityHeadersFor({ https: settings.publicUrl.startsWith('https:') });
  const adapter = new OneErrorHandlerAdapter({
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: settings.trustedProxies.length === 0 ? false : [...settings.trustedProxies],
    // The server may be listening already.
    serverFactory: (serve: RequestListener) => {
      handler = serve;
      return listener.server;
    },
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true },
    // Fastify answers an address that cannot be parsed before any hook runs.
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      beginContext(request, reply, random);
      securityHeaders(request, reply);
      answerError(error, request, reply);
    },
  });
  const fastify = adapter.getInstance();
  // Must come first: routes registered earlier keep Fastify's own handler, which repeats what parsers throw.
  fastify.setErrorHandler(answerError);
  addRequestContext(fastify, random);
  addHttpMetrics(fastify, () => app.get(Metrics));
  addRequestLog(fastify, () => app.get(Log));
  addReplyStatus(fastify);
  addSecurityHeaders(fastify, securityHeaders);
  addBodyParsers(fastify);
  const routes = addRouteCheck(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: false,
    abortOnError: false,
    bodyParser: false,
  });
  app.setGlobalPrefix('api');

  return {
    app,
    served: routes.served,
    async init() {
      await app.init();
      await fastify.ready();
    },
    serve(before) {
      if (handler === undefined) throw new Error('Fastify requested no server');
      listener.serve(before(handler));
    },
  };
}

/**
 * Keeps our error handler. Nest sets its own during initialisation, after the parts that register routes in
 * `onModuleInit`.
 */
class OneErrorHandlerAdapter extends FastifyAdapter {
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance();
  }
}
