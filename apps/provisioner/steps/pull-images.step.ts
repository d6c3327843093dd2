import { openChange } from '@moorage/database';
import { STEP_MESSAGES, UPDATE_MESSAGES } from '@moorage/domain';
import { Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { type Step, type StepContext, StepError, type StepOutcome } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import { StackService } from '../stacks/stack.service';
import { factsOf } from '../runs/script-errors';
import { START_STACK_MS } from './start-stack.step';

@Injectable()
export class PullImagesStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly sessions: ServerSessions,
    private readonly stacks: StackService,
  ) {}

  /** Downloads the images of the next release while the current one keeps running. */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const { deployment } = context;
    const change = await this.db.tx('pull-images.read', (tx) => openChange(tx, deployment.id));
    const release = change?.after.release;
    if (change?.kind !== 'update' || typeof release !== 'string') return { failed: STEP_MESSAGES.pull_images };
    const images = this.stacks.imagesOf({ ...deployment, release });
    await this.sessions.open(context, signal, async (session) => {
      const answer = await session.run('pull-images', { images }, { deadline_ms: START_STACK_MS, signal });
      if (answer.code === 'DISK_FULL') throw new StepError(UPDATE_MESSAGES.disk_full, { permanent: true });
      factsOf(answer);
    });
    return { done: true };
  }
}
