import { openChange } from '@moorage/database';
import { Db, Log } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import { StackService } from '../stacks/stack.service';
import { keptBy } from './keep-data.step';
import { factsOf } from './script-errors';

const TIDY_MS = 120_000;

@Injectable()
export class TidyUpdateStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly sessions: ServerSessions,
    private readonly stacks: StackService,
    private readonly log: Log,
  ) {}

  /**
   * Removes the kept data and the images of the release that no longer runs. A failure is only logged, because the
   * update has already succeeded or been undone.
   */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const { deployment } = context;
    const change = await this.db.tx('tidy-update.read', (tx) => openChange(tx, deployment.id));
    if (change === null) return { done: true };
    const other = context.run.plan === 'update' ? change.before.release : change.after.release;
    const gone = { ...deployment, release: other == null ? null : String(other) };
    try {
      const used = this.stacks.imagesOf(deployment);
      const images = this.stacks.imagesOf(gone).filter((image) => !used.includes(image));
      await this.sessions.open(context, signal, async (session) =>
        factsOf(await session.run('tidy-update', { job: keptBy(change), images }, { deadline_ms: TIDY_MS, signal })),
      );
    } catch (error) {
      signal.throwIfAborted();
      this.log.warn('the kept data of an update could not be removed from its server', {
        deployment_id: deployment.id,
        reason: error instanceof Error ? error.message : String(error),
      });
    }
    return { done: true };
  }
}
