import { openChange, writeRelease } from '@moorage/database';
import { STEP_MESSAGES, UPDATE_MESSAGES } from '@moorage/domain';
import { Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { HostCopies } from '../backups/host-copies.service';
import { type Step, type StepContext, StepError, type StepOutcome } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import { factsOf } from '../runs/script-errors';
import { START_STACK_MS } from './start-stack.step';

/** Name of the kept data of an update on the server. */
export const keptBy = (change: { readonly id: number }): string => `u${change.id}`;

@Injectable()
export class KeepDataStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly sessions: ServerSessions,
    private readonly copies: HostCopies,
  ) {}

  /**
   * Stops the stack and keeps a copy of its data on the server. From then on, the deployment has the next release, and
   * a failure puts the data back.
   */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const { deployment, server, fencingToken } = context;
    const change = await this.db.tx('keep-data.read', (tx) => openChange(tx, deployment.id));
    const release = change?.after.release;
    if (change?.kind !== 'update' || typeof release !== 'string') return { failed: STEP_MESSAGES.keep_data };
    await this.copies.uploadPlan({ deployment, server, fencingToken }, keptBy(change), signal);
    await this.sessions.open(context, signal, async (session) => {
      const args = { job: keptBy(change) };
      const answer = await session.run('keep-data', args, { deadline_ms: START_STACK_MS, signal });
      const { free_mb: free, needed_mb: needed = 0 } = answer.facts ?? {};
      if (answer.code === 'DISK_FULL' && free !== undefined)
        throw new StepError(UPDATE_MESSAGES.data_disk_full({ free, needed }), { permanent: true });
      factsOf(answer);
    });
    return { done: true, memory: { kept: true }, commit: (tx) => writeRelease(tx, deployment.id, release) };
  }
}
