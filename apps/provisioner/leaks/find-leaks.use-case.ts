import { FIND_LEAKS_WORK } from '@moorage/contracts';
import {
  Alerts,
  findInstallation,
  holdingOwners,
  type KnownOwner,
  LEAK_COLUMNS,
  type LeakRow,
  reportLeakCosts,
} from '@moorage/database';
import {
  DAY_MS,
  type HeldThing,
  type Instant,
  isCloudName,
  isEnded,
  isLeak,
  iso,
  LEAK_CONFIRMED_AFTER_MS,
  stateWhenMissed,
  stateWhenSeen,
} from '@moorage/domain';
import type { Claim, Outcome } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { callsFree } from '../clouds/budget';
import { type Cloud, CloudError, Clouds, type CloudServer } from '../clouds/cloud';
import type { Holding } from '../clouds/holdings';
import { ProviderTrust } from '../servers/provider-trust.policy';
import { LeakOptions } from './leak-options';
import { serverPrices } from './server-prices';

const EVERY_MS = LEAK_CONFIRMED_AFTER_MS;
/**
 * Number of requests of one check at providers with rate limits, for the project, servers and each kind of resource.
 */
const CALLS = 12;
/** Maximum number of leaks recorded per provider and check, the most expensive first. */
const RECORDED_MAX = 500;
const RETENTION_MS = 365 * DAY_MS;
const BATCH = 1_000;
const MESSAGE_MAX = 300;

interface Seen extends HeldThing {
  readonly name: string;
  readonly labels: Holding['labels'];
  readonly micros_per_day: number | null;
}

/** Compares our resources at each provider with our rows once an hour. */
@Injectable()
export class FindLeaks {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly clouds: Clouds,
    private readonly trust: ProviderTrust,
    private readonly alerts: Alerts,
    private readonly options: LeakOptions,
    private readonly log: Log,
  ) {}

  @HandlesWork(FIND_LEAKS_WORK, { concurrency: 1 })
  async run({ key: provider }: Claim, signal: AbortSignal): Promise<Outcome> {
    if (!isCloudName(provider)) return { done: true };
    const cloud = this.clouds.of(provider);
    const { installation, now } = await this.db.tx('leaks.read', async (tx) => ({
      installation: (await findInstallation(tx))?.key,
      now: await this.clock.now(tx),
    }));
    const again: Outcome = { retry_at: now + EVERY_MS, reason: 'the next check' };
    if (installation === undefined) return again;
    const free = await callsFree(this.db, cloud, CALLS, now);
    if (free !== null) return { retry_at: free, reason: 'the provider requested a pause' };
    try {
      // If it is another project or the responses cannot be trusted, neither presence nor absence is meaningful.
      if (await this.trust.mayBelieve(cloud, signal)) await this.check(cloud, installation, signal);
      return again;
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      if (error.kind === 'rate_limit') return { retry_at: now + (error.retry_after_ms ?? EVERY_MS), reason: 'paused' };
      await this.db.tx('leaks.failed', (tx) => this.failed(tx, cloud, error));
      return again;
    }
  }

  private async check(cloud: Cloud, installation: string, signal: AbortSignal): Promise<void> {
    const servers = await cloud.list(installation, signal);
    const holdings = await cloud.holdings.list(installation, signal);
    await this.db.tx('leaks.note', (tx) => this.note(tx, cloud, servers, holdings));
    await this.db.tx('leaks.forget', async (tx) => {
      const before = iso((await this.clock.now(tx)) - RETENTION_MS);
      await tx.execute(FORGET, [before, BATCH]);
    });
  }

  private async note(
    tx: Tx,
    { name: provider }: Cloud,
    servers: readonly CloudServer[],
    holdings: readonly Holding[],
  ): Promise<void> {
    const known = await tx.query<LeakRow>(
      `select ${LEAK_COLUMNS} from cloud_leaks l where l.provider = $1 and (l.ended_at is null or l.id in
         (select id from cloud_leaks where provider = $1 and ended_at is not null order by ended_at desc limit $2))
       order by l.id for update`,
      [provider, BATCH],
    );
    const now = await this.clock.now(tx);
    const priceOf = await serverPrices(tx, { setup: this.options.setup, provider, now });
    const seen = [
      ...servers.filter(({ state }) => state !== 'stopping').map((server) => seenServer(server, priceOf(server))),
      ...holdings.map((holding): Seen => ({ ...holding, ref: holding.labels.deployment ?? null })),
    ];
    const owners = await holdingOwners(
      tx,
      seen.flatMap(({ ref }) => ref ?? []),
    );
    const leaks = this.recorded(
      provider,
      seen.filter((thing) => isLeak(thing, ownerOf(owners, thing))),
    );
    for (const leak of leaks) {
      const row = known.find((one) => isSame(one, leak)) ?? null;
      await tx.execute(SEE, [
        ...[provider, leak.kind, leak.region, leak.id, leak.name, JSON.stringify(leak.labels)],
        ...[ownerOf(owners, leak)?.deployment_id ?? null, leak.micros_per_day, stateWhenSeen(row, now), iso(now)],
        row === null || isEnded(row.state),
      ]);
    }
    for (const row of known.filter((one) => !isEnded(one.state) && !leaks.some((leak) => isSame(one, leak)))) {
      await this.missed(
        tx,
        row,
        seen.some((thing) => isSame(row, thing)),
        now,
      );
    }
    await tx.execute('update provider_breakers set leaks_looked_at = $2, leaks_failure = null where provider = $1', [
      provider,
      iso(now),
    ]);
    await reportLeakCosts(tx, this.alerts, this.options.alertDollarsPerDay);
  }

  /** Ends a leak that has an owner by now, or that was missing at two checks. */
  private async missed(tx: Tx, row: LeakRow, isShown: boolean, now: Instant): Promise<void> {
    // The decision is being carried out, which will detect this itself.
    if (isShown && (row.state === 'removing' || row.state === 'adopting')) return;
    const state = isShown ? 'gone' : stateWhenMissed(row, now);
    await tx.execute(
      `update cloud_leaks set state = $2, missed_at = coalesce(missed_at, $3), ended_at = $4 where id = $1`,
      [row.id, state, iso(now), isEnded(state) ? iso(now) : null],
    );
  }

  private recorded(provider: string, leaks: readonly Seen[]): Seen[] {
    const sorted = leaks.toSorted(
      (a, b) => (b.micros_per_day ?? 0) - (a.micros_per_day ?? 0) || a.id.localeCompare(b.id, 'en'),
    );
    if (sorted.length > RECORDED_MAX)
      this.log.warn('more leaked resources at a provider than are recorded', { provider, count: sorted.length });
    return sorted.slice(0, RECORDED_MAX);
  }

  /** Logs the failure, unless the provider is off or has no credentials. */
  private async failed(tx: Tx, { name: provider, budgetKey }: Cloud, { kind, message }: CloudError): Promise<void> {
    if (budgetKey === null) return;
    this.log.warn('resources at a provider could not be listed', { provider, kind });
    await tx.execute('update provider_breakers set leaks_failure = $2 where provider = $1', [
      provider,
      message.slice(0, MESSAGE_MAX),
    ]);
  }
}

const seenServer = (server: CloudServer, micros_per_day: number | null): Seen => ({
  kind: 'server',
  region: server.region,
  id: server.id,
  ref: server.labels.deployment ?? null,
  used_by: null,
  name: server.name,
  labels: server.labels,
  micros_per_day,
});

const ownerOf = (owners: ReadonlyMap<string, KnownOwner>, { ref }: HeldThing): KnownOwner | null =>
  ref === null ? null : (owners.get(ref) ?? null);

const isSame = (row: LeakRow, { kind, region, id }: HeldThing): boolean =>
  row.kind === kind && row.region === region && row.holding_id === id;

/** `$11` is true if it is seen for the first time, or again after its end. */
const SEE = `
insert into cloud_leaks as l (provider, kind, region, holding_id, name, labels, deployment_id, micros_per_day, state,
  first_seen_at, last_seen_at, times_seen)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, 1)
on conflict (provider, kind, region, holding_id) do update set name = $5, labels = $6, deployment_id = $7,
  micros_per_day = $8, state = $9, last_seen_at = $10, missed_at = null,
  first_seen_at = case when $11 then $10 else l.first_seen_at end,
  times_seen = case when $11 then 1 else l.times_seen + 1 end,
  decided_by = case when $11 then null else l.decided_by end,
  decided_at = case when $11 then null else l.decided_at end,
  reason = case when $11 then null else l.reason end,
  failure = case when $11 then null else l.failure end,
  failure_words = case when $11 then null else l.failure_words end,
  ended_at = null`;

const FORGET = `
delete from cloud_leaks where id in (
  select id from cloud_leaks where ended_at < $1 order by ended_at limit $2
)`;
