import type { Log } from '@moorage/server';
import type { FastifyInstance } from 'fastify';
import { correlationIdOf } from './request-context';
import { callOf } from './route-call';

const SLOW_MS = 2_000;

/**
 * Logs a line for each request: at `info` if it failed with a server error or was slow, otherwise at `debug`.
 * `ErrorsFilter` logs the cause of a failure.
 */
export function addRequestLog(fastify: FastifyInstance, logOf: () => Log): void {
  fastify.addHook('onResponse', (request, reply, next) => {
    const ms = Math.round(reply.elapsedTime);
    // An event stream is not a slow response.
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
