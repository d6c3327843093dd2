import { RECONCILE_WORK } from '@moorage/contracts';
import { Alerts, auditLog, type Deployment, Deployments, findInstallation, type Server } from '@moorage/database';
import { breakerReason, type DeploymentStatus, isCloudName, iso } from '@moorage/domain';
import type { Claim, Outcome } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Incidents } from '../incidents/incidents.service';
import { type SeenServer, ServerStates } from '../incidents/server-states.service';
import { callsFree } from '../clouds/budget';
import { type Cloud, CloudError, Clouds, type CloudServer, type ServerPlace } from '../clouds/cloud';
import { Intervals } from '../runs/step-timeouts';
import { LOSABLE, loseServer, readoptServer } from './lost-servers';
import { AddressChanges } from './address-changes.service';
import { isOpen, ProviderTrust } from './provider-trust.policy';
import { noteServer, serverSubject } from '../server-store/server-store';
import { SharedRules } from './shared-rules.policy';

interface OwnedRow extends Pick<Deployment, 'ref' | 'status' | 'server_exists' | 'lost_from'> {
  readonly deployment_id: number;
  readonly provider_server_id: string | null;
  readonly state: 'wanted' | 'exists' | 'gone' | null;
  readonly removal_confirmed: boolean;
}

interface RunningRow extends Pick<Server, 'deployment_id' | 'region' | 'lost_seen_at' | 'address' | 'moved_to'> {
  readonly provider_server_id: string;
}

/** Result of one reconciliation. */
interface Comparison {
  readonly listed: readonly CloudServer[];
  /** Our running servers that it found. */
  readonly seen: readonly { readonly row: RunningRow; readonly server: CloudServer }[];
  readonly shown: readonly RunningRow[];
  readonly shown_in_list: number;
  readonly missing: readonly RunningRow[];
  /** Missing servers that were also queried by id. */
  readonly absent: readonly RunningRow[];
}

/** Statuses in which any remaining server at the provider must be removed. */
const MUST_BE_GONE: readonly DeploymentStatus[] = ['DESTROYED', 'DELETED'];
/**
 * Maximum number of servers per reconciliation that are queried by id if the list omits them, because of rate limits.
 */
const LOOKUPS_BY_ID_MAX = 100;
/** Number of requests of a reconciliation for the project and the list. */
const COMPARING = 4;
/** Maximum number of servers named in an alert. */
const REPORTED_MAX = 20;
/** Errors about our access, which prove nothing about servers. */
const REFUSALS: readonly CloudError['kind'][] = ['auth', 'account', 'permission'];
const PAUSED = 'the provider requested a pause';

@Injectable()
export class ReconcileServers {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly clouds: Clouds,
    private readonly deployments: Deployments,
    private readonly incidents: Incidents,
    private readonly trust: ProviderTrust,
    private readonly moved: AddressChanges,
    private readonly states: ServerStates,
    private readonly rules: SharedRules,
    private readonly alerts: Alerts,
    private readonly intervals: Intervals,
    private readonly log: Log,
  ) {}

  /**
   * Reconciles in both directions. A running deployment whose server is missing twice, ten minutes apart, is lost
   * (decisions 5). If the responses are too implausible, nothing changes and operators are alerted. A server at the
   * provider without an owner is reported. Servers are deleted only if our own rows require it. These are second copies
   * of a known ref, and servers of deployments that were ended by their owner or a lack of funds. A lost server that
   * reappears is recorded in our rows and waits for an operator.
   */
  @HandlesWork(RECONCILE_WORK, { concurrency: 1 })
  async run({ key: provider }: Claim, signal: AbortSignal): Promise<Outcome> {
    if (!isCloudName(provider)) return { done: true };
    const cloud = this.clouds.of(provider);
    const { installation, now, running } = await this.db.tx('reconcile.read', async (tx) => ({
      installation: (await findInstallation(tx))?.key,
      now: await this.clock.now(tx),
      running: await runningServers(tx, provider),
    }));
    const again: Outcome = { retry_at: now + this.intervals.reconcile_every_ms, reason: 'the next comparison' };
    if (installation === undefined) return again;

    const free = await callsFree(this.db, cloud, COMPARING, now);
    if (free !== null) {
      const facts = { running: running.length, kind: 'rate_limit' };
      await this.db.tx('reconcile.paused', (tx) => this.trust.noAnswer(tx, provider, facts));
      return { retry_at: free, reason: PAUSED };
    }
    try {
      await this.compareAt(cloud, installation, running, signal);
      return again;
    } catch (error) {
      if (!(error instanceof CloudError) || error.kind !== 'rate_limit') throw error;
      return { retry_at: now + (error.retry_after_ms ?? this.intervals.reconcile_every_ms), reason: PAUSED };
    }
  }

  private async compareAt(
    cloud: Cloud,
    installation: string,
    running: readonly RunningRow[],
    signal: AbortSignal,
  ): Promise<void> {
    const provider = cloud.name;
    const comparison = await this.believed(cloud, installation, running, signal);
    if (comparison === null) return;
    for (const row of comparison.absent) {
      await this.db.tx('reconcile.missed', (tx) => this.missed(tx, provider, row.deployment_id));
    }
    for (const { row, server } of comparison.seen) {
      const { address } = server;
      if (server.state !== 'running' || address === null) continue;
      if (address === row.address && row.moved_to === null) continue;
      await this.db.tx('reconcile.address', (tx) => this.moved.seen(tx, row.deployment_id, address));
    }
    await this.followStates(comparison, provider);
    const back: CloudServer[] = [];
    const unowned: CloudServer[] = [];
    const standing = standingIn(comparison);
    for (const server of comparison.listed) {
      const owner = await this.db.tx('reconcile.owner', (tx) => ownerOf(tx, server));
      if (owner === null) {
        await this.db.tx('reconcile.unowned', (tx) => this.report(tx, 'server.without_owner', provider, server));
        unowned.push(server);
      } else if (wasLost(owner)) {
        await this.db.tx('reconcile.reappeared', (tx) => this.reappeared(tx, provider, owner, server));
        back.push(server);
      } else if (mustGo(owner, server, standing)) {
        this.log.warn('removing a server that should no longer exist', {
          provider,
          server_id: server.id,
          ref: owner.ref,
        });
        await cloud.delete({ region: server.region, id: server.id }, signal);
      }
    }
    await this.db.tx('reconcile.back', async (tx) => {
      await this.alertOf(tx, 'server_reappeared', provider, back);
      await this.alertOf(tx, 'server_without_owner', provider, unowned);
    });
    await this.rules.check(
      cloud,
      comparison.seen.map(({ server }) => ({ region: server.region, id: server.id })),
      signal,
    );
  }

  /** Follows whether the servers of running deployments are switched on. */
  private async followStates({ seen }: Comparison, provider: string): Promise<void> {
    const servers = seen.map(({ row, server }): SeenServer => ({
      deployment_id: row.deployment_id,
      provider,
      state: server.state,
      stopped_by: server.stopped_by ?? null,
    }));
    const unclear = await this.db.tx('reconcile.running', (tx) => this.states.noteRunning(tx, servers));
    for (const server of servers)
      if (unclear.has(server.deployment_id)) await this.db.tx('reconcile.state', (tx) => this.states.judge(tx, server));
  }

  /** Raises the alert about servers that wait for an operator, or resolves it if there are none. */
  private async alertOf(
    tx: Tx,
    kind: 'server_reappeared' | 'server_without_owner',
    provider: string,
    waiting: readonly CloudServer[],
  ): Promise<void> {
    if (waiting.length === 0) return this.alerts.resolve(tx, { kind, subject: provider });
    const servers = waiting.slice(0, REPORTED_MAX).map(keyOf);
    await this.alerts.raise(tx, { kind, subject: provider, facts: { count: waiting.length, servers } });
  }

  /**
   * Returns a reconciliation that may be acted on, or null if the breaker is open, after noting the missing servers.
   */
  private async believed(
    cloud: Cloud,
    installation: string,
    running: readonly RunningRow[],
    signal: AbortSignal,
  ): Promise<Comparison | null> {
    const provider = cloud.name;
    const everyone = { missing: running.map(({ deployment_id }) => deployment_id), shown: [] };
    try {
      const projectId = await cloud.projectId(signal);
      const isOurs = await this.db.tx('reconcile.project', async (tx) => {
        const ours = await this.trust.isOurs(tx, provider, projectId);
        await this.trust.noteCredentials(tx, cloud, ours);
        return ours;
      });
      if (!isOurs) {
        const facts = { running: running.length, project_id: projectId };
        await this.db.tx('reconcile.distrust', (tx) =>
          this.trust.distrust(tx, provider, { reason: 'other_project', facts, ...everyone }),
        );
        return null;
      }
      const comparison = await compare(cloud, installation, running, signal);
      const facts = {
        running: running.length,
        listed: comparison.shown_in_list,
        missing: comparison.missing.length,
      };
      const seen = { missing: idsOf(comparison.missing), shown: idsOf(comparison.shown) };
      const reason = breakerReason(facts);
      if (reason === null) {
        await this.db.tx('reconcile.trust', (tx) => this.trust.trust(tx, provider, seen));
        return comparison;
      }
      await this.db.tx('reconcile.distrust', (tx) => this.trust.distrust(tx, provider, { reason, facts, ...seen }));
      return null;
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      if (!REFUSALS.includes(error.kind)) {
        const facts = { running: running.length, kind: error.kind };
        await this.db.tx('reconcile.no-answer', (tx) => this.trust.noAnswer(tx, provider, facts));
        throw error;
      }
      await this.db.tx('reconcile.refused', async (tx) => {
        const facts = { running: running.length, kind: error.kind };
        if (running.length > 0) {
          await this.trust.noteCredentials(tx, cloud, false);
          await this.trust.distrust(tx, provider, { reason: 'credentials_refused', facts, ...everyone });
          return;
        }
        await this.trust.refused(tx, cloud, error);
        if (await isOpen(tx, provider)) await this.trust.trust(tx, provider, everyone);
      });
      return null;
    }
  }

  /** Records a server as missing in a trusted response. The second time, ten minutes later, it is lost. */
  private async missed(tx: Tx, provider: string, deploymentId: number): Promise<void> {
    const row = await this.deployments.lock(tx, deploymentId);
    if (row === null || !LOSABLE.includes(row.status) || (await isOpen(tx, provider))) return;
    const now = await this.clock.now(tx);
    const [server] = await tx.query<Pick<Server, 'lost_seen_at'>>(
      `select lost_seen_at from servers where deployment_id = $1 and state = 'exists' for update`,
      [deploymentId],
    );
    if (server === undefined) return;
    if (server.lost_seen_at === null) {
      await tx.execute(
        'update servers set lost_seen_at = $2, missed_at = coalesce(missed_at, $2) where deployment_id = $1',
        [deploymentId, iso(now)],
      );
      return;
    }
    if (now < server.lost_seen_at + this.intervals.lost_again_after_ms) return;
    this.log.error('running server lost', { deployment_id: row.id, provider });
    await loseServer(tx, { deployments: this.deployments, incidents: this.incidents }, row, { now, billable_to: now });
  }

  /**
   * Records a server that reappeared. If its deployment failed, it is ours again. If the deployment was given up in the
   * meantime, or the server is a copy, it is reported.
   */
  private async reappeared(tx: Tx, provider: string, owner: OwnedRow, server: CloudServer): Promise<void> {
    await this.deployments.lock(tx, owner.deployment_id);
    if (await readoptServer(tx, owner.deployment_id, server.id)) {
      await noteServer(tx, owner.deployment_id, { server_exists: true });
    }
    await this.report(tx, 'server.reappeared', provider, server);
  }

  /** Reports each server once, however often it is seen. */
  private async report(
    tx: Tx,
    action: 'server.without_owner' | 'server.reappeared',
    provider: string,
    server: CloudServer,
  ): Promise<void> {
    const subject = serverSubject(provider, server);
    if (await auditLog.hasRecord(tx, { action, subject })) return;
    const facts = { provider, server_id: server.id, region: server.region };
    this.log.error(
      action === 'server.reappeared'
        ? 'lost server reappeared; waiting for a decision by an administrator'
        : 'server without an owner at the provider',
      facts,
    );
    await auditLog.record(tx, {
      action,
      subject,
      facts: { name: server.name, address: server.address, ref: server.labels.deployment ?? null },
      at: await this.clock.now(tx),
    });
  }
}

const idsOf = (rows: readonly RunningRow[]): number[] => rows.map(({ deployment_id }) => deployment_id);
const keyOf = ({ region, id }: ServerPlace): string => `${region} ${id}`;

/**
 * Reads the list, then queries omitted servers by id, up to a limit. If all of these are absent, the list is trusted
 * for the others as well. If some exist, the others are left unchanged.
 */
async function compare(
  cloud: Cloud,
  installation: string,
  running: readonly RunningRow[],
  signal: AbortSignal,
): Promise<Comparison> {
  const listed = await cloud.list(installation, signal);
  const present = new Map(listed.map((server) => [keyOf(server), server]));
  const place = (row: RunningRow): ServerPlace => ({ region: row.region, id: row.provider_server_id });
  const seen: { row: RunningRow; server: CloudServer }[] = [];
  for (const row of running) {
    const server = present.get(keyOf(place(row)));
    if (server !== undefined) seen.push({ row, server });
  }
  const shown = running.filter((row) => present.has(keyOf(place(row))));
  const unlisted = running
    .filter((row) => !present.has(keyOf(place(row))))
    .sort((a, b) => (a.lost_seen_at ?? Infinity) - (b.lost_seen_at ?? Infinity) || a.deployment_id - b.deployment_id);
  const absent: RunningRow[] = [];
  const found: RunningRow[] = [];
  for (const row of unlisted.slice(0, LOOKUPS_BY_ID_MAX)) {
    const server = await cloud.get(place(row), signal);
    if (server === null) absent.push(row);
    else {
      found.push(row);
      seen.push({ row, server });
    }
  }
  const rest = found.length === 0 ? unlisted.slice(LOOKUPS_BY_ID_MAX) : [];
  return {
    listed,
    seen,
    shown: [...shown, ...found],
    shown_in_list: shown.length,
    missing: [...absent, ...rest],
    absent,
  };
}

function runningServers(tx: Tx, provider: string): Promise<RunningRow[]> {
  return tx.query<RunningRow>(
    `select s.deployment_id, s.region, s.provider_server_id, s.lost_seen_at, host(s.address) as address, host(s.moved_to) as moved_to
     from servers s join deployments d on d.id = s.deployment_id
     where s.provider = $1 and s.state = 'exists' and s.provider_server_id is not null and d.status = any($2)
     order by s.deployment_id`,
    [provider, [...LOSABLE, 'RESTARTING']],
  );
}

async function ownerOf(tx: Tx, server: CloudServer): Promise<OwnedRow | null> {
  const ref = server.labels.deployment;
  if (ref === undefined) return null;
  const [row] = await tx.query<OwnedRow>(
    `select d.id as deployment_id, d.ref, d.status, d.server_exists, d.lost_from, s.provider_server_id, s.state,
       s.removal_confirmed_at is not null as removal_confirmed
     from deployments d left join servers s on s.deployment_id = d.id where d.ref = $1`,
    [ref],
  );
  return row ?? null;
}

/** Returns whether the server was lost without a later decision, so that it still holds its owner's data. */
function wasLost(owner: OwnedRow): boolean {
  if (owner.lost_from === null || owner.removal_confirmed) return false;
  if (owner.status === 'FAILED') return true;
  // In DESTROYING, its own run removes it. The owner requested that, knowing that it exists.
  return owner.status === 'DESTROYED' || owner.status === 'DELETED';
}

/** Returns the ids of the servers that this reconciliation shows in full. */
const standingIn = ({ listed, seen }: Comparison): ReadonlySet<string> =>
  new Set(
    [...listed, ...seen.map(({ server }) => server)]
      .filter(({ unfinished }) => unfinished !== true)
      .map(({ id }) => id),
  );

/**
 * Returns whether a server must be removed, because its deployment has ended or the deployment's own server is listed
 * as well. A response that omits the own server or shows a server in part proves nothing, because it may be the
 * deployment's own server.
 */
function mustGo(owner: OwnedRow, server: CloudServer, standing: ReadonlySet<string>): boolean {
  if (MUST_BE_GONE.includes(owner.status)) return true;
  // Its own run removes the deployment's server, which may still be needed for a last backup.
  if (owner.status === 'DESTROYING') return owner.state !== 'exists' || owner.provider_server_id !== server.id;
  if (owner.status === 'FAILED' && owner.lost_from === null) return owner.state === 'gone' || !owner.server_exists;
  // A create in progress handles its own duplicates.
  if (owner.state !== 'exists' || owner.provider_server_id === null) return false;
  return owner.provider_server_id !== server.id && server.unfinished !== true && standing.has(owner.provider_server_id);
}
