import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { callOf } from './route-call';

/**
 * Compares every response with its row and rejects fields that the row does not name. Used in tests only: in production
 * the types have been checked and the response mappers list their fields.
 */
@Injectable()
export class AnswerCheck implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const call = callOf(execution.switchToHttp().getRequest<FastifyRequest>());
    return next.handle().pipe(
      map((answer: unknown) => {
        if (call?.answer === undefined || call.answer === null) return answer;
        const sent = JSON.parse(JSON.stringify(answer ?? null)) as unknown;
        const parsed = call.answer.safeParse(sent);
        if (!parsed.success)
          throw new Error(
            `${call.method} ${call.path}: the response does not match its schema: ${parsed.error.message}`,
          );
        if (JSON.stringify(sorted(parsed.data)) !== JSON.stringify(sorted(sent))) {
          throw new Error(`${call.method} ${call.path}: the response has fields that its schema does not declare`);
        }
        return answer;
      }),
    );
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}
