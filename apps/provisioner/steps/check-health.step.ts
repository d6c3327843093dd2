import { type Message, type Plan, REPLACES_STACK, STEP_MESSAGES } from '@moorage/domain';
import { Injectable } from '@nestjs/common';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { CustomerAccess } from '../access/customer-access.service';
import { RunTimeouts } from '../runs/step-timeouts';
import { ServerSessions } from '../servers/server-sessions.service';
import type { Facts } from '../ssh/host-scripts';
import { factsOf, partsNotReady } from '../runs/script-errors';

const CHECK_MS = 45_000;

/** Plans in which the router is not up, and not expected to be, before the certificate step. */
const WITHOUT_ROUTER: readonly Plan[] = ['create', ...REPLACES_STACK];

@Injectable()
export class CheckHealthStep implements Step {
  constructor(
    private readonly sessions: ServerSessions,
    private readonly access: CustomerAccess,
    private readonly timeouts: RunTimeouts,
  ) {}

  /** Waits until the software is healthy. If billing begins afterwards, the customer's keys are authorised last. */
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
    return { done: true, ...(await this.access.openWithBilling(context, signal)) };
  }
}

/** Returns a message with the names of the affected parts, if the server reported them. */
function whatIsMissing(code: string, facts: Facts['check-health'] | null): Message {
  const parts = facts === null ? [] : partsNotReady(facts);
  if (parts.length === 0) return STEP_MESSAGES.software_starting;
  const message = code === 'UNHEALTHY' ? STEP_MESSAGES.software_stopped : STEP_MESSAGES.software_waits_for;
  return message({ parts: parts.join(', ') });
}
