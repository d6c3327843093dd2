import type { CheckedCertificate } from '@moorage/database';
import { CERTIFICATE_MESSAGES, isFinalRefusal, joined, type Message } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { CertificateChecks, type CheckedHost, checkedCertificatesOf } from '../certificates/certificate-checks.service';
import { CertificateCheck } from '../certificates/types';
import { type Step, type StepContext, type StepOutcome } from '../runs/step';
import { RunTimeouts } from '../runs/step-timeouts';
import { ServerSessions } from '../servers/server-sessions.service';
import { factsOf } from '../runs/script-errors';

const ROUTER_MS = 120_000;
const LOG_MS = 30_000;

@Injectable()
export class IssueCertificateStep implements Step {
  constructor(
    private readonly sessions: ServerSessions,
    private readonly checks: CertificateChecks,
    private readonly certificates: CertificateCheck,
    private readonly timeouts: RunTimeouts,
  ) {}

  /**
   * Starts the router only when DNS is correct, so that no attempt at the authority is wasted. A retry recreates the
   * router, because it retries a failed challenge only after a restart. The step is done when every required name has a
   * good certificate and responds as expected. It fails at once if the authority refused for a reason that waiting
   * cannot change. On timeout, the authority's error is the reason, and the deployment never becomes READY with a
   * warning. Stores the state of each name on every attempt.
   */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const { deployment, run, now } = context;
    if (run.memory.router_started !== true) {
      const recreate = run.plan === 'create' ? 'no' : 'yes';
      await this.sessions.open(context, signal, async (session) =>
        factsOf(await session.run('start-router', { recreate }, { deadline_ms: ROUTER_MS, signal })),
      );
      return { retry_at: now, reason: CERTIFICATE_MESSAGES.asking, memory: { router_started: true } };
    }
    const checked = await this.checks.check(deployment, signal);
    const required = checked.filter(({ wanted }) => wanted.required);
    const logged = checked.every(isGood) ? [] : await this.routerLog(context, signal);
    const certificates = checkedCertificatesOf(checked, logged, now);
    const commit = (tx: Tx): Promise<void> => this.checks.save(tx, deployment.id, certificates);
    const wanted = certificates.filter(({ host }) => required.some((one) => one.wanted.host === host));
    const reason = required.every(isGood) ? await this.problemOfPages(required, signal) : problemOf(wanted);
    if (reason === null) return { done: true, commit };
    // The router does not ask again before its next start.
    if (wanted.some(({ refusal }) => refusal !== null && isFinalRefusal(refusal.problem)))
      return { failed: reason, commit };
    return { retry_at: now + this.timeouts.of(deployment).certificate_poll_ms, reason, commit };
  }

  private async problemOfPages(hosts: readonly CheckedHost[], signal: AbortSignal): Promise<Message | null> {
    for (const { address, wanted } of hosts) {
      const { host, probe } = wanted;
      if (probe === null) continue;
      const answer = await this.certificates.probe({ address, host, probe }, signal);
      if (!answer.ok)
        return answer.reason ?? CERTIFICATE_MESSAGES.page_otherwise({ url: `https://${host}${probe.path}` });
    }
    return null;
  }

  /** Reads the router's log, which is optional. Without it, the certificate's problem is the reason. */
  private async routerLog(context: StepContext, signal: AbortSignal): Promise<readonly string[]> {
    try {
      const answer = await this.sessions.open(context, signal, (session) =>
        session.run('router-log', {}, { deadline_ms: LOG_MS, signal }),
      );
      return answer.facts?.acme_errors ?? [];
    } catch {
      return [];
    }
  }
}

const isGood = ({ result }: CheckedHost): boolean => result.verdict === 'good';

/** Returns the main problem. An authority's refusal comes first, because waiting does not help. */
function problemOf(certificates: readonly CheckedCertificate[]): Message {
  const bad = certificates.filter(({ verdict }) => verdict !== 'good');
  const worst = bad.find(({ refusal }) => refusal !== null) ?? bad[0];
  if (worst === undefined) return CERTIFICATE_MESSAGES.asking;
  const { host, refusal, reason } = worst;
  const problem = reason ?? CERTIFICATE_MESSAGES.none_good({ host });
  return refusal === null ? problem : joined([problem, CERTIFICATE_MESSAGES.authority_says({ words: refusal.words })]);
}
