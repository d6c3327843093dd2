import type { Call } from '@moorage/contracts';
import type { FastifyRequest } from 'fastify';

/** Returns the row that a request's route serves, or undefined for requests that match no route. */
export function callOf(request: FastifyRequest): Call | undefined {
  return request.routeOptions.config?.call;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    call?: Call;
  }
}
