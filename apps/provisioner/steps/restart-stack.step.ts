import { Injectable } from '@nestjs/common';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import { factsOf } from '../runs/script-errors';
import { START_STACK_MS } from './start-stack.step';

@Injectable()
export class RestartStackStep implements Step {
  constructor(private readonly sessions: ServerSessions) {}

  /**
   * Restarts the whole stack including the router (decisions 22, "Fix SSL"). After that, the certificate step only
   * checks.
   */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    await this.sessions.open(context, signal, async (session) =>
      factsOf(await session.run('restart-stack', {}, { deadline_ms: START_STACK_MS, signal })),
    );
    return { done: true, memory: { router_started: true } };
  }
}
