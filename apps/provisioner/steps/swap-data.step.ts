import { openChange, openRestore } from '@moorage/database';
import { BACKUP_MESSAGES, type Message, STEP_MESSAGES } from '@moorage/domain';
import { Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { type Step, type StepContext, StepError, type StepOutcome } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import type { Answer } from '../ssh/host-scripts';
import { keptBy } from './keep-data.step';
import { factsOf } from '../runs/script-errors';
import { START_STACK_MS } from './start-stack.step';
import { UploadStackStep } from './upload-stack.step';

/** Codes for restored data that cannot be used. */
const REFUSALS: readonly string[] = ['RESTORED_UNREADABLE', 'RESTORED_SHORT'];
const TIDY_MS = 60_000;

/** Puts restored data, or the data from before, in place and starts the stack with it. */
abstract class SwapStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly sessions: ServerSessions,
    private readonly to: 'restored' | 'before',
    private readonly upload: UploadStackStep | null = null,
  ) {}

  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const restore = await this.db.tx('swap.read', (tx) => openRestore(tx, context.deployment.id));
    if (restore === null) return { failed: BACKUP_MESSAGES.copy_unknown };
    await this.upload?.run(context, signal);
    await this.sessions.open(context, signal, async (session) => {
      const args = { job: `r${restore.id}`, to: this.to };
      const answer = await session.run('swap-data', args, { deadline_ms: START_STACK_MS, signal });
      // The data restored beside is no longer useful.
      if (REFUSALS.includes(answer.code))
        await session.run('copy-stop', { job: args.job }, { deadline_ms: TIDY_MS, signal });
      swapped(answer);
    });
    return { done: true, memory: { swapped: true } };
  }
}

@Injectable()
export class SwapDataStep extends SwapStep {
  constructor(db: Db, sessions: ServerSessions) {
    super(db, sessions, 'restored');
  }
}

/** Uploads the files of the previous release first, so that another release never starts with its data. */
@Injectable()
export class SwapBackStep extends SwapStep {
  constructor(db: Db, sessions: ServerSessions, upload: UploadStackStep) {
    super(db, sessions, 'before', upload);
  }
}

@Injectable()
export class PutBackDataStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly sessions: ServerSessions,
    private readonly upload: UploadStackStep,
  ) {}

  /**
   * Undoes an update on the server. The files of the previous release come first, so that the next one never starts with
   * the previous data. If the data was not kept yet, it has not changed either, and the stack is only started again.
   */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const change = await this.db.tx('put-back-data.read', (tx) => openChange(tx, context.deployment.id));
    if (change === null) return { failed: STEP_MESSAGES.put_back_data };
    await this.upload.run(context, signal);
    const limits = { deadline_ms: START_STACK_MS, signal };
    await this.sessions.open(context, signal, async (session) => {
      const answer = await session.run('swap-data', { job: keptBy(change), to: 'restored' }, limits);
      if (answer.code === 'NOTHING_RESTORED' && context.run.memory.kept !== true)
        factsOf(await session.run('restart-stack', {}, limits));
      else swapped(answer);
    });
    return { done: true };
  }
}

function swapped(answer: Answer<'swap-data'>): void {
  const { name = '', free_mb: free, needed_mb: needed = 0 } = answer.facts ?? {};
  const refusals: Readonly<Record<string, Message>> = {
    NOTHING_RESTORED: BACKUP_MESSAGES.swap_failed,
    RESTORED_UNREADABLE: BACKUP_MESSAGES.restored_unreadable({ name }),
    RESTORED_SHORT: BACKUP_MESSAGES.restored_short,
    SWAP_FAILED: BACKUP_MESSAGES.swap_failed,
    ...(free === undefined ? {} : { DISK_FULL: BACKUP_MESSAGES.restore_disk_full({ free, needed }) }),
  };
  const refusal = answer.ok ? undefined : refusals[answer.code];
  if (refusal !== undefined) throw new StepError(refusal, { permanent: answer.code !== 'SWAP_FAILED' });
  factsOf(answer);
}
