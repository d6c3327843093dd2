import {
  type CheckedCertificate,
  checkedCertificates,
  type DeploymentRow,
  Deployments,
  DeploymentReachability,
} from '@moorage/database';
import {
  type Instant,
  judgeCertificates,
  judgeRecords,
  type Judged,
  MONITORED,
  NAMES_CHECK_AGAIN_MS,
  NAMES_CHECK_EVERY_MS,
  ofKeptNames,
} from '@moorage/domain';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { CertificateChecks, checkedAgain, type CheckedHost } from '../certificates/certificate-checks.service';
import { DnsChecks } from '../dns/dns-checks.service';
import type { DnsCheckResult } from '../dns/types';
import { Incidents } from '../incidents/incidents.service';
import { runningRun } from '../runs/run-store';
import { findServer, type ServerRow } from '../server-store/server-store';
import { claimDue, concurrently } from './batches';

/** Number of deployments claimed at once, and checked simultaneously. Each has several names and resolvers. */
const BATCH = 50;
const CONCURRENCY = 5;
const BATCHES_MAX = 10;

interface Target {
  readonly deployment: DeploymentRow;
  readonly server: ServerRow | null;
  readonly shown: readonly CheckedCertificate[];
}

interface Reading {
  readonly hosts: readonly CheckedHost[];
  readonly records: DnsCheckResult;
}

/** Checks the certificates and DNS records of every running deployment with a domain each hour. */
@Injectable()
export class NameChecks implements OnModuleDestroy {
  private readonly closing = new AbortController();

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly certificates: CertificateChecks,
    private readonly records: DnsChecks,
    private readonly incidents: Incidents,
    private readonly log: Log,
  ) {}

  async run(): Promise<void> {
    for (let batch = 0; batch < BATCHES_MAX; batch++) {
      const ids = await this.db.tx('name-checks.take', async (tx) => {
        const now = await this.clock.now(tx);
        return claimDue(tx, { column: 'names_due_at', most: BATCH, now, until: now + NAMES_CHECK_EVERY_MS });
      });
      await concurrently(ids, CONCURRENCY, (id) => this.check(id));
      if (ids.length < BATCH || this.closing.signal.aborted) return;
    }
  }

  /** Aborts pending checks. They are due again after their interval. */
  onModuleDestroy(): void {
    this.closing.abort();
  }

  private async check(id: number): Promise<void> {
    if (this.closing.signal.aborted) return;
    const target = await this.db.tx('name-checks.read', (tx) => this.load(tx, id));
    if (target === null) return;
    const { deployment, server } = target;
    const { signal } = this.closing;
    try {
      const [hosts, records] = await Promise.all([
        this.certificates.check(deployment, signal),
        this.records.check(deployment, server, signal),
      ]);
      await this.db.tx('name-checks.save', (tx) => this.save(tx, target, { hosts, records }));
    } catch (error) {
      if (signal.aborted) return;
      this.log.error('checking the names of a deployment failed', { deployment_id: id, reason: String(error) });
    }
  }

  /** Returns null if the deployment has no names or does not run, or if a run is changing it. */
  private async load(tx: Tx, id: number): Promise<Target | null> {
    const deployment = await this.deployments.lock(tx, id);
    if (deployment === null || deployment.domain === null || !MONITORED.includes(deployment.status)) return null;
    if ((await runningRun(tx, id)) !== null) return null;
    return { deployment, server: await findServer(tx, id), shown: await checkedCertificates(tx, id) };
  }

  private async save(tx: Tx, { deployment, shown }: Target, { hosts, records }: Reading): Promise<void> {
    const row = await this.deployments.lock(tx, deployment.id);
    if (row === null || row.version !== deployment.version) return;
    const rows = tx.repository(DeploymentReachability);
    const before = await rows.findOneBy({ deployment_id: row.id });
    if (before === null || before.names_due_at === null) return;
    const at = await this.clock.now(tx);
    await this.records.save(tx, row, records, at);
    await this.certificates.save(tx, row.id, checkedAgain(hosts, shown, at));
    const names = judgeNames({ hosts, records }, at);
    const judged = (await keepsNames(tx, row)) ? ofKeptNames(names) : names;
    const { streaks } = before;
    const { watched, isUndecided } = await this.incidents.judge(tx, row, { streaks, judged, at });
    const names_due_at = at + (isUndecided ? NAMES_CHECK_AGAIN_MS : NAMES_CHECK_EVERY_MS);
    await rows.update({ deployment_id: row.id }, { ...watched, names_due_at });
  }
}

/** Returns whether the platform gave the domain and therefore sets its records. */
async function keepsNames(tx: Tx, { id, domain }: DeploymentRow): Promise<boolean> {
  const given = await tx.query(
    'select 1 from platform_names where deployment_id = $1 and name = $2 and released_at is null',
    [id, domain],
  );
  return given.length > 0;
}

function judgeNames({ hosts, records }: Reading, at: Instant): Judged {
  const certificates = judgeCertificates(
    hosts.map(({ wanted: { host }, result: { verdict, expires_at } }) => ({ host, verdict, expires_at })),
    at,
  );
  const names = judgeRecords(records.records);
  return {
    kinds: [...certificates.kinds, ...names.kinds],
    findings: [...certificates.findings, ...names.findings],
  };
}
