import { Injectable } from '@nestjs/common';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions';
import { factsOf } from './answers';

export const START_STACK_MS = 7 * 60_000;

@Injectable()
export class StartStackStep implements Step {
  constructor(private readonly sessions: ServerSessions) {}

  /** Everything but what waits for DNS. */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    await this.sessions.open(context, signal, async (session) =>
      factsOf(await session.run('start-stack', {}, { deadline_ms: START_STACK_MS, signal })),
    );
    return { done: true };
  }
}
