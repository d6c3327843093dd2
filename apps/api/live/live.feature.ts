import { type EventName, LIVE_CALLS } from '@moorage/contracts';
import { DomainError } from '@moorage/domain';
import type { ProductEvent, ProductEventHandlers } from '@moorage/runtime';
import type { Tx } from '@moorage/server';
import { Controller, Inject } from '@nestjs/common';
import type { ApiDeps, Feature } from '../feature';
import type { Authenticator } from '../http/access.guard';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { HINTS } from './hints';
import { createLive, type Live } from './live';

const LIVE = Symbol('live');
const AUTHENTICATOR = Symbol('authenticator');

@Controller()
export class LiveController {
  constructor(
    @Inject(LIVE) private readonly live: Live,
    @Inject(AUTHENTICATOR) private readonly authenticator: Authenticator,
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

/** The session has ended; anything else (the database is away for a moment) is no reason to hang up. */
function nobody(error: unknown): null {
  if (error instanceof DomainError && error.code === 'UNAUTHENTICATED') return null;
  throw error;
}

function hintHandlers(live: Live): ProductEventHandlers {
  const handler =
    <Name extends EventName>(name: Name) =>
    async (tx: Tx, event: ProductEvent<Name>): Promise<void> =>
      live.send(tx, HINTS[name](event));
  return Object.fromEntries((Object.keys(HINTS) as EventName[]).map((name) => [name, handler(name)]));
}

export function createLiveFeature(
  { notices, clock, log }: ApiDeps,
  { authenticator }: { authenticator: Authenticator },
): Feature {
  const live = createLive({ notices, clock, log });
  return {
    controllers: [LiveController],
    providers: [
      { provide: LIVE, useValue: live },
      { provide: AUTHENTICATOR, useValue: authenticator },
    ],
    handlers: hintHandlers(live),
    start: () => live.start(),
  };
}
