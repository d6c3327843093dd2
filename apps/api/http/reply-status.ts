import type { FastifyInstance, FastifyReply } from 'fastify';

const STATUS = Symbol('status');
type WithStatus = FastifyReply & { [STATUS]?: number };

/** Another success than the row's. */
export function answerWith(reply: FastifyReply, code: number): void {
  (reply as WithStatus)[STATUS] = code;
}

/** Nest sets the row's status after the method has returned, so the other one takes its place just before the headers go. */
export function addReplyStatus(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    const code = (reply as WithStatus)[STATUS];
    if (code === undefined || reply.statusCode >= 400) return done(null, payload);
    reply.code(code);
    done(null, code === 304 ? null : payload);
  });
}
