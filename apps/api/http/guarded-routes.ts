import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
} from 'fastify';

export interface GuardedRoutes {
  /** `/api/...`, without a trailing slash. */
  readonly path: string;
  /** Sends a response to callers who are not admitted. Every request below the path passes it first. */
  readonly guard: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Routes served by a third-party package, which have no rows in the table of calls. */
  readonly routes: FastifyPluginCallback | FastifyPluginAsync;
}

const GUARDED = Symbol('guarded');

export async function addGuardedRoutes(
  fastify: FastifyInstance,
  { path, guard, routes }: GuardedRoutes,
): Promise<void> {
  await fastify.register(
    async (part) => {
      part.decorate(GUARDED, true);
      part.addHook('onRequest', guard);
      await part.register(routes);
    },
    { prefix: path },
  );
}

/** Returns true if the route is behind the guard of its part and is read-only. */
export function isGuarded(fastify: FastifyInstance, { method }: RouteOptions): boolean {
  return fastify.hasDecorator(GUARDED) && [method].flat().every((one) => one === 'GET' || one === 'HEAD');
}
