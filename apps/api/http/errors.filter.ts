import { ALL_CALLS } from '@moorage/contracts';
import { Log } from '@moorage/server';
import { type ArgumentsHost, Catch, type ExceptionFilter, NotFoundException, Optional } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ACCESS_MESSAGES, DomainError } from '@moorage/domain';
import { answerTo } from './error-answer';
import { Pages } from './pages';
import { correlationIdOf } from './request-context';
import { callOf } from './route-call';
import { isApiPath } from './security-headers';

/** Turns every exception into a response and logs it where it is unexpected. No other place does either. */
@Catch()
export class ErrorsFilter implements ExceptionFilter {
  constructor(
    private readonly log: Log,
    @Optional() private readonly pages?: Pages,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    this.answer(thrown, request, reply);
  }

  answer(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.sent) return;
    if (
      this.pages !== undefined &&
      thrown instanceof NotFoundException &&
      ['GET', 'HEAD'].includes(request.method) &&
      !isApiPath(request.url)
    ) {
      return void this.pages.fallback(request, reply);
    }
    const noRoute = thrown instanceof NotFoundException && callOf(request) === undefined;
    const methods = noRoute ? methodsAt(pathOf(request)) : [];
    const allowed = methods.includes(request.method) ? [] : methods;
    const error =
      allowed.length > 0
        ? new DomainError('METHOD_NOT_ALLOWED', ACCESS_MESSAGES.method_not_allowed({ methods: allowed.join(', ') }))
        : thrown;
    const { status, headers, body, unexpected } = answerTo(error);
    if (unexpected) {
      this.log.error('request failed', {
        error,
        status,
        correlation_id: correlationIdOf(request),
        call: `${request.method} ${callOf(request)?.path ?? 'nowhere'}`,
      });
    }
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    void reply.headers(headers).status(status).type('application/json; charset=utf-8').send(body);
  }
}

function pathOf(request: FastifyRequest): string {
  return request.url.split(/[?#;]/, 1)[0] ?? '';
}

/** Returns the methods that the table has for a path. */
function methodsAt(path: string): string[] {
  const found = ALL_CALLS.filter((call) => new RegExp(`^/api${call.path.replace(/\{\w+\}/g, '[^/]+')}/?$`).test(path));
  return [...new Set(found.map((call) => call.method))].sort();
}
