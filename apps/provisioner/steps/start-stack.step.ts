import { REPLACES_STACK } from '@moorage/domain';
import { Injectable } from '@nestjs/common';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import { factsOf } from '../runs/script-errors';

export const START_STACK_MS = 7 * 60_000;

@Injectable()
export class StartStackStep implements Step {
  constructor(private readonly sessions: ServerSessions) {}

  /**
   * Starts all services that do not wait for DNS. With other values, all of them are recreated, because most of
   * them read their files only at the start.
   */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const recreate = REPLACES_STACK.includes(context.run.plan) ? 'yes' : 'no';
    await this.sessions.open(context, signal, async (session) =>
      factsOf(await session.run('start-stack', { recreate }, { deadline_ms: START_STACK_MS, signal })),
    );
    return { done: true };
  }
}
