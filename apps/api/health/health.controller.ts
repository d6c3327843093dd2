import { HEALTH_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { HealthService } from './health.service';

const DOCS_MAX_AGE_S = 300;

@Controller()
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Serve(HEALTH_CALLS.live)
  live() {
    return { status: 'live' as const };
  }

  @Serve(HEALTH_CALLS.ready)
  ready() {
    return this.health.ready();
  }

  @Serve(HEALTH_CALLS.docs)
  docs({ header, reply }: CallInput<typeof HEALTH_CALLS.docs>) {
    const { text, etag } = this.health.docs();
    reply.header('etag', etag);
    reply.header('cache-control', `public, max-age=${DOCS_MAX_AGE_S}, must-revalidate`);
    const known = (header('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    if (known.includes(etag)) {
      reply.status(304);
      return '';
    }
    reply.header('content-type', 'application/json; charset=utf-8');
    return text;
  }
}
