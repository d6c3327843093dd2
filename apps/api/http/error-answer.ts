import { ERROR_STATUS, type ErrorCode, toRefused, toSent } from '@moorage/contracts';
import { ACCESS_MESSAGES, DomainError, type Message } from '@moorage/domain';
import { isDatabaseAway } from '@moorage/server';
import { HttpException } from '@nestjs/common';
import { type FieldProblem, ListedRefusal } from './field-problems';

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `{detail, code, message_code, facts, errors}` and any further fields of the error (decisions 29, 44). */
  readonly body: Readonly<Record<string, unknown>> & { readonly code: ErrorCode };
  /** True for an internal error, which is logged with its stack. */
  readonly unexpected: boolean;
}

const RETRY_AFTER_S = 5;

/** Returns the response to an exception. Unexpected exceptions reveal no internals. */
export function answerTo(error: unknown): ErrorAnswer {
  if (error instanceof DomainError)
    return error instanceof ListedRefusal
      ? refusal(error.code, error.reason, error.fields, error.errors, error.beside)
      : refusal(error.code, error.reason, error.fields);
  const status = error instanceof HttpException ? error.getStatus() : statusCodeOf(error);
  // 414: a path segment longer than any name, so nothing can exist under it.
  if (status === 404 || status === 414) return refusal('NOT_FOUND', ACCESS_MESSAGES.nothing_here);
  if (status === 413) return refusal('BODY_TOO_LARGE', ACCESS_MESSAGES.body_large);
  if (status === 415) return refusal('MEDIA_TYPE_UNSUPPORTED', ACCESS_MESSAGES.media_type);
  if (status >= 400 && status < 500) return refusal('BODY_MALFORMED', ACCESS_MESSAGES.unreadable);
  if (isDatabaseAway(error)) {
    return {
      ...refusal('SERVICE_UNAVAILABLE', ACCESS_MESSAGES.busy, {
        retry_after_s: RETRY_AFTER_S,
      }),
      unexpected: true,
    };
  }
  return {
    ...refusal('INTERNAL_ERROR', ACCESS_MESSAGES.internal),
    unexpected: true,
  };
}

function refusal(
  code: string,
  reason: Message,
  { retry_after_s, ...fields }: DomainError['fields'] = {},
  errors: readonly FieldProblem[] = [],
  beside: Readonly<Record<string, unknown>> = {},
): ErrorAnswer {
  const known = code in ERROR_STATUS ? (code as ErrorCode) : 'INTERNAL_ERROR';
  return {
    status: ERROR_STATUS[known],
    headers: typeof retry_after_s === 'number' ? { 'retry-after': String(Math.max(1, Math.ceil(retry_after_s))) } : {},
    body: {
      ...beside,
      ...fields,
      ...toRefused(reason),
      code: known,
      errors: errors.map(({ path, message }) => ({ path, ...toSent(message) })),
    },
    // An error code that the catalogue does not know is a bug.
    unexpected: known !== code,
  };
}

/** Returns the status of errors thrown by Fastify and its parsers. */
function statusCodeOf(error: unknown): number {
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : 500;
}
