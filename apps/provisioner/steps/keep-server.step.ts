import { endUndo } from '@moorage/database';
import { MINUTE_MS, STEP_MESSAGES } from '@moorage/domain';
import { Clock } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import { factsOf } from '../runs/script-errors';

/** Time limit of the script, which gives each container 20 s. */
const STOP_STACK_MS = 2 * MINUTE_MS;

@Injectable()
export class KeepServerStep implements Step {
  constructor(
    private readonly sessions: ServerSessions,
    private readonly clock: Clock,
  ) {}

  /**
   * Stops the stack of a deleted deployment, and waits until the delete can no longer be undone. The end of that time
   * is stored together with the step, so a delete is either undone before it or not at all.
   */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const { deployment, run, now } = context;
    const { id, undo_until: until } = deployment;
    if (until === null || now >= until)
      return { done: true, commit: async (tx) => endUndo(tx, id, await this.clock.now(tx)) };
    if (run.memory.stopped !== true)
      await this.sessions.open(context, signal, async (session) =>
        factsOf(await session.run('stop-stack', {}, { deadline_ms: STOP_STACK_MS, signal })),
      );
    return { retry_at: until, reason: STEP_MESSAGES.server_kept, memory: { stopped: true } };
  }
}
