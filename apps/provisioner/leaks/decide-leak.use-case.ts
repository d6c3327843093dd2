import { DECIDE_LEAK_WORK } from '@moorage/contracts';
import {
  Alerts,
  auditLog,
  Deployments,
  findInstallation,
  holdingOwners,
  type KnownOwner,
  type LeakRow,
  lockLeak,
  reportLeakCosts,
} from '@moorage/database';
import {
  HOUR_MS,
  type Instant,
  isAdoptable,
  isLeak,
  iso,
  type LeakFailure,
  type LeakState,
  MINUTE_MS,
  SECOND_MS,
} from '@moorage/domain';
import type { Claim, Outcome } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { type Cloud, CloudError, Clouds, type CloudServer } from '../clouds/cloud';
import type { Removal } from '../clouds/holdings';
import { ProviderTrust } from '../servers/provider-trust.policy';
import { adoptServer, noteServer, serverSubject } from '../server-store/server-store';
import { LeakOptions } from './leak-options';

/** Interval at which a removal is checked. */
const POLL_MS = 30 * SECOND_MS;
const AGAIN_MS = 5 * MINUTE_MS;
/** Time after which a decision that could not be carried out returns to administrators. */
const GIVEN_UP_MS = 6 * HOUR_MS;
/** Errors after which the same request may succeed. */
const PASSING: readonly CloudError['kind'][] = ['rate_limit', 'transient', 'conflict'];

interface Ending {
  readonly state: LeakState;
  readonly failure?: LeakFailure;
  readonly words?: string;
}

/**
 * Carries out the decisions of administrators about leaks. Reads the provider and our rows again before doing anything.
 */
@Injectable()
export class DecideLeak {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly clouds: Clouds,
    private readonly deployments: Deployments,
    private readonly trust: ProviderTrust,
    private readonly alerts: Alerts,
    private readonly options: LeakOptions,
    private readonly log: Log,
  ) {}

  @HandlesWork(DECIDE_LEAK_WORK, { concurrency: 1 })
  async run({ key }: Claim, signal: AbortSignal): Promise<Outcome> {
    const id = Number(key);
    const checked = await this.db.tx('leak.check', (tx) => this.check(tx, id));
    if (checked === null) return { done: true };
    const { leak, installation, now } = checked;
    const isLate = now > (leak.decided_at ?? 0) + GIVEN_UP_MS;
    const cloud = this.clouds.of(leak.provider);
    try {
      if (!(await this.trust.mayBelieve(cloud, signal))) {
        if (isLate) return this.ending(id, { state: 'confirmed', failure: 'refused' });
        return { retry_at: now + AGAIN_MS, reason: 'responses of the provider are not trusted' };
      }
      if (leak.state === 'adopting') return await this.adopt(cloud, leak, installation, signal);
      return await this.remove(cloud, { leak, installation, now, isLate }, signal);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      if (PASSING.includes(error.kind) && !isLate)
        return { retry_at: now + (error.retry_after_ms ?? AGAIN_MS), reason: error.kind };
      return this.ending(id, { state: 'confirmed', failure: 'refused', words: error.message });
    }
  }

  /** Returns the leak if its decision is still open and no deployment needs the resource. */
  private async check(tx: Tx, id: number): Promise<{ leak: LeakRow; installation: string; now: Instant } | null> {
    const { leak, owner } = await this.locked(tx, id);
    const installation = (await findInstallation(tx))?.key;
    if (leak === null || installation === undefined) return null;
    if (leak.state !== 'removing' && leak.state !== 'adopting') return null;
    const thing = { ...leak, id: leak.holding_id, ref: leak.labels.deployment ?? null, used_by: null };
    const stands = leak.state === 'removing' ? isLeak(thing, owner) : isAdoptable(thing, owner);
    if (stands) return { leak, installation, now: await this.clock.now(tx) };
    const failure = leak.state === 'removing' ? 'owned' : 'not_adoptable';
    await this.end(tx, leak, { state: owner === null || leak.state === 'adopting' ? 'confirmed' : 'gone', failure });
    return null;
  }

  /** Locks the deployment before the leak, in the order of all locks. */
  private async locked(tx: Tx, id: number): Promise<{ leak: LeakRow | null; owner: KnownOwner | null }> {
    const [named] = await tx.query<{ ref: string | null; deployment_id: number | null }>(
      `select l.labels ->> 'deployment' as ref, d.id as deployment_id
       from cloud_leaks l left join deployments d on d.ref = l.labels ->> 'deployment' where l.id = $1`,
      [id],
    );
    if (named === undefined) return { leak: null, owner: null };
    if (named.deployment_id !== null) await this.deployments.lock(tx, named.deployment_id);
    const leak = await lockLeak(tx, id);
    const owners = await holdingOwners(tx, named.ref === null ? [] : [named.ref]);
    return { leak, owner: owners.get(named.ref ?? '') ?? null };
  }

  private async remove(
    cloud: Cloud,
    { leak, installation, now, isLate }: { leak: LeakRow; installation: string; now: Instant; isLate: boolean },
    signal: AbortSignal,
  ): Promise<Outcome> {
    const place = { kind: leak.kind, region: leak.region, id: leak.holding_id };
    const removal: Removal =
      leak.kind === 'server'
        ? await removeServer(cloud, leak, installation, signal)
        : await cloud.holdings.remove(place, installation, signal);
    if (removal === 'gone') return this.ending(leak.id, { state: 'removed' });
    if (removal !== 'asked') return this.ending(leak.id, { state: 'confirmed', failure: removal });
    this.log.info('removing a leaked resource at a provider', {
      provider: leak.provider,
      kind: leak.kind,
      leak_id: leak.id,
    });
    if (isLate) return this.ending(leak.id, { state: 'confirmed', failure: 'still_there' });
    return { retry_at: now + POLL_MS, reason: 'until the provider no longer shows it' };
  }

  /** Replaces the lost server. The deployment keeps its status until an administrator reopens it. */
  private async adopt(cloud: Cloud, leak: LeakRow, installation: string, signal: AbortSignal): Promise<Outcome> {
    const server = await cloud.get({ region: leak.region, id: leak.holding_id }, signal);
    if (server === null) return this.ending(leak.id, { state: 'gone' });
    if (server.labels.installation !== installation || server.labels.deployment !== leak.labels.deployment)
      return this.ending(leak.id, { state: 'confirmed', failure: 'not_ours' });
    if (!STANDING.includes(server.state) || server.unfinished === true)
      return this.ending(leak.id, { state: 'confirmed', failure: 'not_adoptable' });
    return { done: true, commit: (tx) => this.adopted(tx, leak.id, server) };
  }

  private async adopted(tx: Tx, id: number, server: CloudServer): Promise<void> {
    const { leak, owner } = await this.locked(tx, id);
    if (leak?.state !== 'adopting') return;
    const isTaken = owner !== null && isAdoptable(leak, owner) && (await adoptServer(tx, owner.deployment_id, server));
    if (!isTaken) return this.end(tx, leak, { state: 'confirmed', failure: 'not_adoptable' });
    await noteServer(tx, owner.deployment_id, { server_exists: true, instance_ip: server.address });
    await auditLog.record(tx, {
      action: 'server.adopted',
      subject: `deployment:${owner.deployment_id}`,
      facts: { by: leak.decided_by, because: leak.reason, provider: leak.provider, server_id: server.id },
      at: await this.clock.now(tx),
    });
    await this.end(tx, leak, { state: 'adopted' });
  }

  private ending(id: number, ending: Ending): Outcome {
    return {
      done: true,
      commit: async (tx) => {
        const leak = await lockLeak(tx, id);
        if (leak?.state === 'removing' || leak?.state === 'adopting') await this.end(tx, leak, ending);
      },
    };
  }

  private async end(tx: Tx, leak: LeakRow, { state, failure, words }: Ending): Promise<void> {
    const now = await this.clock.now(tx);
    const isOver = state !== 'confirmed';
    await tx.execute(
      'update cloud_leaks set state = $2, failure = $3, failure_words = $4, ended_at = $5 where id = $1',
      [leak.id, state, failure ?? null, words ?? null, isOver ? iso(now) : null],
    );
    await reportLeakCosts(tx, this.alerts, this.options.alertDollarsPerDay);
    if (leak.state === 'adopting') return;
    const facts = {
      kind: leak.kind,
      name: leak.name,
      by: leak.decided_by,
      because: leak.reason,
      failure: failure ?? null,
    };
    await auditLog.record(tx, {
      action: state === 'removed' ? 'provider.leak_removed' : 'provider.leak_not_removed',
      subject: serverSubject(leak.provider, { region: leak.region, id: leak.holding_id }),
      facts,
      at: now,
    });
  }
}

const STANDING: readonly CloudServer['state'][] = ['running', 'stopped', 'booting'];

/** Removes a server. As for other resources, it is read again first, and not removed without the label. */
async function removeServer(
  cloud: Cloud,
  { region, holding_id: id }: LeakRow,
  installation: string,
  signal: AbortSignal,
): Promise<Removal> {
  const server = await cloud.get({ region, id }, signal);
  if (server === null) return 'gone';
  const { labels, state } = server;
  if (labels['managed-by'] !== 'moorage' || labels.installation !== installation) return 'not_ours';
  if (state !== 'stopping') await cloud.delete({ region, id }, signal);
  return 'asked';
}
