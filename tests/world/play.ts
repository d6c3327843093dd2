import type { Api } from '@moorage/api';
import { SUBSCRIPTIONS } from '@moorage/contracts';
import { writeFileSync } from 'node:fs';
import { HOUR_MS, type Instant, IN_FLIGHT } from '@moorage/domain';
import { type Business, createWorld, type TestDatabase, testDatabase, type World } from '@moorage/testing';
import { createOutside } from './outside';
import { createPeople, SECRETS } from './people';
import { apiOf, billingOf, loopsOf, packages, provisionerOf, type Sabotage, wire } from './processes';
import type { Beginning } from './start';

export interface PlayOptions {
  readonly beginning: Beginning;
  readonly seed: number;
  readonly turns: number;
  /** Bugs planted in what the services are built from. */
  readonly sabotage?: Sabotage;
}

export interface Played {
  readonly turns: number;
  readonly steps: number;
  readonly ended_at: Instant;
  readonly statuses: Readonly<Record<string, number>>;
}

const CHECK_EVERY = 60;
/** How often it is the sky that acts and not a person. */
const WEATHER = 0.1;
/** Longer than the longest a deployment may take: a user's own server is given up after 24 hours. */
const PATIENCE_MS = 30 * HOUR_MS;

/** One history from one seed: people, faults and time for so many turns; then calm; then everything must hold. */
export async function play({ beginning, seed, turns, sabotage = (_, parts) => parts }: PlayOptions): Promise<Played> {
  const laps: string[] = [];
  let lapAt = performance.now();
  let cpuAt = process.cpuUsage();
  const lap = (name: string): void => {
    const cpu = process.cpuUsage(cpuAt);
    laps.push(`${name} ${Math.round(performance.now() - lapAt)}/${Math.round((cpu.user + cpu.system) / 1000)}`);
    lapAt = performance.now();
    cpuAt = process.cpuUsage();
  };
  const database = await testDatabase({ copyOf: beginning.url });
  lap('db');
  try {
    const world = createWorld({
      seed,
      database,
      subscriptions: SUBSCRIPTIONS,
      start: beginning.at,
      canaries: SECRETS,
      look: (now) => look(database, now),
    });
    const outside = createOutside({ scheduler: world.scheduler, clock: world.clock, random: world.random, database });
    const packs = await packages();

    let api: Api | undefined;
    let wiring: ReturnType<typeof wire> | undefined;
    await world.add({
      name: 'api',
      service: 'api',
      async build(given) {
        const parts = sabotage('api', given);
        wiring ??= wire('api', parts);
        api ??= await apiOf(parts, wiring);
        // a mail is a file: nothing the world can look into
        return loopsOf('api', parts, { handlers: api.handlers, work: {} });
      },
    });
    for (const name of ['provisioner 1', 'provisioner 2']) {
      const build = async (given: Parameters<Sabotage>[1]) =>
        provisionerOf(sabotage('provisioner', given), { outside, packs });
      await world.add({ name, service: 'provisioner', build });
    }
    for (const name of ['billing 1', 'billing 2']) {
      await world.add({ name, service: 'billing', build: async (given) => billingOf(sabotage('billing', given)) });
    }
    if (api === undefined || wiring === undefined) throw new Error('there is no api');
    lap('build');
    const db = await world.open('api', 'people');
    const people = createPeople({ world, api, db, wiring, outside, database, settlers: beginning.settlers });
    lap('people');
    const weather = createWeather(world, database, outside);

    for (let turn = 1; turn <= turns; turn++) {
      await world.turn(() => (world.random.fraction() < WEATHER ? weather() : people.act()));
      if (turn % CHECK_EVERY === 0) await world.check('always');
    }
    lap('turns');
    outside.heal();
    await database.sql('delete from sandbox_faults');
    people.repeatUnanswered();
    await world.quiet(PATIENCE_MS);
    lap('quiet');
    await world.check('quiet');
    lap('check');
    process.stderr.write(`${seed} ${laps.join('  ')} steps ${world.scheduler.history.length}\n`);
    const wrong = [...people.contradictions, ...world.surprises];
    if (wrong.length > 0) throw new Error(wrong.slice(0, 5).join('\n'));
    if (process.env.WORLD_HISTORY !== undefined)
      writeFileSync(process.env.WORLD_HISTORY, world.scheduler.history.join('\n'));
    return {
      turns,
      steps: world.scheduler.history.length,
      ended_at: world.clock.at,
      statuses: await statusesOf(database),
    };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new Error(`seed ${seed}: ${words}\n${await factsAround(database, words)}`, { cause: error });
  } finally {
    await database.drop();
  }
}

/** For who looks into a failed seed: what our rows say about the deployments that the failure names. */
async function factsAround(database: TestDatabase, words: string): Promise<string> {
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

/** What the sky does: clouds fail, servers vanish, machines are switched off and on. */
function createWeather(world: World, database: TestDatabase, outside: ReturnType<typeof createOutside>): () => void {
  const { random } = world;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.fraction() * list.length)] as T;
  const FAULTS = [
    ['create', 'apply_then_fail'],
    ['create', 'apply_then_fail'],
    ['create', 'rate_limited'],
    ['create', 'server_error'],
    ['create', 'never_boots'],
    ['create', 'vanishes'],
    ['create', 'delayed_list'],
    ['create', 'no_address'],
    ['create', 'no_capacity'],
    ['find', 'server_error'],
    ['get', 'server_error'],
    ['list', 'server_error'],
    ['delete', 'apply_then_fail'],
    ['delete', 'still_there'],
    ['delete', 'locked'],
  ] as const;
  return () => {
    const what = random.fraction();
    void world.scheduler.start({ process: 'sky', name: 'weather' }, async () => {
      if (what < 0.7) {
        const [call, mode] = pick(FAULTS);
        await database.sql(`insert into sandbox_faults (provider, call, mode, remaining) values ('any', $1, $2, $3)`, [
          call,
          mode,
          1 + Math.floor(random.fraction() * 2),
        ]);
      } else if (what < 0.8) {
        await database.sql(
          `update sandbox_servers set state = 'gone', gone_at = $1
           where id = (select id from sandbox_servers where state <> 'gone' order by id limit 1)`,
          [new Date(world.clock.at).toISOString()],
        );
      } else {
        const own = [...outside.hosts.values()].filter((host) => host.own);
        if (own.length > 0) {
          const host = pick(own);
          host.on = !host.on;
        }
      }
    });
  };
}

async function look(database: TestDatabase, now: Instant): Promise<Business> {
  const [row] = await database.sql<
    Business & { relay: boolean; drains: string[]; kinds: string[]; catch_up: boolean; forgotten: boolean }
  >(LOOK, [IN_FLIGHT, new Date(now).toISOString()]);
  if (row === undefined) throw new Error('the look found no row');
  const { busy, next, relay, drains, kinds, catch_up, forgotten } = row;
  const due = [
    ...(relay ? ['api/relay', 'provisioner/relay', 'billing/relay'] : []),
    ...drains.map((consumer) => `${consumer}/drain`),
    ...kinds.map((kind) => `provisioner/work ${kind}`),
    ...(catch_up ? ['billing/catch up'] : []),
    ...(forgotten ? ['billing/forgotten'] : []),
  ];
  return { busy, next, due };
}

const LOOK = `
select
  exists (select 1 from deployments where status = any($1) or (status = 'FAILED' and server_exists and server_type = 'new'))
    or exists (select 1 from outbox where sent_at is null)
    or exists (select 1 from inbox where handled_at is null and parked_at is null)
    or exists (select 1 from runs where state = 'running')
    or exists (select 1 from meters where held_on is not null and not reckoned)
    or exists (select 1 from meters m join deployments d on d.id = m.deployment_id where not m.reckoned and d.billable_to is not null)
    or exists (select 1 from work where kind in ('run', 'check-vps')) as busy,
  least(
    (select min(greatest(due_at, leased_until)) from work where kind in ('run', 'check-vps')),
    (select min(due_at) from inbox where handled_at is null and parked_at is null and due_at > $2),
    (select min(hold_ends_at) from meters where held_on is not null and not reckoned)
  ) as next,
  exists (select 1 from outbox where sent_at is null) as relay,
  array(select distinct consumer from inbox where handled_at is null and parked_at is null and due_at <= $2) as drains,
  array(select distinct kind from work where due_at <= $2 and (leased_until is null or leased_until <= $2)
    and kind in ('run', 'check-vps', 'dns-look', 'reconcile-servers')) as kinds,
  exists (select 1 from meters where hold_ends_at <= $2)
    or exists (select 1 from credits where expired_at is null and expires_at <= $2)
    or not exists (select 1 from billing_runs where day = ($2::timestamptz at time zone 'UTC')::date and finished_at is not null) as catch_up,
  exists (
    select 1 from meters m join deployments d on d.id = m.deployment_id
    where not m.reckoned and ((m.charged_through is null and m.held_on is null and d.billable_from <= $2) or d.billable_to <= $2)
  ) as forgotten`;

async function statusesOf(database: TestDatabase): Promise<Record<string, number>> {
  const rows = await database.sql<{ status: string; count: number }>(
    'select status, count(*)::int as count from deployments group by status order by status',
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}
