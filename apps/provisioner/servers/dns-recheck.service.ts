import { DNS_CHECK_WORK } from '@moorage/contracts';
import { checkedCertificates, type DeploymentRow, Deployments } from '@moorage/database';
import { DAY_MS, type Instant } from '@moorage/domain';
import { type Claim, type Outcome, WorkSchedule } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { CertificateChecks, checkedAgain } from '../certificates/certificate-checks.service';
import { DnsChecks } from '../dns/dns-checks.service';
import { startDnsRun } from '../runs/run-store';
import { Intervals } from '../runs/step-timeouts';
import { findServer } from '../server-store/server-store';

interface Failure {
  /** Time at which it entered DNS_FAILED. */
  readonly since: Instant;
  /** Number of failed certificate steps of the last day, in which DNS was correct but the authority refused. */
  readonly refusals: number;
}

@Injectable()
export class DnsRecheck {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly checks: DnsChecks,
    private readonly certificates: CertificateChecks,
    private readonly work: WorkSchedule,
    private readonly intervals: Intervals,
  ) {}

  /**
   * Keeps checking in DNS_FAILED automatically, frequently on the first day and hourly after that. When the records are
   * correct, the deployment returns to DNS_VALIDATION, at most once in fifteen minutes. If only the authority refused,
   * the delay doubles each time because of the authority's rate limits.
   */
  @HandlesWork(DNS_CHECK_WORK, { concurrency: 2 })
  async run(claim: Claim, signal: AbortSignal): Promise<Outcome> {
    const id = Number(claim.key);
    const found = await this.db.tx('dns-check.read', async (tx) => {
      const row = await this.deployments.lock(tx, id);
      if (row?.status !== 'DNS_FAILED') return null;
      return {
        row,
        server: await findServer(tx, id),
        now: await this.clock.now(tx),
        failure: await failureOf(tx, id),
        shown: await checkedCertificates(tx, id),
      };
    });
    if (found === null) return { done: true };
    const { row, server, now, failure, shown } = found;
    const result = await this.checks.check(row, server, signal);
    // There are no certificates before a router was started.
    const certificates =
      shown.length === 0 ? null : checkedAgain(await this.certificates.check(row, signal), shown, now);
    const fresh = failure === null || now < failure.since + this.intervals.dns_recheck_first_ms;
    const next = now + (fresh ? this.intervals.dns_recheck_ms : this.intervals.dns_recheck_later_ms);
    const save = async (tx: Tx): Promise<void> => {
      await this.checks.save(tx, row, result, now);
      if (certificates !== null) await this.certificates.save(tx, id, certificates);
    };
    if (!result.all_right) return { retry_at: next, reason: 'the records are not correct', commit: save };

    const allowed_at = allowedAt(row, failure, this.intervals);
    if (now < allowed_at)
      return {
        retry_at: Math.max(next, allowed_at),
        reason: 'the records are correct, too soon to retry',
        commit: save,
      };
    return {
      done: true,
      commit: async (tx) => {
        await save(tx);
        const again = await this.deployments.lock(tx, id);
        if (again?.status !== 'DNS_FAILED') return;
        const at = await this.clock.now(tx);
        // If the owner requested an attempt in the meantime and it failed, that attempt counts.
        const later = allowedAt(again, await failureOf(tx, id), this.intervals);
        if (at < later) {
          await this.work.schedule(tx, { kind: DNS_CHECK_WORK, key: String(id), due_at: later });
          return;
        }
        const moved = await this.deployments.move(tx, again, {
          to: 'DNS_VALIDATION',
          by: 'provisioner',
          at,
          changes: { dns_retried_at: at, failure: null },
        });
        await startDnsRun(tx, this.work, { deployment: moved, at });
      },
    };
  }
}

/**
 * Returns the time from which an automatic attempt is allowed. It is a quarter of an hour after the last attempt, and
 * later after each refusal of the authority.
 */
function allowedAt(row: DeploymentRow, failure: Failure | null, intervals: Intervals): Instant {
  const pause = Math.min(DAY_MS, intervals.dns_own_retry_ms * 2 ** Math.min(failure?.refusals ?? 0, 10));
  const since = Math.max(row.dns_retried_at ?? 0, failure !== null && failure.refusals > 0 ? failure.since : 0);
  return since + pause;
}

async function failureOf(tx: Tx, deploymentId: number): Promise<Failure | null> {
  const [row] = await tx.query<{ since: Instant | null; refusals: number }>(
    `select max(finished_at) as since,
       (count(*) filter (where steps[position + 1] = 'issue-certificate'
          and finished_at > (select max(finished_at) from runs where deployment_id = $1) - interval '1 day'))::int as refusals
     from runs where deployment_id = $1 and state = 'failed'`,
    [deploymentId],
  );
  return row === undefined || row.since === null ? null : { since: row.since, refusals: row.refusals };
}
