import { DNS_MESSAGES, joined, type Message } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { DnsChecks } from '../dns/dns-checks.service';
import type { DnsCheckResult } from '../dns/types';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { RunTimeouts } from '../runs/step-timeouts';

const WAITING = DNS_MESSAGES.waiting;
const REASONS_SHOWN = 3;

@Injectable()
export class ValidateDnsStep implements Step {
  constructor(
    private readonly checks: DnsChecks,
    private readonly timeouts: RunTimeouts,
  ) {}

  /** Checks repeatedly until the records point to the server or the step times out. The wait is stored in the row. */
  async run({ deployment, server, now }: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const result = await this.checks.check(deployment, server, signal);
    const commit = (tx: Tx): Promise<void> => this.checks.save(tx, deployment, result, now);
    if (result.all_right) return { done: true, commit };
    return { retry_at: now + this.timeouts.of(deployment).dns_poll_ms, reason: dnsReason(result), commit };
  }
}

/** Returns the problems for the user who has to fix them. */
function dnsReason({ records }: DnsCheckResult): Message {
  const reasons = records.flatMap(({ required, right, reason }) =>
    required && !right && reason !== null ? [reason] : [],
  );
  const different = new Map(reasons.map((reason) => [reason.detail, reason]));
  const shown = [...different.values()].slice(0, REASONS_SHOWN);
  return shown.length === 0 ? WAITING : joined(shown);
}
