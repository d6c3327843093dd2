import { CERTIFICATE_WORDS, say, STEP_WORDS } from '@moorage/domain';
import { Injectable } from '@nestjs/common';
import { CertificateCheck } from '../certificates/types';
import { type Step, type StepContext, StepError, type StepOutcome } from '../runs/step';
import { RunTimeouts } from '../runs/step-timeouts';
import { ServerSessions } from '../servers/server-sessions';
import { StackService } from '../stacks/stack.service';
import type { WantedHost } from '../stacks/types';
import { factsOf } from './answers';

const ROUTER_MS = 120_000;
const LOG_MS = 30_000;

@Injectable()
export class IssueCertificateStep implements Step {
  constructor(
    private readonly sessions: ServerSessions,
    private readonly stacks: StackService,
    private readonly certificates: CertificateCheck,
    private readonly timeouts: RunTimeouts,
  ) {}

  /**
   * The router is started only now, when DNS is right, so that no attempt at the authority is wasted. A retry recreates it:
   * a router that failed a challenge tries again only then. Done when every name shows a good certificate and answers as it
   * should; when the time is over, the authority's words are the reason, never a READY with a warning.
   */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const { deployment, run, now } = context;
    const address = deployment.instance_ip ?? deployment.vps_ip_address;
    if (address === null) throw new StepError(STEP_WORDS.address_unknown, { permanent: true });
    if (run.memory.router_started !== true) {
      const recreate = run.plan === 'create' ? 'no' : 'yes';
      await this.sessions.open(context, signal, async (session) =>
        factsOf(await session.run('start-router', { recreate }, { deadline_ms: ROUTER_MS, signal })),
      );
      return { retry_at: now, reason: CERTIFICATE_WORDS.asking, memory: { router_started: true } };
    }
    for (const wanted of this.stacks.hosts(deployment).filter(({ tls }) => tls)) {
      const reason = await this.problemWith(wanted, address, signal);
      if (reason === null) continue;
      const said = await this.authorityError(context, signal);
      return {
        retry_at: now + this.timeouts.of(context.deployment).certificate_poll_ms,
        reason: said === null ? reason : say(CERTIFICATE_WORDS.authority_says, { words: said }),
      };
    }
    return { done: true };
  }

  private async problemWith({ host, probe }: WantedHost, address: string, signal: AbortSignal): Promise<string | null> {
    const result = await this.certificates.check({ address, host }, signal);
    if (result.verdict !== 'good') return result.reason ?? say(CERTIFICATE_WORDS.none_good, { host });
    if (probe === null) return null;
    const answer = await this.certificates.probe({ address, host, probe }, signal);
    return answer.ok
      ? null
      : (answer.reason ?? say(CERTIFICATE_WORDS.page_otherwise, { url: `https://${host}${probe.path}` }));
  }

  /** The log of the router is only a help: without it what is wrong with the certificate is the reason. */
  private async authorityError(context: StepContext, signal: AbortSignal): Promise<string | null> {
    try {
      const answer = await this.sessions.open(context, signal, (session) =>
        session.run('router-log', {}, { deadline_ms: LOG_MS, signal }),
      );
      return answer.facts?.acme_error ?? null;
    } catch {
      return null;
    }
  }
}
