import { SSH_PUBLIC_KEY, userSecrets } from '@moorage/contracts';
import { Db, Secrets } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import { checkFoldersOf } from '../ssh/check-folders';
import { SshError } from '../ssh/types';
import { factsOf } from '../runs/script-errors';
import { DeleteServerStep } from './delete-server.step';
import { OwnServerRemoval, scopeOf } from './own-server-removal.service';

const ACCESS_MS = 60_000;

@Injectable()
export class ConfirmRemovalStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly secrets: Secrets,
    private readonly sessions: ServerSessions,
    private readonly ownServers: OwnServerRemoval,
    private readonly deleteServer: DeleteServerStep,
  ) {}

  /** Checks again that everything is gone, in case something was created late. */
  run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    return context.deployment.server_type === 'new'
      ? this.deleteServer.run(context, signal)
      : this.confirmOwn(context, signal);
  }

  /**
   * Checks a user's own server for the last time. The stack must be gone and, after the user's delete, our folders and
   * our key too. Once the stack was seen to be gone, a rejected key means that access has already been removed. After a
   * hand-over only our folders and our key are removed.
   */
  private confirmOwn(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    return this.ownServers.orGivenUp(context, async () => {
      const { deployment, server, run } = context;
      if (server === null || !deployment.server_exists) return { done: true };
      if (typeof run.memory.left_behind === 'object') return { done: true };
      const data = scopeOf(context);
      const handsOver = deployment.destroy_reason === 'handed_over';
      try {
        if (!handsOver) await this.ownServers.removeStack(context, signal, data);
        if (handsOver || data === 'remove') await this.removeAccess(context, signal);
      } catch (error) {
        const isPrepared = run.memory.removed === 'remove' || run.memory.handed_over === true;
        const accessGone = error instanceof SshError && error.kind === 'key_refused' && isPrepared;
        if (!accessGone) throw error;
      }
      return { done: true, ...(handsOver ? {} : { memory: { removed: data } }) };
    });
  }

  private async removeAccess(context: StepContext, signal: AbortSignal): Promise<void> {
    const line = await this.userPublicKey(context.deployment.user_id);
    const key = line?.trim().split(/\s+/)[1];
    if (key === undefined) return;
    const checks = checkFoldersOf(Buffer.from(key, 'base64'));
    await this.sessions.open(context, signal, async (session) =>
      factsOf(await session.run('remove-access', { key, checks }, { deadline_ms: ACCESS_MS, signal })),
    );
  }

  /** Returns the public key with which we log in to a user's own servers. */
  private userPublicKey(userId: number): Promise<string | null> {
    return this.db.tx('user.public-key', (tx) => this.secrets.get(tx, userSecrets(userId), SSH_PUBLIC_KEY));
  }
}
