import { openChange } from '@moorage/database';
import { Db, Log } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import { keptBy } from './keep-data.step';
import { factsOf } from './script-errors';

const TIDY_MS = 120_000;

@Injectable()
export class TidyUpdateStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly sessions: ServerSessions,
    private readonly log: Log,
  ) {}

  /**
   * Removes what was kept for the other outcome, and images that are no longer used. The update has succeeded, or has
   * been undone, whether that works or not.
   */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const { deployment } = context;
    const change = await this.db.tx('tidy-update.read', (tx) => openChange(tx, deployment.id));
    if (change === null) return { done: true };
    try {
      await this.sessions.open(context, signal, async (session) =>
        factsOf(await session.run('tidy-update', { job: keptBy(change) }, { deadline_ms: TIDY_MS, signal })),
      );
    } catch (error) {
      signal.throwIfAborted();
      this.log.warn('the data of before an update stays on its server', {
        deployment_id: deployment.id,
        reason: error instanceof Error ? error.message : String(error),
      });
    }
    return { done: true };
  }
}
