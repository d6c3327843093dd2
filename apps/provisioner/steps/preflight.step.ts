import { joined, SERVER_CHECK_MESSAGES } from '@moorage/domain';
import { Clock } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import { serverHasIpv6 } from '../server-store/server-store';
import { preflightLines, refusalOf } from '../ssh/preflight';
import { kindOf, StackService } from '../stacks/stack.service';
import { factsOf } from '../runs/script-errors';

const CHECK_MS = 45_000;

@Injectable()
export class PreflightStep implements Step {
  constructor(
    private readonly sessions: ServerSessions,
    private readonly stacks: StackService,
    private readonly clock: Clock,
  ) {}

  /** Checks whether the machine meets the package's requirements. Reports all problems at once. */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const args = this.stacks.preflight(context.deployment, this.clock.systemNow());
    const answer = await this.sessions.open(context, signal, (session) =>
      session.run('preflight', args, { deadline_ms: CHECK_MS, signal }),
    );
    const lines = preflightLines(answer.facts?.results ?? [], { package: this.stacks.nameOf(context.deployment) });
    if (answer.code === 'REFUSED') {
      return { failed: refusalOf(lines) ?? SERVER_CHECK_MESSAGES.unfit };
    }
    const { ipv6, ipv6_address } = factsOf(answer);
    const warnings = lines.filter(({ level }) => level === 'warning').map(({ message }) => message);
    return {
      done: true,
      memory: { ipv6 },
      commit: (tx) => serverHasIpv6(tx, context.deployment.id, ipv6_address),
      ...(kindOf(context.deployment) === 'own' && warnings.length > 0 ? { message: joined(warnings) } : {}),
    };
  }
}
