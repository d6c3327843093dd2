import type { Call } from '@moorage/contracts';
import type { FastifyInstance } from 'fastify';
import { WEBHOOK_BYTES_MAX } from './body-parsers';
import { isGuarded } from './guarded-part';
import { isApiPath } from './security-headers';

/**
 * Denies by default, at the start: a route below /api that does not come from a row of the table of calls (and so has no
 * declared access) stops the start, unless it lies in a guarded part. Pages beside the api are the shell's, which says so by
 * adding them in its own step.
 */
export function addRouteCheck(fastify: FastifyInstance): { readonly served: () => readonly Call[] } {
  const served: Call[] = [];
  fastify.addHook('onRoute', function (route) {
    const call = route.config?.call;
    if (call === undefined) {
      if (isGuarded(this, route)) return;
      // a page whose first part is a pattern would take paths below /api too
      if (isApiPath(route.url) || !/^\/[^*:]/.test(`${route.url}/`)) {
        throw new Error(
          `${String(route.method)} ${route.url} declares no access: serve it by a row of the table of calls`,
        );
      }
      return;
    }
    served.push(call);
    if (call.access === 'webhook') route.bodyLimit = WEBHOOK_BYTES_MAX;
  });
  return { served: () => served };
}
