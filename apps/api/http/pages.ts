import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Pages that a shell serves next to the api, on the same port. */
export abstract class Pages {
  /** Adds routes outside /api. */
  abstract add(fastify: FastifyInstance): Promise<void>;
  /** Answers a GET outside /api that matches no route (the console's page). */
  abstract fallback(request: FastifyRequest, reply: FastifyReply): void | Promise<void>;
}
