import { SYNC_PAYMENT, RETRY_STRIPE_EVENT } from '@moorage/contracts';
import { type Day, type Instant, IN_FLIGHT } from '@moorage/domain';
import type { TestDatabase } from '@moorage/testing';
import type { Business } from './world/world';

/**
 * Reads a summary of the simulation in one query, with whether anything is in progress, when the next work falls due,
 * and which loops would find work.
 */
export async function readState(
  database: TestDatabase,
  now: Instant,
  /** Returns the loops that have work after the last day in which every account was attempted. */
  afterDailyRun: (passed: Day | null) => readonly string[] = () => [],
): Promise<Business> {
  const [row] = await database.sql<Glance>('select * from beginning.glance($1, $2)', [
    IN_FLIGHT,
    new Date(now).toISOString(),
  ]);
  if (row === undefined) throw new Error('the look found no row');
  const { busy, next, relay, drains, kinds, catch_up, forgotten, losses, passed } = row;
  const due = [
    ...(relay ? ['api/relay', 'provisioner/relay', 'billing/relay'] : []),
    ...drains.map((consumer) => `${consumer}/drain`),
    ...kinds.map((kind) => `${OF_THE_API.includes(kind) ? 'api' : 'provisioner'}/work ${kind}`),
    ...(catch_up ? ['billing/catch up'] : []),
    ...(forgotten ? ['billing/forgotten'] : []),
    ...(losses ? ['provisioner/operator'] : []),
    ...afterDailyRun(passed),
  ];
  return { busy, next, due };
}

/** Creates a function, so that the plan is reused. It is called some hundred times per history. */
export async function prepareInspection(database: TestDatabase): Promise<void> {
  await database.sql(`
    create function beginning.glance(text[], timestamptz) returns table (busy boolean, next timestamptz, relay boolean,
      drains text[], kinds text[], catch_up boolean, forgotten boolean, losses boolean, passed text)
    language plpgsql as $glance$
    #variable_conflict use_column
    begin return query ${GLANCE}; end $glance$`);
}

interface Glance {
  readonly busy: boolean;
  readonly next: Instant | null;
  readonly relay: boolean;
  readonly drains: readonly string[];
  readonly kinds: readonly string[];
  readonly catch_up: boolean;
  readonly forgotten: boolean;
  readonly losses: boolean;
  readonly passed: Day | null;
}

const OF_THE_API: readonly string[] = [RETRY_STRIPE_EVENT, SYNC_PAYMENT];

/** Selects deployments that do not know yet that their server is gone. */
const LOST = `
  select 1 from deployments d
  where d.server_type = 'new' and d.status in ('ACTIVE', 'READY', 'DNS_VALIDATION', 'DNS_FAILED', 'RESTARTING')
    and not exists (select 1 from sandbox_servers s where s.state <> 'gone' and s.labels ->> 'deployment' = d.ref)`;

/** Providers that hide an existing server, and of which an operator does not confirm losses yet. */
export const NOT_ALL_LOST = `
  select s.provider from servers s join sandbox_servers x on x.id::text = s.provider_server_id and x.state <> 'gone'
  where s.state = 'exists' and s.missed_at is not null`;

const GLANCE = `
select
  exists (select 1 from deployments where status = any($1) or (status = 'FAILED' and server_exists and server_type = 'new' and lost_from is null))
    or exists (select 1 from outbox where sent_at is null)
    or exists (select 1 from inbox where handled_at is null and parked_at is null)
    or exists (select 1 from runs where state = 'running')
    or exists (select 1 from meters where grace_period_day is not null and not reckoned)
    or exists (select 1 from meters m join deployments d on d.id = m.deployment_id where not m.reckoned and d.billable_to is not null)
    or exists (select 1 from work where kind in ('run', 'check-vps', 'retry-stripe-event', 'look-at-payment'))
    or exists (select 1 from billing_failures)
    or exists (${LOST}) as busy,
  least(
    (select min(greatest(due_at, leased_until)) from work where kind in ('run', 'check-vps', 'retry-stripe-event', 'look-at-payment')),
    (select min(due_at) from inbox where handled_at is null and parked_at is null and due_at > $2),
    (select min(grace_period_ends_at) from meters where grace_period_day is not null and not reckoned),
    (select min(due_at) from work where kind = 'reconcile-servers' and exists (${LOST}))
  ) as next,
  exists (select 1 from outbox where sent_at is null) as relay,
  array(select distinct consumer from inbox where handled_at is null and parked_at is null and due_at <= $2) as drains,
  array(select distinct kind from work where due_at <= $2 and (leased_until is null or leased_until <= $2)
    and kind in ('run', 'check-vps', 'dns-check', 'reconcile-servers', 'retry-stripe-event', 'look-at-payment')) as kinds,
  exists (select 1 from meters where grace_period_ends_at <= $2)
    or exists (select 1 from credits where expired_at is null and expires_at <= $2)
    or not exists (select 1 from billing_runs where day = ($2::timestamptz at time zone 'UTC')::date and finished_at is not null) as catch_up,
  exists (
    select 1 from meters m join deployments d on d.id = m.deployment_id
    where not m.reckoned and ((m.charged_through is null and m.grace_period_day is null and d.billable_from <= $2) or d.billable_to <= $2)
  ) or exists (select 1 from billing_failures) as forgotten,
  exists (
    select 1 from provider_breakers b join servers s on s.provider = b.provider and s.state = 'exists'
    where b.opened_at is not null and s.missed_at <= $2::timestamptz - interval '10 minutes'
      and not exists (select 1 from sandbox_servers x where x.state <> 'gone' and x.id::text = s.provider_server_id)
      and b.provider not in (${NOT_ALL_LOST})
  ) as losses,
  (select max(day)::text from billing_runs where passed_at is not null) as passed`;

/** Returns our rows of the deployments that a failure names, for the analysis of a failed seed. */
export async function factsAround(database: TestDatabase, words: string): Promise<string> {
  const ids = [...new Set([...words.matchAll(/"deployment_id":(\d+)/g)].map(([, id]) => Number(id)))].slice(0, 3);
  const lines: string[] = [];
  for (const id of ids) {
    for (const [what, sql] of Object.entries(AROUND)) {
      const rows = await database.sql(sql, [id]);
      lines.push(`${what} of ${id}:`, ...rows.map((row) => `    ${JSON.stringify(row)}`));
    }
  }
  return lines.join('\n');
}

const AROUND = {
  row: 'select id, user_id, ref, package, server_type, status, desired, destroy_reason, server_exists, failure_reason, billable_from, billable_to, version from deployments where id = $1',
  server: 'select * from servers where deployment_id = $1',
  sandbox: `select s.id, s.provider, s.state, s.quirks, s.created_at, s.gone_at from sandbox_servers s join deployments d on d.ref = s.labels ->> 'deployment' where d.id = $1`,
  runs: 'select * from runs where deployment_id = $1 order by id desc limit 5',
  work: `select w.* from work w join runs r on w.kind = 'run' and w.key = r.id::text where r.deployment_id = $1`,
  steps:
    'select at, run_id, step, outcome, message from deployment_steps where deployment_id = $1 order by id desc limit 15',
  meter: 'select * from meters where deployment_id = $1',
  postings:
    'select id, type, amount_micros, charged_on, due_at, posted_at from ledger_transactions where deployment_id = $1 order by id desc limit 15',
} as const;

export async function statusesOf(database: TestDatabase): Promise<Record<string, number>> {
  const rows = await database.sql<{ status: string; count: number }>(
    'select status, count(*)::int as count from deployments group by status order by status',
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}
