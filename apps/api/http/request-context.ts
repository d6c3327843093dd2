import { AsyncLocalStorage } from 'node:async_hooks';
import { correlated, type Random } from '@moorage/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { storedUserAgent } from './devices';
import { networksOf, plainAddress } from './address';
import type { Caller, Origin } from './call-input';

const CONTEXT = Symbol('context');

export interface RequestContext {
  readonly origin: Origin;
  /** Set by the guard once the caller is admitted. */
  caller?: Caller;
}

const serving = new AsyncLocalStorage<RequestContext>();

/** Returns the request being served, or undefined for work that no request started. */
export function currentRequest(): RequestContext | undefined {
  return serving.getStore();
}

export function contextOf(request: FastifyRequest): RequestContext {
  const context = (request as { [CONTEXT]?: RequestContext })[CONTEXT];
  if (context === undefined) throw new Error('the request has no context');
  return context;
}

/** Returns the correlation id, or undefined for requests that failed before they had one. */
export function correlationIdOf(request: FastifyRequest): string | undefined {
  return (request as { [CONTEXT]?: RequestContext })[CONTEXT]?.origin.correlationId;
}

const HEADER = 'x-correlation-id';
const ACCEPTABLE = /^[A-Za-z0-9._-]{8,64}$/;

/** Assigns the request its id, which its response, log lines and events include. */
export function beginContext(request: FastifyRequest, reply: FastifyReply, random: Random): void {
  const given = request.headers[HEADER];
  const correlationId = typeof given === 'string' && ACCEPTABLE.test(given) ? given : random.uuid();
  const ip = plainAddress(request.ip);
  const context: RequestContext = {
    origin: { ip, networks: networksOf(ip), correlationId, userAgent: storedUserAgent(request.headers['user-agent']) },
  };
  (request as { [CONTEXT]?: RequestContext })[CONTEXT] = context;
  reply.header(HEADER, correlationId);
}

/** Registers the hook that must run first for every request. */
export function addRequestContext(fastify: FastifyInstance, random: Random): void {
  fastify.addHook('onRequest', (request, reply, next) => {
    beginContext(request, reply, random);
    next();
  });
  // Must not run earlier, because reading the body loses the async context.
  fastify.addHook('preHandler', (request, _reply, next) => {
    const context = contextOf(request);
    serving.run(context, () => correlated(context.origin.correlationId, next));
  });
}
