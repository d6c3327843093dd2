import type { Call } from '@moorage/contracts';
import type { FastifyRequest } from 'fastify';

/** The row a request's route serves; undefined only for requests that no route takes. */
export function callOf(request: FastifyRequest): Call | undefined {
  return request.routeOptions.config?.call;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    call?: Call;
  }
}
