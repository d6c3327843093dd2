import { SUBSCRIPTIONS, WORK_NAMES } from '@moorage/contracts';
import { ALERT_MESSAGES, DEPLOYMENT_STATUSES, type Instant, iso, MINUTE_MS, SECOND_MS } from '@moorage/domain';
import { Metrics } from '@moorage/runtime';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AUDIT_CHECK, PROOF_CHECK, WATCH_CHECK } from './watch/watch.service';

const READ_EVERY_MS = 15 * SECOND_MS;
/** Interval for counting deployments, which reads every row. */
const DEPLOYMENTS_EVERY_MS = MINUTE_MS;
const STATEMENT_MS_MAX = 2_000;
/** Maximum time a scrape waits for the database before it returns the other metrics. */
const WAIT_MS_MAX = 4_000;
/** Maximum counted per consumer or kind. There may be more. */
const COUNTED_MAX = 10_000;

interface Waiting {
  readonly name: string;
  readonly count: number;
  readonly oldest: Instant | null;
}

/** Gauges of the whole installation, read from the database on each scrape of this process. */
@Injectable()
export class OperationsGauges implements OnApplicationBootstrap {
  private readAt = -Infinity;
  private deploymentsReadAt = -Infinity;
  private reading: Promise<void> | undefined;

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    // Makes the first charge visible as an increase.
    for (const how of ['daily', 'settled'] as const) this.metrics.charges.inc({ how }, 0);
    this.metrics.onScrape(() => this.collect());
  }

  /** Drops the series of values that could not be read, because stale values would look current. */
  private async collect(): Promise<void> {
    if (this.reading === undefined && this.clock.localNow() - this.readAt >= READ_EVERY_MS) {
      this.readAt = this.clock.localNow();
      this.reading = this.read()
        .catch((error: unknown) => {
          this.forget();
          this.log.error('gauges of the installation could not be read', { error });
        })
        .finally(() => (this.reading = undefined));
    }
    const { reading } = this;
    if (reading === undefined) return;
    const over = new AbortController();
    const late = await Promise.race([
      reading.then(() => false),
      this.clock.sleep(WAIT_MS_MAX, over.signal).then(() => true),
    ]);
    over.abort();
    if (late) this.forget();
  }

  private async read(): Promise<void> {
    await this.readOnly((tx) => this.readQueues(tx));
    if (this.clock.localNow() - this.deploymentsReadAt < DEPLOYMENTS_EVERY_MS) return;
    await this.readOnly((tx) => this.readDeployments(tx));
    this.deploymentsReadAt = this.clock.localNow();
  }

  private readOnly(read: (tx: Tx) => Promise<void>): Promise<void> {
    return this.db.tx('billing.gauges', async (tx) => {
      await tx.execute('set transaction isolation level repeatable read, read only');
      await tx.query(`select set_config('statement_timeout', $1, true)`, [String(STATEMENT_MS_MAX)]);
      await read(tx);
    });
  }

  private async readQueues(tx: Tx): Promise<void> {
    const now = await this.clock.now(tx);
    const age = (oldest: Instant | null): number => (oldest === null ? 0 : Math.max(0, now - oldest) / SECOND_MS);
    const consumers = Object.keys(SUBSCRIPTIONS);

    const [unsent] = await tx.query<Omit<Waiting, 'name'>>(UNSENT);
    this.metrics.eventsUnsent.set(unsent?.count ?? 0);
    this.metrics.eventsUnsentAge.set(age(unsent?.oldest ?? null));

    for (const { name: consumer, count, oldest } of await tx.query<Waiting>(DELIVERIES, [consumers])) {
      this.metrics.deliveriesWaiting.set({ consumer }, count);
      this.metrics.deliveriesAge.set({ consumer }, age(oldest));
    }
    for (const { name: consumer, count } of await tx.query<Waiting>(PARKED, [consumers]))
      this.metrics.deliveriesParked.set({ consumer }, count);
    for (const { name: kind, count, oldest } of await tx.query<Waiting>(DUE_WORK, [[...WORK_NAMES], iso(now)])) {
      this.metrics.workDue.set({ kind }, count);
      this.metrics.workAge.set({ kind }, age(oldest));
    }

    const [grace] = await tx.query<{ count: number }>(GRACE_PERIODS);
    this.metrics.gracePeriods.set(grace?.count ?? 0);

    const alerts = await tx.query<{ kind: string; count: number }>(OPEN_ALERTS, [Object.keys(ALERT_MESSAGES)]);
    for (const { kind, count } of alerts) this.metrics.alertsOpen.set({ kind }, count);
    this.metrics.auditBreaches.set(alerts.find(({ kind }) => kind === 'books_breached')?.count ?? 0);

    const checks = await tx.query<{ name: string; ran_at: Instant }>(
      'select name, ran_at from operator_checks where name = any($1)',
      [[WATCH_CHECK, AUDIT_CHECK, PROOF_CHECK]],
    );
    for (const { name: check, ran_at } of checks) this.metrics.checkedAt.set({ check }, ran_at / SECOND_MS);
  }

  private async readDeployments(tx: Tx): Promise<void> {
    const counted = await tx.query<{ status: string; count: number }>(
      `select status, count(*)::int as count from deployments where status <> 'DELETED' group by status`,
    );
    for (const status of DEPLOYMENT_STATUSES.filter((one) => one !== 'DELETED'))
      this.metrics.deployments.set({ status }, counted.find((row) => row.status === status)?.count ?? 0);
  }

  private forget(): void {
    this.metrics.forgetInstallation();
    this.deploymentsReadAt = -Infinity;
  }
}

/** The oldest event of a shard is its first. */
const UNSENT = `
with recursive shards as (
  (select shard from outbox where sent_at is null order by shard limit 1)
  union all
  select (select shard from outbox where sent_at is null and shard > s.shard order by shard limit 1)
  from shards s where s.shard is not null
)
select
  (select count(*)::int from (select from outbox where sent_at is null limit ${COUNTED_MAX}) unsent) as count,
  (select min(first.occurred_at) from shards
   cross join lateral (
     select occurred_at from outbox where sent_at is null and shard = shards.shard order by id limit 1
   ) first
  ) as oldest`;

/**
 * Ordered by due time, which is the time of the event until an attempt fails, so the oldest are among those counted.
 */
const DELIVERIES = `
select name, count, oldest from unnest($1::text[]) name
cross join lateral (
  select count(*)::int as count, min(arrived_at) as oldest from (
    select arrived_at from inbox where consumer = name and handled_at is null and parked_at is null
    order by due_at limit ${COUNTED_MAX}
  ) waiting
) counted`;

const PARKED = `
select name, count from unnest($1::text[]) name
cross join lateral (
  select count(*)::int as count from (
    select from inbox where consumer = name and parked_at is not null and handled_at is null limit ${COUNTED_MAX}
  ) parked
) counted`;

const DUE_WORK = `
select name, count, oldest from unnest($1::text[]) name
cross join lateral (
  select count(*)::int as count, min(due_at) as oldest from (
    select due_at from work where kind = name and due_at <= $2 and (leased_until is null or leased_until <= $2)
    order by due_at limit ${COUNTED_MAX}
  ) due
) counted`;

const GRACE_PERIODS = `
select count(*)::int as count from (
  select from meters where grace_period_day is not null and grace_period_ends_at is not null limit ${COUNTED_MAX}
) open`;

const OPEN_ALERTS = `
select name as kind, count(a.kind)::int as count from unnest($1::text[]) name
left join operator_alerts a on a.kind = name and a.resolved_at is null
group by name`;
