import type { Call } from '@moorage/contracts';
import type { RequestListener } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiModule } from '../api.module';
import type { ApiDeps, Feature } from '../feature';
import { AccessGuard, type Authenticator } from './access.guard';
import { AnswerCheck } from './answer-check.interceptor';
import { addBodyParsers, BODY_BYTES_MAX } from './body-parsers';
import { ErrorsFilter } from './errors.filter';
import type { HttpListener } from './http-listener';
import type { Pages } from './pages';
import type { RateLimiter } from './rate-limiter';
import { addReplyStatus } from './reply-status';
import { addRequestContext } from './request-context';
import { addRouteCheck } from './route-check';
import { addSecurityHeaders } from './security-headers';

export interface HttpOptions {
  readonly features: readonly Feature[];
  readonly calls: readonly Call[];
  readonly rateLimiter: RateLimiter;
  readonly authenticator: Authenticator;
  readonly pages?: Pages;
  readonly checkAnswers?: boolean;
  readonly listener: HttpListener;
}

/** The Nest application on Fastify. Access is a guard over every route, never middleware over paths (S25). */
export async function createHttpApp(
  { random, log, settings }: ApiDeps,
  { features, calls, rateLimiter, authenticator, pages, checkAnswers = false, listener }: HttpOptions,
): Promise<{ app: NestFastifyApplication; handler: RequestListener; served(): readonly Call[] }> {
  let handler: RequestListener | undefined;
  const errors = new ErrorsFilter({ log, calls, pages });
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: settings.trustedProxies.length === 0 ? false : [...settings.trustedProxies],
    // it may listen already
    serverFactory: (serve: RequestListener) => {
      handler = serve;
      return listener.server;
    },
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      errors.answer(error, request, reply),
  });
  const fastify = adapter.getInstance();
  addRequestContext(fastify, random);
  addReplyStatus(fastify);
  addSecurityHeaders(fastify, { https: settings.publicUrl.startsWith('https:') });
  addBodyParsers(fastify);
  const routes = addRouteCheck(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.of(features), adapter, {
    logger: false,
    abortOnError: false,
    bodyParser: false,
  });
  app.setGlobalPrefix('api');
  app.useGlobalFilters(errors);
  app.useGlobalGuards(
    new AccessGuard({ authenticator, rateLimiter, clientKeys: settings.clientKeys, publicUrl: settings.publicUrl }),
  );
  if (checkAnswers) app.useGlobalInterceptors(new AnswerCheck());
  await pages?.add(fastify);
  await app.init();
  await fastify.ready();
  if (handler === undefined) throw new Error('Fastify has asked for no server');
  return { app, handler, served: routes.served };
}
