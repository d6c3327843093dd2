import { deploymentSecrets } from '@moorage/contracts';
import { STEP_MESSAGES } from '@moorage/domain';
import { Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { type Step, type StepContext, StepError, type StepOutcome } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import type { SshSession } from '../ssh/types';
import { kindOf, StackService } from '../stacks/stack.service';
import { factsOf } from '../runs/script-errors';

const KEY_DEADLINE_MS = 30_000;
const BOOTSTRAP_DEADLINE_MS = 7 * 60_000;

@Injectable()
export class BootstrapStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly sessions: ServerSessions,
    private readonly stacks: StackService,
  ) {}

  /**
   * Runs the bootstrap script. A new server first gets a host key that was never in its user data. Its fingerprint is
   * stored before the key is put in place, and both keys are accepted until the change is known to be complete.
   */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const { deployment } = context;
    const kind = kindOf(deployment);
    const ready = kind === 'new' ? await this.renewHostKey(context, signal) : context;
    const ports = this.stacks.portsOf(deployment);
    await this.sessions.open(ready, signal, async (session) =>
      factsOf(await session.run('bootstrap', { server: kind, ports }, { deadline_ms: BOOTSTRAP_DEADLINE_MS, signal })),
    );
    return { done: true };
  }

  private async renewHostKey(context: StepContext, signal: AbortSignal): Promise<StepContext> {
    const { deployment, server } = context;
    if (server === null) throw new StepError(STEP_MESSAGES.server_unknown, { permanent: true });
    if (server.host_key_renewed) return context;
    const act = async (session: SshSession, what: 'prepare' | 'install'): Promise<string> =>
      factsOf(await session.run('host-key', { act: what }, { deadline_ms: KEY_DEADLINE_MS, signal })).host_key_sha256;

    const next = await this.sessions.open(context, signal, (session) => act(session, 'prepare'));
    await this.db.tx('bootstrap.next-key', async (tx) => {
      await tx.execute('update servers set next_host_key_sha256 = $2 where deployment_id = $1', [deployment.id, next]);
      await context.assertLease(tx);
    });
    const either: StepContext = { ...context, server: { ...server, next_host_key_sha256: next } };
    await this.sessions.open(either, signal, (session) => act(session, 'install'));
    const shown = await this.sessions.open(either, signal, (session) => Promise.resolve(session.hostKey));
    if (shown !== next) throw new StepError(STEP_MESSAGES.identity_pending);
    await this.db.tx('bootstrap.key', async (tx) => {
      await tx.execute(
        'update servers set host_key_sha256 = $2, next_host_key_sha256 = null, host_key_renewed = true where deployment_id = $1',
        [deployment.id, next],
      );
      await tx.execute(`delete from secrets where owner = $1 and name = 'host_private_key'`, [
        deploymentSecrets(deployment.id),
      ]);
      await context.assertLease(tx);
    });
    return { ...context, server: { ...server, host_key_sha256: next, next_host_key_sha256: null } };
  }
}
