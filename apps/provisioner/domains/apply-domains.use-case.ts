import { APPLY_DOMAINS, event } from '@moorage/contracts';
import {
  type CheckedCertificate,
  type DeploymentRow,
  Deployments,
  type FurtherDomainRow,
  furtherDomains,
  messageColumns,
  stateOfDomain,
} from '@moorage/database';
import {
  DAY_MS,
  FURTHER_DOMAIN_MESSAGES,
  furtherDomainPause,
  type FurtherDomainState,
  HOUR_MS,
  type Instant,
  iso,
  type Message,
  MINUTE_MS,
  RECORD_WITHIN_MS,
} from '@moorage/domain';
import { assertLease, type Claim, Outbox, type Outcome, WorkSchedule } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { CertificateChecks, checkedCertificatesOf } from '../certificates/certificate-checks.service';
import { DnsChecks } from '../dns/dns-checks.service';
import type { RecordCheckResult } from '../dns/types';
import { runningRun } from '../runs/run-store';
import { StepError } from '../runs/step';
import { findServer, type ServerRow } from '../server-store/server-store';
import { ServerSessions } from '../servers/server-sessions.service';
import type { SshSession } from '../ssh/types';
import { StackService } from '../stacks/stack.service';
import { factsOf } from '../runs/script-errors';

interface Loaded {
  readonly deployment: DeploymentRow;
  readonly server: ServerRow | null;
  readonly rows: readonly FurtherDomainRow[];
  readonly now: Instant;
}

/** Results of the checks of a domain that is neither removed nor given up. */
interface Checked {
  readonly record: RecordCheckResult;
  readonly certificate: CheckedCertificate | null;
  readonly isApplied: boolean;
}

const CONCURRENCY = 2;
const UPLOAD_MS = 60_000;
const SCRIPT_MS = 30_000;
const RECHECK_MS = DAY_MS;
const OVER: readonly DeploymentRow['status'][] = ['DESTROYED', 'DELETED'];
/** Statuses that soon become READY again. */
const BRIEF: readonly DeploymentRow['status'][] = ['READY', 'RESTARTING', 'DNS_VALIDATION'];

/**
 * Sets up the redirects of a deployment's further domains, and checks their DNS records and certificates. The router
 * reads the file while it runs, so nothing is restarted and the status of the deployment stays unchanged. A host gets
 * its redirect only when its record is correct, because the router then requests the certificate at once. Stores
 * nothing in memory between claims, and every upload contains all redirects, so an interrupted claim is simply
 * repeated.
 */
@Injectable()
export class ApplyDomains {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly outbox: Outbox,
    private readonly work: WorkSchedule,
    private readonly sessions: ServerSessions,
    private readonly stacks: StackService,
    private readonly dns: DnsChecks,
    private readonly certificates: CertificateChecks,
    private readonly log: Log,
  ) {}

  @HandlesWork(APPLY_DOMAINS, { concurrency: CONCURRENCY })
  async run(claim: Claim, signal: AbortSignal): Promise<Outcome> {
    const loaded = await this.db.tx('domains.read', (tx) => this.load(tx, claim));
    if (loaded === null) return { done: true };
    if ('waitsUntil' in loaded)
      return { retry_at: loaded.waitsUntil, reason: 'the server is busy with another change' };
    try {
      return await this.apply(loaded, claim, signal);
    } catch (error) {
      if (signal.aborted) return { retry_at: loaded.now, reason: 'interrupted' };
      return this.failing(loaded, error);
    }
  }

  /** Removes the rows of a deployment that is over. */
  private async load(tx: Tx, claim: Claim): Promise<Loaded | { readonly waitsUntil: Instant } | null> {
    const id = Number(claim.key);
    const deployment = await this.deployments.lock(tx, id);
    if (deployment === null) return null;
    const rows = await furtherDomains(tx, id);
    await assertLease(tx, claim);
    if (OVER.includes(deployment.status)) {
      await tx.execute('delete from deployment_domains where deployment_id = $1', [id]);
      return null;
    }
    if (rows.length === 0) return null;
    const now = await this.clock.now(tx);
    if (!(await this.isApart(tx, deployment)))
      return { waitsUntil: now + (BRIEF.includes(deployment.status) ? MINUTE_MS : HOUR_MS) };
    return { deployment, server: await findServer(tx, id), rows, now };
  }

  /** Returns whether no run changes the server. */
  private async isApart(tx: Tx, { id, status, desired }: DeploymentRow): Promise<boolean> {
    return status === 'READY' && desired === 'running' && (await runningRun(tx, id)) === null;
  }

  private async apply(loaded: Loaded, claim: Claim, signal: AbortSignal): Promise<Outcome> {
    const { deployment, server, rows, now } = loaded;
    const own = new Set(this.stacks.hosts(deployment).map(({ host }) => host));
    const open = rows.filter((row) => isOpen(row) && !own.has(row.host));
    const hosts = open.map(({ host }) => ({ host, required: true }));
    const { records } = await this.dns.checkHosts({ deployment, server, hosts }, signal);
    const recordOf = new Map(records.map((record) => [record.host, record]));
    const wanted = open.filter(({ applied_at, host }) => applied_at !== null || recordOf.get(host)?.right === true);

    const isChanged =
      rows.some(({ removed_at }) => removed_at !== null) || wanted.some(({ applied_at }) => applied_at === null);
    const shown = wanted.filter(({ applied_at }) => applied_at !== null).map(({ host }) => host);
    const checked = await this.certificates.checkRedirects(deployment, shown, signal);
    const isGood = checked.every(({ result }) => result.verdict === 'good');
    let logged: readonly string[] = [];
    if (isChanged || !isGood) {
      const place = { deployment, server, fencingToken: claim.fencingToken, step: `domains-${claim.fencingToken}` };
      await this.sessions.openFor(place, signal, async (session) => {
        const names = wanted.map(({ host }) => host);
        if (isChanged) await this.upload(session, deployment, names, signal);
        if (!isGood) logged = await routerLog(session, signal);
      });
    }
    const certificates = new Map(checkedCertificatesOf(checked, logged, now).map((one) => [one.host, one]));
    const results = new Map(
      open.flatMap(({ id, host }) => {
        const record = recordOf.get(host);
        const isApplied = wanted.some((row) => row.id === id);
        return record === undefined ? [] : [[id, { record, certificate: certificates.get(host) ?? null, isApplied }]];
      }),
    );
    const after = rows.flatMap((row) => {
      const next = nextOf(row, results.get(row.id), now);
      return next === null ? [] : [next];
    });
    const commit = (tx: Tx): Promise<void> => this.save(tx, { ...loaded, after });
    const pause = Math.min(...after.map((row) => pauseOf(row, now)));
    return pause === Infinity ? { done: true, commit } : { retry_at: now + pause, reason: 'next check', commit };
  }

  private async upload(
    session: SshSession,
    deployment: DeploymentRow,
    hosts: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const { files, publish } = this.stacks.redirectFiles(deployment, hosts);
    factsOf(await session.upload(files, { deadline_ms: UPLOAD_MS, signal }));
    if (publish === null) return;
    factsOf(await session.run('publish-rules', { script: publish }, { deadline_ms: SCRIPT_MS, signal }));
  }

  /**
   * Stores the results of the claim, unless a run has started in the meantime, which uploads the previous redirects.
   */
  private async save(
    tx: Tx,
    { deployment, rows, after }: Loaded & { readonly after: readonly FurtherDomainRow[] },
  ): Promise<void> {
    const { id } = deployment;
    const row = await this.deployments.lock(tx, id);
    const at = await this.clock.now(tx);
    if (row === null || row.domain !== deployment.domain || !(await this.isApart(tx, row))) {
      await this.work.schedule(tx, { kind: APPLY_DOMAINS, key: String(id), due_at: at + MINUTE_MS });
      return;
    }
    for (const before of rows) {
      const next = after.find((one) => one.id === before.id);
      if (next === undefined) {
        await tx.execute('delete from deployment_domains where id = $1', [before.id]);
        await this.notify(tx, row, before.host, 'removed');
        continue;
      }
      await tx.execute(
        `update deployment_domains set record = $2, certificate = $3, checked_at = $4, applied_at = $5, given_up_at = $6,
           failure_reason = $7, failure_code = $8, failure_facts = $9 where id = $1`,
        [
          before.id,
          jsonOf(next.record),
          jsonOf(next.certificate),
          instantOf(next.checked_at),
          instantOf(next.applied_at),
          instantOf(next.given_up_at),
          next.failure_reason,
          next.failure_code,
          jsonOf(next.failure_facts),
        ],
      );
      const state = stateOfDomain(next, at);
      if (state !== stateOfDomain(before, before.checked_at ?? before.added_at))
        await this.notify(tx, row, before.host, state);
    }
  }

  private notify(
    tx: Tx,
    { id, user_id }: DeploymentRow,
    host: string,
    state: FurtherDomainState | 'removed',
  ): Promise<void> {
    const data = { deployment_id: id, user_id, host, state };
    return this.outbox.append(tx, event('deployment.further_domain_changed', id, data));
  }

  /** Schedules another attempt, less often the longer the server has not responded. */
  private failing({ deployment, rows, now }: Loaded, error: unknown): Outcome {
    if (error instanceof StepError && error.options.waits === true)
      return { retry_at: now + MINUTE_MS, reason: 'another process is using the server' };
    this.log.warn('redirects of further domains could not be set up', {
      deployment_id: deployment.id,
      reason: error instanceof Error ? error.message : String(error),
    });
    const since = Math.min(...rows.map(({ removed_at, applied_at, added_at }) => removed_at ?? applied_at ?? added_at));
    return {
      retry_at: now + Math.max(MINUTE_MS, furtherDomainPause(now - since)),
      reason: FURTHER_DOMAIN_MESSAGES.server_failed.detail,
      commit: async (tx) => {
        await tx.execute(
          `update deployment_domains set failure_reason = $2, failure_code = $3, failure_facts = $4
           where deployment_id = $1 and given_up_at is null and (applied_at is null or removed_at is not null)`,
          [deployment.id, ...messageColumns(FURTHER_DOMAIN_MESSAGES.server_failed)],
        );
      },
    };
  }
}

const isOpen = ({ removed_at, given_up_at }: FurtherDomainRow): boolean => removed_at === null && given_up_at === null;
const jsonOf = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));
const instantOf = (at: Instant | null): string | null => (at === null ? null : iso(at));

/** Returns the row after a claim, or null if it ends. Without results, the package itself now uses the name. */
function nextOf(row: FurtherDomainRow, checked: Checked | undefined, now: Instant): FurtherDomainRow | null {
  if (row.removed_at !== null) return null;
  if (row.given_up_at !== null) return row;
  if (checked === undefined) return givenUp(row, FURTHER_DOMAIN_MESSAGES.in_use, now);
  const { type, value, right, reason } = checked.record;
  const next: FurtherDomainRow = {
    ...row,
    record: { type, value, right, reason },
    certificate: checked.certificate ?? row.certificate,
    checked_at: now,
    applied_at: row.applied_at ?? (checked.isApplied ? now : null),
    failure_reason: null,
    failure_code: null,
    failure_facts: null,
  };
  const isLate = next.applied_at === null && now >= row.added_at + RECORD_WITHIN_MS;
  const days = RECORD_WITHIN_MS / DAY_MS;
  return isLate ? givenUp(next, FURTHER_DOMAIN_MESSAGES.given_up({ days }), now) : next;
}

function givenUp(row: FurtherDomainRow, { detail, code, facts }: Message, now: Instant): FurtherDomainRow {
  const failure = { failure_reason: detail, failure_code: code, failure_facts: facts };
  return { ...row, applied_at: null, given_up_at: now, ...failure };
}

/** Returns the pause before the next check, or Infinity if there is none. */
function pauseOf(row: FurtherDomainRow, now: Instant): number {
  if (row.given_up_at !== null) return Infinity;
  if (stateOfDomain(row, now) === 'active') return RECHECK_MS;
  return furtherDomainPause(now - (row.applied_at ?? row.added_at));
}

/** Reads the router's log, which is optional. */
async function routerLog(session: SshSession, signal: AbortSignal): Promise<readonly string[]> {
  const answer = await session.run('router-log', {}, { deadline_ms: SCRIPT_MS, signal });
  return answer.facts?.acme_errors ?? [];
}
