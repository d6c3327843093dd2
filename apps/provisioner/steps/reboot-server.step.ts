import { STEP_MESSAGES } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { RunTimeouts } from '../runs/step-timeouts';
import { ServerSessions } from '../servers/server-sessions.service';
import { SshError } from '../ssh/types';
import { factsOf } from '../runs/script-errors';
import { STILL_BOOTING } from './wait-for-ssh.step';

/** Timeout of the script, which only schedules the reboot. */
const SCHEDULE_MS = 20_000;

@Injectable()
export class RebootServerStep implements Step {
  constructor(
    private readonly sessions: ServerSessions,
    private readonly timeouts: RunTimeouts,
  ) {}

  /**
   * Reboots the server and waits until it runs in another boot. The first attempt only stores the current boot in the
   * run. The server then reboots only in that boot, so it reboots once, however often this is repeated.
   */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const { run, deployment, now } = context;
    const before = typeof run.memory.boot_id === 'string' ? run.memory.boot_id : null;
    const wait = { retry_at: now + this.timeouts.of(deployment).ssh_poll_ms, reason: STEP_MESSAGES.rebooting };
    try {
      const answer = await this.sessions.open(context, signal, (session) =>
        session.run('reboot-server', { boot: before ?? 'none' }, { deadline_ms: SCHEDULE_MS, signal }),
      );
      const { boot_id } = factsOf(answer);
      if (before === null) return { ...wait, retry_at: now, memory: { boot_id } };
      return boot_id === before ? wait : { done: true, commit: (tx) => forgetNeed(tx, deployment.id) };
    } catch (error) {
      if (before !== null && error instanceof SshError && STILL_BOOTING.includes(error.kind)) return wait;
      throw error;
    }
  }
}

/** Forgets that a reboot is pending, until the server reports it again. */
async function forgetNeed(tx: Tx, deploymentId: number): Promise<void> {
  await tx.execute(`update reachability set host = host - 'reboot' where deployment_id = $1`, [deploymentId]);
}
