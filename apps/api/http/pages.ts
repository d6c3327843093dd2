import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What a shell serves beside the api, on the same port. */
export abstract class Pages {
  /** Adds routes outside /api. */
  abstract add(fastify: FastifyInstance): Promise<void>;
  /** Answers a GET outside /api that no route takes (the console's page). */
  abstract fallback(request: FastifyRequest, reply: FastifyReply): void | Promise<void>;
}
