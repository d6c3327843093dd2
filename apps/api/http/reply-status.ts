import type { FastifyInstance, FastifyReply } from 'fastify';

const STATUS = Symbol('status');
type WithStatus = FastifyReply & { [STATUS]?: number };

/** Sets a success status other than the row's. */
export function answerWith(reply: FastifyReply, code: number): void {
  (reply as WithStatus)[STATUS] = code;
}

/**
 * Replaces the status just before the headers are sent, because Nest sets the row's status after the method has
 * returned.
 */
export function addReplyStatus(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    const code = (reply as WithStatus)[STATUS];
    if (code === undefined || reply.statusCode >= 400) return done(null, payload);
    reply.code(code);
    done(null, code === 304 ? null : payload);
  });
}
