import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Pages that a shell serves next to the api, on the same port. */
export abstract class Pages {
  /** Adds routes outside /api. */
  abstract add(fastify: FastifyInstance): Promise<void>;
  /** Answers a GET or HEAD outside /api that matches no route (a page of the console). */
  abstract fallback(request: FastifyRequest, reply: FastifyReply): void | Promise<void>;
}
