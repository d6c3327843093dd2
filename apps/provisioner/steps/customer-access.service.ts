import { Injectable } from '@nestjs/common';
import type { StepContext } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import { stateFolder } from '../ssh/command';
import { factsOf } from './script-errors';

const ACCESS_MS = 30_000;

@Injectable()
export class CustomerAccess {
  constructor(private readonly sessions: ServerSessions) {}

  /**
   * Authorises the customer's key in the step that opens the billable interval and not before, so that no server can be
   * used for free (decisions 26). Called before the status change. Idempotent.
   */
  async openWithBilling(context: StepContext, signal: AbortSignal): Promise<void> {
    if (!opensInterval(context)) return;
    const { user_ssh_key: key, ref } = context.deployment;
    if (key === null) return;
    const limits = { deadline_ms: ACCESS_MS, signal };
    await this.sessions.open(context, signal, async (session) => {
      const path = `${stateFolder(ref)}/customer-key`;
      factsOf(await session.upload([{ path, content: `${key}\n`, mode: 0o600 }], limits));
      factsOf(await session.run('authorise-key', {}, limits));
    });
  }
}

/** Returns whether a create becomes DNS_VALIDATION, or ACTIVE without a domain, after this step. */
function opensInterval({ run, deployment }: StepContext): boolean {
  const next = run.steps[run.position + 1];
  return (
    run.plan === 'create' && deployment.status === 'PROVISIONING' && (next === 'validate-dns' || next === undefined)
  );
}
