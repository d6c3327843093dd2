import { WORK_NAMES } from '@moorage/contracts';
import { ACCESS_MESSAGES, acceptedLanguage, DomainError } from '@moorage/domain';
import { type BullBoard, openBullBoard } from '@moorage/messaging';
import { Log } from '@moorage/server';
import { renderMessage } from '@moorage/texts/server';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SecurityEvents } from '../auth/security-events.service';
import { admitAdministrator, recordRefusal } from '../auth/access.guard';
import type { Caller } from '../http/call-input';
import { answerTo } from '../http/error-answer';
import { addGuardedRoutes } from '../http/guarded-routes';
import { RateLimiter } from '../http/rate-limiter.service';
import { contextOf, correlationIdOf } from '../http/request-context';
import { ApiSettings } from '../settings';
import { BOARD_PATH, QueueSessions } from './queue-sessions.service';

/**
 * Policy of the board's page. Everything is loaded from here. The page sets styles on elements and requests an external
 * font, which it works without.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves Bull Board below the api, for administrators. */
@Injectable()
export class QueueBoard implements OnModuleInit, OnModuleDestroy {
  private board: BullBoard | undefined;

  constructor(
    private readonly host: HttpAdapterHost<FastifyAdapter>,
    private readonly sessions: QueueSessions,
    private readonly rateLimiter: RateLimiter,
    private readonly settings: ApiSettings,
    private readonly events: SecurityEvents,
    private readonly log: Log,
  ) {}

  async onModuleInit(): Promise<void> {
    const { queues, brand } = this.settings;
    if (queues === null) return;
    this.board = await openBullBoard({
      server: queues,
      kinds: WORK_NAMES,
      path: BOARD_PATH,
      title: brand.name,
      onError: (error, facts) => this.log.error('queue board error', { ...facts, error }),
    });
    await addGuardedRoutes(this.host.httpAdapter.getInstance(), {
      path: BOARD_PATH,
      guard: (request, reply) => this.admit(request, reply),
      routes: this.board.routes,
    });
  }

  onModuleDestroy(): void {
    this.board?.close();
  }

  private async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      await this.rateLimiter.takeFrom('general_address', contextOf(request).origin.networks);
      const caller = await this.sessions.callerOf(request.headers.cookie);
      await this.rateLimiter.take('general_account', String(caller.countedFor));
      this.admitAdministrator(caller, request);
      reply.header('content-security-policy', PAGE_POLICY);
    } catch (error) {
      this.refuse(error, request, reply);
    }
  }

  private admitAdministrator(caller: Caller, request: FastifyRequest): void {
    try {
      admitAdministrator(caller);
    } catch (error) {
      recordRefusal(this.events, { caller, call: BOARD_PATH, context: contextOf(request) });
      throw error;
    }
  }

  /** Refuses a request with a readable text for the user of the tab. */
  private refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const { status, headers, unexpected } = answerTo(error);
    if (unexpected) {
      const facts = { error, status, correlation_id: correlationIdOf(request) };
      this.log.error('request to the queue board failed', facts);
    }
    const reason = error instanceof DomainError ? error.reason : ACCESS_MESSAGES.busy;
    const sentence = renderMessage(reason, acceptedLanguage(request.headers['accept-language']));
    reply.headers(headers).status(status);
    // The board's page shows this in a corner above its current content.
    if (request.url.startsWith(`${BOARD_PATH}/api/`))
      return void reply.send({ error: { key: 'ERRORS.FORBIDDEN' }, message: sentence });
    reply.type('text/plain; charset=utf-8').send(sentence);
  }
}
