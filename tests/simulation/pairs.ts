import { SUBSCRIPTIONS } from '@moorage/contracts';
import { DAY_MS, type DeploymentStatus, type Instant, MINUTE_MS, Money, PRICE_LIST, SECOND_MS } from '@moorage/domain';
import { seededRandom } from '@moorage/server';
import { createWorld, takesLocks, type World } from './world/world';
import { type Stay, type Waiting } from './world/scheduler';
import { install, type Sabotage } from './installation';
import { readState } from './read-state';
import { createOutside, type ExternalSystems, type OutsideState } from './external-systems';
import { COMMANDS, type Command, type Scene } from './pair-commands';
import { createPairActors } from './pair-actors';
import type { Beginning } from './start';

/**
 * Runs two commands inside their transactions at the same time. The first is paused where it holds locks. The second
 * runs until it waits for one of these locks or has ended. Then the first continues. In the end, the ledger and the
 * rows must be consistent, now and after the next day. Covers every ordered pair of commands, in every situation to
 * which one of them applies.
 */
export interface Pairs {
  readonly situations: readonly string[];
  /**
   * Runs every pair of a situation. With `every` the first command also stops before each statement, and not only
   * before its commits.
   */
  runScenario(situation: string, options?: { every?: boolean }): Promise<PairsPlayed>;
  /** Runs this number of commands truly in parallel, without pauses, so conflicts depend on the machine. */
  crowd(situation: string, options: { commands: number; seed: number }): Promise<void>;
}

export interface PairsPlayed {
  readonly pairs: number;
  /** Number of pairs in which the second command waited for a lock of the first. */
  readonly waited: number;
  readonly failed: readonly string[];
}

interface Situation {
  readonly at: Instant;
  readonly outside: OutsideState;
  readonly scene: Pick<Scene, 'subject' | 'session' | 'payment'>;
  readonly about: readonly string[];
}

const NO_FAULTS = { lost: 0, doubled: 0, refused: 0, crash: 0, crash_inside: 0, inside: 0, leap: 0, set: 0 };
const TURNS_MAX = 600;
/** Longer than a lease. */
const LEASE_OVER_MS = 40 * SECOND_MS;
const ORDER = { server_type: 'new', cloud_provider: 'hetzner', region: 'fsn1', instance_type: 'cpx22' };
/** Matches statements that affect money, a status or a server. */
const WRITES =
  /\b(update|insert into|delete from)\s+(deployments|wallets|ledger_\w+|credits|meters|deployment_rates|runs|servers)\b/i;

export async function createPairs(beginning: Beginning, { sabotage }: { sabotage?: Sabotage } = {}): Promise<Pairs> {
  const { stage } = beginning;
  const { database } = stage;
  const owner = ownerOf(beginning);
  const wrong: string[] = [];
  let stays: (stay: Stay) => boolean = () => false;

  const world: World = createWorld({
    seed: 1,
    stage,
    subscriptions: SUBSCRIPTIONS,
    start: beginning.at,
    readState: (now) => readState(database, now),
    faults: NO_FAULTS,
    stays_inside: (stay) => stays(stay),
  });
  const { scheduler, clock } = world;
  await stage.restore();
  const outside: ExternalSystems = createOutside({ ...world, database, from: beginning.outside });
  outside.heal();
  const installed = await install(world, {
    outside,
    packs: beginning.packs,
    ...(sabotage === undefined ? {} : { sabotage }),
  });
  const people = createPairActors({ world, installed, database, owner, wrong: (words) => wrong.push(words) });
  const situations = new Map<string, Situation>();

  /** Runs actors, restricted by `of`, until none of them can continue. */
  async function run(of?: (waiting: Waiting) => boolean): Promise<void> {
    while (await scheduler.step(of)) clock.advance(1);
  }

  const setClock = (at: Instant): void => clock.advance(at - clock.at);
  const nextMidnight = (): Instant => clock.at - (clock.at % DAY_MS) + DAY_MS;

  async function one<R extends object>(sql: string, params: readonly unknown[] = []): Promise<R> {
    const [row] = await database.sql<R>(sql, params);
    if (row === undefined) throw new Error(`no row: ${sql}`);
    return row;
  }

  /** Creates the situations once and saves them. */
  async function prepare(): Promise<void> {
    // A new day begins before the deadlines of its steps.
    setClock(nextMidnight() - 30 * SECOND_MS);
    // It ends just after midnight.
    const granted = nextMidnight() + SECOND_MS - PRICE_LIST.creditLifeMs;
    await installed.db.tx('pair.credit', (tx) =>
      installed.current().wiring.ledger.grantCredit(tx, {
        userId: owner.id,
        creditType: 'signup',
        at: granted,
        amount: Money.of(1),
      }),
    );
    people.request('session', { method: 'POST', path: '/stripe/create-checkout-session', body: { amount_cents: 700 } });
    await run();
    await stage.store('pair_base');
    const base = { at: clock.at, outside: outside.snapshot() };
    const { id: session } = await one<{ id: string }>(`select id from checkout_sessions where status = 'open'`);
    const paid = await one<{ payment_intent: string; amount_cents: number }>(
      `select payment_intent, amount_cents from checkout_sessions where status = 'paid' and user_id = $1 order by id limit 1`,
      [owner.id],
    );
    const payment = { intent: paid.payment_intent, cents: paid.amount_cents };

    for (const [name, { about, make, walked }] of Object.entries(SITUATIONS)) {
      await stage.restore('pair_base');
      outside.restore(base.outside);
      setClock(base.at);
      const subject = await make();
      setClock(Math.max(base.at + MINUTE_MS, clock.at));
      expectNothingWrong(name);
      await stage.store(momentOf(name));
      const scene = { subject, session, payment };
      const situation = { at: clock.at, outside: outside.snapshot(), scene, about };
      situations.set(name, situation);
      if (walked === undefined) continue;
      await comeBack(name, situation);
      world.tick('provisioner 1', 'work run');
      await run();
      const { status } = await one<{ status: string }>('select status from deployments where id = $1', [subject]);
      if (status !== walked) throw new Error(`${name}, and then it is ${status}`);
    }
  }

  function expectNothingWrong(where: string): void {
    const words = [...wrong, ...world.surprises];
    if (words.length > 0) throw new Error(`${where}: ${words.join('\n')}`);
  }

  /** Situations. `walked` is the status that the provisioner's next step leads to. */
  const SITUATIONS: Readonly<
    Record<string, { about: readonly string[]; make: () => Promise<number>; walked?: DeploymentStatus }>
  > = {
    'it is ready': { about: [], make: () => idOf('first-1') },
    'it is active': { about: ['restart', 'delete', 'level up'], make: () => idOf('first-2') },
    'it is about to start': {
      about: ['walk'],
      walked: 'ACTIVE',
      async make() {
        const id = await order({ package: 'test-page' });
        await walk(id, movesTo('ACTIVE'));
        return id;
      },
    },
    'it is about to wait for its records': {
      about: ['walk'],
      walked: 'DNS_VALIDATION',
      async make() {
        const id = await order(pangolin('late.people.localhost'));
        await walk(id, movesTo('DNS_VALIDATION'));
        return id;
      },
    },
    'it is about to be ready': {
      about: ['walk'],
      walked: 'READY',
      async make() {
        outside.setRecords('soon.people.localhost', true);
        const id = await order(pangolin('soon.people.localhost'));
        await walk(id, movesTo('READY'));
        return id;
      },
    },
    'it has just started': {
      about: ['settle forgotten', 'catch up'],
      async make() {
        const id = await order({ package: 'test-page' });
        await walk(id, 'ACTIVE');
        return id;
      },
    },
    'its records are wrong': {
      about: ['retry dns', 'delete', 'compare servers'],
      async make() {
        const id = await order(pangolin('never.people.localhost'));
        await walk(id, 'DNS_FAILED');
        return id;
      },
    },
    'its restart is about to end': {
      about: ['walk'],
      walked: 'ACTIVE',
      async make() {
        const id = await idOf('first-2');
        people.request('restart', { method: 'POST', path: `/deployments/${id}/restart` });
        await run();
        await walk(id, movesTo('ACTIVE'));
        return id;
      },
    },
    'its server is missing': {
      about: ['compare servers'],
      async make() {
        const id = await idOf('first-1');
        await database.sql(
          `update sandbox_servers set state = 'gone', gone_at = $2
           where labels ->> 'deployment' = (select ref from deployments where id = $1)`,
          [id, new Date(clock.at).toISOString()],
        );
        world.tick('provisioner 1', 'sweep of rows');
        await run();
        // One provider per tick, and the others are postponed.
        await database.sql(
          `update work set due_at = due_at + interval '30 days' where kind = 'reconcile-servers' and key <> 'hetzner'`,
        );
        clock.advance(31 * MINUTE_MS);
        world.tick('provisioner 1', 'work reconcile-servers');
        await run();
        clock.advance(31 * MINUTE_MS);
        return id;
      },
    },
    'its removal is about to end': {
      about: ['walk'],
      walked: 'DESTROYED',
      async make() {
        const id = await idOf('first-2');
        people.request('delete', { method: 'DELETE', path: `/deployments/${id}` });
        await run();
        await walk(id, movesTo('DESTROYED'));
        return id;
      },
    },
    'it is held for': {
      about: ['top-up', 'delete', 'adjust', 'refund', 'catch up', 'level down'],
      make: () => gracePeriod('open'),
    },
    'its hold is over': {
      about: ['top-up', 'delete', 'catch up', 'level down', 'restart'],
      make: () => gracePeriod('over'),
    },
  };

  async function idOf(clientId: string): Promise<number> {
    return (await one<{ id: number }>('select id from deployments where client_id = $1', [clientId])).id;
  }

  const pangolin = (domain: string) => ({
    package: 'pangolin',
    domain,
    admin_email: 'a@people.localhost',
    admin_password: 'Canary-of-the-stack-1',
  });

  async function order(body: object): Promise<number> {
    people.request('order', { method: 'POST', path: '/deployments', body: { ...ORDER, ...body } });
    await run();
    return (await one<{ id: number }>('select max(id) as id from deployments')).id;
  }

  /** Matches the commit of the transaction that moves a deployment to the status. */
  const movesTo =
    (status: DeploymentStatus) =>
    ({ next, sent }: Stay): boolean =>
      next === null && sent.some(({ sql, params }) => /^\s*update deployments\b/i.test(sql) && params.includes(status));

  /**
   * Advances the run until the status is reached, or until a transaction is about to be committed, which then never is.
   */
  async function walk(id: number, until: DeploymentStatus | ((stay: Stay) => boolean)): Promise<void> {
    stays = typeof until === 'function' ? until : () => false;
    try {
      for (let turn = 0; turn < TURNS_MAX; turn++) {
        for (const tick of ['sweep of rows', 'work run']) {
          world.tick('provisioner 1', tick);
          await run(({ inside }) => inside !== true);
          if (scheduler.waiting.some(({ inside }) => inside)) {
            await world.crash('provisioner 1');
            clock.advance(LEASE_OVER_MS);
            return;
          }
        }
        const { status } = await one<{ status: string }>('select status from deployments where id = $1', [id]);
        if (status === until) return;
        const { next } = await readState(database, clock.at);
        clock.advance(next === null ? SECOND_MS : Math.max(next - clock.at, 1));
      }
    } finally {
      stays = () => false;
    }
    throw new Error(
      `it did not get there: ${JSON.stringify(await one('select * from deployments where id = $1', [id]))}`,
    );
  }

  /** Uses up the account's balance, and returns the deployment with the grace period. */
  async function gracePeriod(state: 'open' | 'over'): Promise<number> {
    const { regular_micros } = await one<{ regular_micros: string }>(
      'select regular_micros from wallets where user_id = $1',
      [owner.id],
    );
    people.adjust(Money.fromMicrosText(regular_micros).negated());
    await run();
    for (let dailyRun = 0; dailyRun < TURNS_MAX; dailyRun++) {
      setClock(nextMidnight() + 2 * SECOND_MS);
      world.tick('billing 1', 'catch up');
      await run();
      const [held] = await database.sql<{ deployment_id: number; grace_period_ends_at: Instant }>(
        'select deployment_id, grace_period_ends_at from meters where grace_period_day is not null order by deployment_id limit 1',
      );
      if (held === undefined) continue;
      setClock(state === 'open' ? clock.at + 5 * MINUTE_MS : held.grace_period_ends_at + SECOND_MS);
      return held.deployment_id;
    }
    throw new Error('the money never ended');
  }

  async function comeBack(situation: string, { at, outside: state }: Situation): Promise<void> {
    await stage.restore(momentOf(situation));
    outside.restore(state);
    setClock(at);
    wrong.length = 0;
  }

  const sceneOf = ({ scene }: Situation, role: 1 | 2): Scene => ({
    ...scene,
    ...people,
    tick: (service, name) => world.tick(`${service} ${role}`, name),
  });

  /** Returns the places where a command can be paused when it runs alone, by number of its pauses with locks. */
  async function staysOf(situation: string, found: Situation, command: Command, every: boolean): Promise<Point[]> {
    await comeBack(situation, found);
    const points: Point[] = [];
    const passing = passings();
    stays = (stay) => {
      if (!stay.sent.some(takesLocks)) return false;
      const point = passing(stay);
      const decides = stay.sent.some(({ sql }) => WRITES.test(sql));
      if (every || (stay.next === null && decides)) points.push(point);
      return false;
    };
    command.start(sceneOf(found, 1));
    await run();
    stays = () => false;
    return points;
  }

  /** Settles everything due by now, and then at the next midnight. */
  async function untilNextDay(): Promise<void> {
    for (const at of [clock.at, nextMidnight() + MINUTE_MS]) {
      setClock(at);
      for (const tick of ['catch up', 'forgotten']) {
        world.tick('billing 1', tick);
        await run();
      }
    }
  }

  /** Runs a pair, and returns true if the second command had to wait. */
  async function meet(situation: string, found: Situation, pair: { first: Command; point: Point; second: Command }) {
    await comeBack(situation, found);
    const surprised = world.surprises.length;
    const passing = passings();
    stays = (stay) => stay.sent.some(takesLocks) && passing(stay).key === pair.point.key;
    pair.first.start(sceneOf(found, 1));
    const free = ({ inside }: Waiting): boolean => inside !== true;
    await run(free);
    if (!scheduler.waiting.some(({ inside }) => inside)) throw new Error('the first was never left inside');
    stays = () => false;
    pair.second.start(sceneOf(found, 2));
    await run(free);
    const waited = scheduler.blocked.length > 0;
    await run();
    if (scheduler.blocked.length > 0) throw new Error('somebody still waits for a lock');
    await world.check('always');
    await untilNextDay();
    await world.check('settled');
    const words = [...wrong, ...world.surprises.slice(surprised)];
    if (words.length > 0) throw new Error(words.join('\n'));
    return waited;
  }

  /** Returns ticks and user actions that run truly in parallel. */
  function atOnce(tasks: Promise<unknown>[]): Pick<Scene, 'tick'> & ReturnType<typeof createPairActors> {
    const start = (_name: string, run: () => Promise<unknown>): Promise<unknown> => {
      const task = run();
      tasks.push(task.catch(() => undefined));
      return task;
    };
    let ticks = 0;
    return {
      ...createPairActors({ world, installed, database, owner, wrong: (words) => wrong.push(words), start }),
      tick(service, name) {
        const found = world.ticksOf(`${service} ${(ticks++ % 2) + 1}`).find((tick) => tick.name === name);
        if (found === undefined) throw new Error(`${service} has no ${name}`);
        tasks.push(found.run().catch((error: unknown) => wrong.push(`${name}: ${String(error)}`)));
      },
    };
  }

  async function crowd(situation: string, { commands, seed }: { commands: number; seed: number }): Promise<void> {
    const found = situations.get(situation);
    if (found === undefined) throw new Error(`no such situation: ${situation}`);
    await comeBack(situation, found);
    const draw = seededRandom(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(draw.fraction() * list.length)] as T;
    const tasks: Promise<unknown>[] = [];
    const doers = atOnce(tasks);
    for (let session = 0; session < 6; session++) {
      doers.request('session', {
        method: 'POST',
        path: '/stripe/create-checkout-session',
        body: { amount_cents: 300 },
      });
    }
    await Promise.all(tasks.splice(0));
    const sessions = await database.sql<{ id: string }>(
      `select id from checkout_sessions where status = 'open' order by id`,
    );
    const subjects = await database.sql<{ id: number }>('select id from deployments where user_id = $1 order by id', [
      owner.id,
    ]);
    for (let number = 0; number < commands; number++) {
      // Every kind at least once.
      const command = COMMANDS[number] ?? pick(COMMANDS);
      const subject = draw.fraction() < 0.5 ? found.scene.subject : pick(subjects).id;
      command.start({ ...found.scene, ...doers, subject, session: pick(sessions).id });
    }
    await Promise.all(tasks);
    await world.check('always');
    await untilNextDay();
    await world.check('settled');
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
  }

  await prepare();
  return {
    crowd,
    situations: [...situations.keys()],
    async runScenario(situation, { every = false } = {}) {
      const found = situations.get(situation);
      if (found === undefined) throw new Error(`no such situation: ${situation}`);
      const failed: string[] = [];
      let pairs = 0;
      let waited = 0;
      for (const first of COMMANDS) {
        for (const point of await staysOf(situation, found, first, every)) {
          for (const second of COMMANDS) {
            const { about } = found;
            if (about.length > 0 && !about.includes(first.name) && !about.includes(second.name)) continue;
            pairs++;
            try {
              if (await meet(situation, found, { first, point, second })) waited++;
            } catch (error) {
              const words = error instanceof Error ? error.message : String(error);
              failed.push(`${situation}: "${first.name}" stays in ${point.words}, "${second.name}" comes:\n${words}`);
              await world.calm();
            }
          }
        }
      }
      return { pairs, waited, failed };
    },
  };
}

function ownerOf({ settlers: [owner] }: Beginning): Beginning['settlers'][number] {
  if (owner === undefined) throw new Error('nobody settled');
  return owner;
}

/** A place in a transaction, with the number of times that it was passed. */
interface Point {
  readonly key: string;
  readonly words: string;
}

function passings(): (stay: Stay) => Point {
  const counts = new Map<string, number>();
  return ({ tx, next, sent }) => {
    const place = `${tx} ${next === null ? 'commit' : sent.length}`;
    const passed = (counts.get(place) ?? 0) + 1;
    counts.set(place, passed);
    const words = next === null ? 'before its commit' : `before "${next.trim().replace(/\s+/g, ' ').slice(0, 60)}"`;
    return { key: `${place} ${passed}`, words: `${tx} ${words}` };
  };
}

const momentOf = (situation: string): string => `pair_${situation.replace(/\W+/g, '_')}`;
