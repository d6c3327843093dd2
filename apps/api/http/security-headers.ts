import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callOf } from './route-call';

type SetHeaders = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Sets the headers of a response. Responses of the api are data: no page, no frame, no cache, no other origin. A page
 * that the api itself creates sets its own policy, which is left unchanged. There is no CORS header at all, so browsers
 * of other origins read nothing.
 */
export function securityHeadersFor({ https }: { https: boolean }): SetHeaders {
  const headers: Readonly<Record<string, string>> = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'x-frame-options': 'DENY',
  };
  return (request, reply) => {
    // Also for the console's pages, so that a browser that has received any response never sends a request without TLS
    // again.
    if (https) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    if (callOf(request) === undefined && !isApiPath(request.url)) return;
    for (const [name, value] of Object.entries(headers)) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
  };
}

export function addSecurityHeaders(fastify: FastifyInstance, setHeaders: SetHeaders): void {
  fastify.addHook('onSend', async (request, reply) => setHeaders(request, reply));
}

export function isApiPath(url: string): boolean {
  return /^\/api(?:[/?#]|$)/.test(url);
}
