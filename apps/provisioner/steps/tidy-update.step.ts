import { openChange } from '@moorage/database';
import { Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import { StackService } from '../stacks/stack.service';
import { keptBy } from './keep-data.step';
import { factsOf } from '../runs/script-errors';

const TIDY_MS = 120_000;

@Injectable()
export class TidyUpdateStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly sessions: ServerSessions,
    private readonly stacks: StackService,
  ) {}

  /** Removes the kept data and the images of the release that no longer runs. If this fails, the update still counts. */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const { deployment } = context;
    const change = await this.db.tx('tidy-update.read', (tx) => openChange(tx, deployment.id));
    if (change === null) return { done: true };
    const other = context.run.plan === 'update' ? change.before.release : change.after.release;
    const gone = { ...deployment, release: other == null ? null : String(other) };
    const used = this.stacks.imagesOf(deployment);
    const images = this.stacks.imagesOf(gone).filter((image) => !used.includes(image));
    await this.sessions.open(context, signal, async (session) =>
      factsOf(await session.run('tidy-update', { job: keptBy(change), images }, { deadline_ms: TIDY_MS, signal })),
    );
    return { done: true };
  }
}
