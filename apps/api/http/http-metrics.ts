import type { Metrics } from '@moorage/runtime';
import type { FastifyInstance } from 'fastify';
import { callOf } from './route-call';

/**
 * Measures the duration of requests by the row that served them. Requests without a row (pages, unknown paths) count as
 * `other`. Live streams are excluded because they last as long as the client stays connected.
 */
export function addHttpMetrics(fastify: FastifyInstance, metrics: () => Metrics): void {
  fastify.addHook('onResponse', (request, reply, next) => {
    const call = callOf(request);
    const isStream = String(reply.getHeader('content-type')).startsWith('text/event-stream');
    const route = call === undefined ? 'other' : `/api${call.path}`;
    const labels = { method: call?.method ?? 'other', route, status: reply.statusCode };
    if (!isStream) metrics().httpRequestSeconds.observe(labels, reply.elapsedTime / 1_000);
    next();
  });
}
