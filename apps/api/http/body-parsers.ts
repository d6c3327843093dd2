import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ACCESS_MESSAGES, DomainError } from '@moorage/domain';
import { callOf } from './route-call';

/** Larger than any of our forms. */
export const BODY_BYTES_MAX = 64 * 1024;
/** Stripe and the clouds determine the size of what they send. */
export const WEBHOOK_BYTES_MAX = 512 * 1024;

const RAW = Symbol('raw body');
const NOTHING = Buffer.alloc(0);

export function rawBodyOf(request: FastifyRequest): Buffer {
  return (request as { [RAW]?: Buffer })[RAW] ?? NOTHING;
}

/**
 * Accepts JSON everywhere, and forms and plain text only where the row allows them (multipart forms where it has no
 * body). Anything else is answered with 415. The bytes of a webhook are stored unparsed, so that nothing is read before
 * its signature is verified.
 */
export function addBodyParsers(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (callOf(request)?.access === 'webhook') {
      (request as { [RAW]?: Buffer })[RAW] = body as Buffer;
      return done(null, undefined);
    }
    try {
      done(null, parseJson(body as Buffer));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
  fastify.addContentTypeParser('text/plain', { parseAs: 'buffer' }, (request, body, done) => {
    if (callOf(request)?.plain_text !== true) {
      return done(new DomainError('MEDIA_TYPE_UNSUPPORTED', ACCESS_MESSAGES.media_type), undefined);
    }
    (request as { [RAW]?: Buffer })[RAW] = body as Buffer;
    done(null, undefined);
  });
  fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (request, body, done) => {
    if (callOf(request)?.form !== true) {
      return done(new DomainError('MEDIA_TYPE_UNSUPPORTED', ACCESS_MESSAGES.media_type), undefined);
    }
    done(null, parseForm(body as Buffer));
  });
  // Mail programs unsubscribe this way with one click (RFC 8058). The content is ignored.
  fastify.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (request, _body, done) => {
    const call = callOf(request);
    if (call?.form !== true || call.body !== undefined) {
      return done(new DomainError('MEDIA_TYPE_UNSUPPORTED', ACCESS_MESSAGES.media_type), undefined);
    }
    done(null, undefined);
  });
}

/** Treats an empty body as no body, because clients send the header with every POST. */
function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch {
    throw new DomainError('BODY_MALFORMED', ACCESS_MESSAGES.body_not_json);
  }
}

/** Parses a form. A repeated name becomes a list, which none of our form fields accepts. */
function parseForm(body: Buffer): Record<string, string | string[]> {
  const form = new URLSearchParams(body.toString('utf8'));
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}
