import type { Call } from '@moorage/contracts';
import type { FastifyInstance } from 'fastify';
import { WEBHOOK_BYTES_MAX } from './body-parsers';
import { isGuarded } from './guarded-routes';
import { isApiPath } from './security-headers';

/**
 * Denies by default, at start-up: a route below /api that does not come from a row of the table of calls (and so
 * declares no access) stops the start, unless it belongs to a guarded part. Pages next to the api belong to the shell,
 * which adds them in a step of its own.
 */
export function addRouteCheck(fastify: FastifyInstance): { readonly served: () => readonly Call[] } {
  const served: Call[] = [];
  fastify.addHook('onRoute', function (route) {
    const call = route.config?.call;
    if (call === undefined) {
      if (isGuarded(this, route)) return;
      // A page whose first segment is a pattern would also match paths below /api.
      if (isApiPath(route.url) || !/^\/[^*:]/.test(`${route.url}/`)) {
        throw new Error(`${String(route.method)} ${route.url} declares no access: add it to the table of calls`);
      }
      return;
    }
    served.push(call);
    if (call.access === 'webhook') route.bodyLimit = WEBHOOK_BYTES_MAX;
  });
  return { served: () => served };
}
