import { Injectable } from '@nestjs/common';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import { OwnServerRemoval } from './own-server-removal.service';
import { factsOf } from '../runs/script-errors';

const HAND_OVER_MS = 7 * 60_000;

@Injectable()
export class HandOverStep implements Step {
  constructor(
    private readonly sessions: ServerSessions,
    private readonly ownServers: OwnServerRemoval,
  ) {}

  /**
   * Prepares a user's own server for its owner: ends what backups and restores have left there and writes how to run
   * the software. Our access is removed in the step after this one, so that until then everything can be repeated.
   */
  run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    return this.ownServers.orGivenUp(context, async () => {
      const { server, deployment } = context;
      if (server === null || !deployment.server_exists) return { done: true };
      await this.sessions.open(context, signal, async (session) =>
        factsOf(await session.run('hand-over', {}, { deadline_ms: HAND_OVER_MS, signal })),
      );
      return { done: true, memory: { handed_over: true } };
    });
  }
}
