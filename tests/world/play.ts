import type { Api } from '@moorage/api';
import { SUBSCRIPTIONS } from '@moorage/contracts';
import { HOUR_MS, type Instant, IN_FLIGHT, instant } from '@moorage/domain';
import { createWorld, type TestDatabase, testDatabase, type World } from '@moorage/testing';
import { createOutside } from './outside';
import { createPeople } from './people';
import { apiOf, billingOf, loopsOf, packages, provisionerOf, type Sabotage, wire } from './processes';

export interface PlayOptions {
  readonly seed: number;
  readonly turns: number;
  readonly people: number;
  /** Bugs planted in what the services are built from. */
  readonly sabotage?: Sabotage;
}

export interface Played {
  readonly turns: number;
  readonly steps: number;
  readonly ended_at: Instant;
  readonly statuses: Readonly<Record<string, number>>;
}

const START = instant('2026-11-30T20:00:00Z');
const CHECK_EVERY = 60;
/** Longer than the longest a deployment may take: a user's own server is given up after 24 hours. */
const PATIENCE_MS = 30 * HOUR_MS;

/** One history from one seed: people, faults and time for so many turns; then calm; then everything must hold. */
export async function play({
  seed,
  turns,
  people: count,
  sabotage = (_, parts) => parts,
}: PlayOptions): Promise<Played> {
  const database = await testDatabase();
  try {
    const world = createWorld({ seed, database, subscriptions: SUBSCRIPTIONS, start: START });
    const outside = createOutside({ scheduler: world.scheduler, clock: world.clock, random: world.random, database });
    const packs = await packages();
    await database.sql(`insert into installation (key, created_at) values ('world', $1)`, [
      new Date(START).toISOString(),
    ]);

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
    await api.ensureFirstAdmin({ email: 'admin@people.localhost', password: undefined });
    const db = await world.open('api', 'people');
    const people = await createPeople({ world, api, db, wiring, outside, database, count });
    const weather = createWeather(world, database, outside);

    for (let turn = 1; turn <= turns; turn++) {
      await world.turn(() => (world.random.fraction() < 0.15 ? weather() : people.act()));
      if (turn % CHECK_EVERY === 0) await world.check('always');
    }
    outside.heal();
    await database.sql('delete from sandbox_faults');
    people.repeatUnanswered();
    await world.quiet(() => isBusy(database), PATIENCE_MS);
    await world.check('quiet');
    const wrong = [...people.contradictions, ...world.surprises];
    if (wrong.length > 0) throw new Error(wrong.slice(0, 5).join('\n'));
    return {
      turns,
      steps: world.scheduler.history.length,
      ended_at: world.clock.at,
      statuses: await statusesOf(database),
    };
  } finally {
    await database.drop();
  }
}

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
      if (what < 0.6) {
        const [call, mode] = pick(FAULTS);
        await database.sql(`insert into sandbox_faults (provider, call, mode, remaining) values ('any', $1, $2, $3)`, [
          call,
          mode,
          1 + Math.floor(random.fraction() * 2),
        ]);
      } else if (what < 0.7) {
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

/** Something is on its way that time or work will bring on. */
async function isBusy(database: TestDatabase): Promise<boolean> {
  const [row] = await database.sql<{ busy: boolean }>(
    `select exists (select 1 from deployments where status = any($1) or (status = 'FAILED' and server_exists and server_type = 'new'))
       or exists (select 1 from outbox where sent_at is null)
       or exists (select 1 from inbox where handled_at is null and parked_at is null)
       or exists (select 1 from runs where state = 'running')
       or exists (select 1 from meters where held_on is not null and not reckoned)
       or exists (select 1 from meters m join deployments d on d.id = m.deployment_id where not m.reckoned and d.billable_to is not null)
       or exists (select 1 from work where kind in ('run', 'check-vps')) as busy`,
    [IN_FLIGHT],
  );
  return row?.busy === true;
}

async function statusesOf(database: TestDatabase): Promise<Record<string, number>> {
  const rows = await database.sql<{ status: string; count: number }>(
    'select status, count(*)::int as count from deployments group by status order by status',
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}
