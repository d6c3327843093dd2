import { LIVE_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import { Callers } from '../auth/callers.service';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { LiveService } from './live.service';

@Controller()
export class LiveController {
  constructor(
    private readonly live: LiveService,
    private readonly callers: Callers,
  ) {}

  @Serve(LIVE_CALLS.live)
  open({ caller, reply }: CallInput<typeof LIVE_CALLS.live>) {
    const stream = this.live.open(caller, () => this.callers.again(caller));
    reply.header('content-type', 'text/event-stream; charset=utf-8');
    reply.header('cache-control', 'no-store, no-transform');
    // Proxies that buffer responses would buffer this one for ever.
    reply.header('x-accel-buffering', 'no');
    return stream;
  }
}
