import type { Log } from '@moorage/server';
import type { FastifyInstance } from 'fastify';
import { correlationIdOf } from './request-context';
import { callOf } from './route-call';

const SLOW_MS = 2_000;

/** One line for each request: at `info` when it failed here or was slow, else at `debug`. Why it failed is a line of `ErrorsFilter`. */
export function addRequestLog(fastify: FastifyInstance, logOf: () => Log): void {
  fastify.addHook('onResponse', (request, reply, next) => {
    const ms = Math.round(reply.elapsedTime);
    // a stream of events is no slow answer
    const isSlow = ms > SLOW_MS && !String(reply.getHeader('content-type')).startsWith('text/event-stream');
    logOf()[reply.statusCode >= 500 || isSlow ? 'info' : 'debug']('request answered', {
      correlation_id: correlationIdOf(request),
      method: request.method,
      route: callOf(request)?.path ?? request.routeOptions.url ?? 'nowhere',
      status: reply.statusCode,
      ms,
    });
    next();
  });
}
