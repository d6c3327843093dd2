import { LIVE_CALLS } from '@moorage/contracts';
import { DomainError } from '@moorage/domain';
import { Controller } from '@nestjs/common';
import { Authenticator } from '../http/authenticator';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { LiveService } from './live.service';

@Controller()
export class LiveController {
  constructor(
    private readonly live: LiveService,
    private readonly authenticator: Authenticator,
  ) {}

  @Serve(LIVE_CALLS.live)
  open({ caller, header, reply }: CallInput<typeof LIVE_CALLS.live>) {
    const bearer = { headers: { authorization: header('authorization') } };
    const stream = this.live.open(caller, () => this.authenticator.callerOf(bearer).catch(nobody));
    reply.header('content-type', 'text/event-stream; charset=utf-8');
    reply.header('cache-control', 'no-store, no-transform');
    // proxies that collect an answer before they pass it on would collect this one for ever
    reply.header('x-accel-buffering', 'no');
    return stream;
  }
}

/** null: the session has ended. Anything else (the database is away for a moment) is no reason to disconnect. */
function nobody(error: unknown): null {
  if (error instanceof DomainError && error.code === 'UNAUTHENTICATED') return null;
  throw error;
}
