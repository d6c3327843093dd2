import { STEP_MESSAGES } from '@moorage/domain';
import { Injectable } from '@nestjs/common';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import { OwnServerRemoval, REMOVE_STACK_MS, scopeOf } from './own-server-removal.service';

@Injectable()
export class RemoveStackStep implements Step {
  constructor(
    private readonly sessions: ServerSessions,
    private readonly ownServers: OwnServerRemoval,
  ) {}

  /**
   * Removes the stack. On a new server one attempt is enough, because the server is deleted afterwards. On a user's own
   * server it is retried until the server responds, for up to a day after the destroy was accepted.
   */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const { deployment, server } = context;
    if (server === null || !deployment.server_exists) return { done: true };
    if (deployment.server_type === 'new') {
      if (server.address === null) return { done: true };
      try {
        await this.sessions.open(context, signal, (session) =>
          session.run('remove-stack', { server: 'new', data: 'remove' }, { deadline_ms: REMOVE_STACK_MS, signal }),
        );
        return { done: true };
      } catch {
        return { done: true, message: STEP_MESSAGES.removed_whole };
      }
    }
    return this.ownServers.orGivenUp(context, async () => {
      const data = scopeOf(context);
      await this.ownServers.removeStack(context, signal, data);
      return { done: true, memory: { removed: data } };
    });
  }
}
