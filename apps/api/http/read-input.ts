import type { Call } from '@moorage/contracts';
import { ACCESS_MESSAGES, DomainError, SHAPE_MESSAGES, UNPRINTABLE } from '@moorage/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { rawBodyOf } from './body-parsers';
import type { CallInput } from './call-input';
import { type FieldProblem, FieldsInvalid, fieldProblems, shapeIssue } from './field-problems';
import { answerWith } from './reply-status';
import { contextOf } from './request-context';

/** Deeper than any of our bodies. A recursive parser would overflow the stack on what fits into 64 kB. */
const DEPTH_MAX = 12;

/**
 * Parses every part of a request by its row. Throws FIELDS_INVALID (422), or NOT_FOUND for a path that identifies
 * nothing.
 */
export function readInput<C extends Call>(call: C, request: FastifyRequest, reply: FastifyReply): CallInput<C> {
  const context = contextOf(request);
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const input = {
    params: readParams(call, request.params),
    query: readPart(call.query, request.query ?? {}),
    body: readPart(call.body, request.body ?? (call.optional_body === true ? {} : undefined)),
    caller: context.caller ?? null,
    origin: context.origin,
    rawBody: rawBodyOf(request),
    idempotencyKey: call.idempotency_key === true ? readKey(request) : null,
    header: (name: string) => headerOf(request, name),
    reply: {
      header: (name: string, value: string) => void reply.header(name, value),
      status: (code: number) => answerWith(reply, code),
      gone: gone.signal,
    },
  };
  return input as unknown as CallInput<C>;
}

/** Format of the keys that clients may choose. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

function readKey(request: FastifyRequest): string | null {
  const key = headerOf(request, 'idempotency-key');
  if (key === undefined) return null;
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw new FieldsInvalid([{ path: 'Idempotency-Key', message: SHAPE_MESSAGES.key_shape }]);
  }
  return key;
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()];
  return Array.isArray(value) ? value[0] : value;
}

function readParams(call: Call, params: unknown): unknown {
  if (call.params === undefined) return undefined;
  const parsed = refusedText(params).length > 0 ? undefined : call.params.safeParse(params);
  // A malformed id gets the same response as the id of another account.
  if (parsed === undefined || !parsed.success) throw new DomainError('NOT_FOUND', ACCESS_MESSAGES.nothing_here);
  return parsed.data;
}

function readPart(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const refused = refusedText(value);
  if (refused.length > 0) throw new FieldsInvalid(refused);
  const parsed = schema.safeParse(value, { error: shapeIssue });
  if (!parsed.success) throw new FieldsInvalid(fieldProblems(parsed.error));
  return parsed.data;
}

/**
 * Finds text that no field may contain, whatever its schema: NUL (which PostgreSQL rejects), unpaired surrogates, and
 * property names with a special meaning in JavaScript. Works without recursion.
 */
function refusedText(value: unknown): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const open: { path: string; value: unknown; depth: number }[] = [{ path: '', value, depth: 0 }];
  for (let next = open.pop(); next !== undefined && problems.length === 0; next = open.pop()) {
    const { path, depth } = next;
    if (typeof next.value === 'string') {
      if (!storable(next.value)) problems.push({ path, message: UNPRINTABLE });
    } else if (typeof next.value === 'object' && next.value !== null) {
      if (depth >= DEPTH_MAX) return [{ path: '', message: ACCESS_MESSAGES.body_deep }];
      for (const [name, inner] of Object.entries(next.value)) {
        if (name === '__proto__' || !storable(name)) problems.push({ path: '', message: ACCESS_MESSAGES.body_name });
        open.push({ path: path === '' ? name : `${path}.${name}`, value: inner, depth: depth + 1 });
      }
    }
  }
  return problems;
}

function storable(text: string): boolean {
  return !/\0|\p{Cs}/u.test(text);
}
