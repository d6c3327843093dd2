import { REPLACES_STACK, STEP_MESSAGES } from '@moorage/domain';
import { Injectable } from '@nestjs/common';
import { type Step, type StepContext, StepError, type StepOutcome } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import { StackService } from '../stacks/stack.service';
import { factsOf } from '../runs/script-errors';

const UPLOAD_MS = 60_000;

@Injectable()
export class UploadStackStep implements Step {
  constructor(
    private readonly sessions: ServerSessions,
    private readonly stacks: StackService,
  ) {}

  /**
   * Uploads the files by SFTP, never through a shell. Rendering is pure, so a second upload transfers the same files.
   */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const ipv6 = context.run.memory.ipv6 === true;
    const empties = REPLACES_STACK.includes(context.run.plan);
    const files = await this.stacks.files(context.deployment, { ipv6, empties }).catch((error: unknown) => {
      if (error instanceof RangeError)
        throw new StepError(STEP_MESSAGES.value_unwritable, {
          permanent: true,
          cause: error,
        });
      throw error;
    });
    await this.sessions.open(context, signal, async (session) =>
      factsOf(await session.upload(files, { deadline_ms: UPLOAD_MS, signal })),
    );
    return { done: true };
  }
}
