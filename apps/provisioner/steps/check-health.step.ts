import { type Message, type Plan, STEP_MESSAGES } from '@moorage/domain';
import { Injectable } from '@nestjs/common';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { RunTimeouts } from '../runs/step-timeouts';
import { ServerSessions } from '../servers/server-sessions';
import type { Facts } from '../ssh/host-scripts';
import { factsOf, partsNotReady } from './answers';
import { CustomerAccess } from './customer-access';

const CHECK_MS = 45_000;

/** Before the certificate step of these the router is not up, and nobody expects it to be. */
const WITHOUT_ROUTER: readonly Plan[] = ['create', 'change-domain'];

@Injectable()
export class CheckHealthStep implements Step {
  constructor(
    private readonly sessions: ServerSessions,
    private readonly access: CustomerAccess,
    private readonly timeouts: RunTimeouts,
  ) {}

  /** Waits until the software is healthy; where billing begins after it, the customer's key is authorised last. */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const waitsForDns = WITHOUT_ROUTER.includes(context.run.plan) && context.run.steps.includes('issue-certificate');
    const answer = await this.sessions.open(context, signal, (session) =>
      session.run('check-health', { part: waitsForDns ? 'stack' : 'all' }, { deadline_ms: CHECK_MS, signal }),
    );
    if (answer.code === 'NOT_YET' || answer.code === 'UNHEALTHY') {
      return {
        retry_at: context.now + this.timeouts.of(context.deployment).health_poll_ms,
        reason: whatIsMissing(answer.code, answer.facts),
      };
    }
    factsOf(answer);
    await this.access.openWithBilling(context, signal);
    return { done: true };
  }
}

/** With the names of the parts where the server told them. */
function whatIsMissing(code: string, facts: Facts['check-health'] | null): Message {
  const parts = facts === null ? [] : partsNotReady(facts);
  if (parts.length === 0) return STEP_MESSAGES.software_starting;
  const message = code === 'UNHEALTHY' ? STEP_MESSAGES.software_stopped : STEP_MESSAGES.software_waits_for;
  return message({ parts: parts.join(', ') });
}
