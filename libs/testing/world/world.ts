import { DAY_MS, HOUR_MS, type Instant, instant, MINUTE_MS, SECOND_MS } from '@moorage/domain';
import type { Service } from '@moorage/database';
import type { Envelope } from '@moorage/messaging';
import { type Db, type Random, seededRandom, sqlState } from '@moorage/server';
import { checkInvariants } from '../invariants';
import { createNetwork, type Network, type NetworkFaults } from './network';
import { createScheduler, type Scheduler } from './scheduler';
import type { Stage } from './stage';
import { createVirtualClock, type VirtualClock } from './virtual-clock';

/** What a process of the world is made of; its database, clock, chance and transports come from the world. */
export interface WorldProcess {
  /** Each is called again and again, never twice at a time in one process. */
  readonly ticks: readonly Tick[];
  /** What the network brings for this service. */
  arrived(envelopes: readonly Envelope[]): Promise<void>;
}

export interface Tick {
  readonly name: string;
  /** How often it has its turn, compared with the others: what looks each second more often than what looks each hour. */
  readonly weight: number;
  readonly run: () => Promise<unknown>;
}

export interface ProcessPlan {
  readonly name: string;
  readonly service: Service;
  /** Called at the start and after every crash: nothing in memory survives. */
  build(parts: ProcessParts): Promise<WorldProcess>;
}

export interface ProcessParts {
  readonly db: Db;
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly network: Network;
  /** What loops tell of: it is looked through at the end. */
  onError(error: unknown): void;
}

export interface WorldOptions {
  readonly seed: number;
  readonly stage: Stage;
  readonly subscriptions: Readonly<Record<string, readonly string[]>>;
  readonly start?: Instant;
  /** One look at the rows in place of thirty that find nothing. */
  readonly look: (now: Instant) => Promise<Business>;
  readonly faults?: Partial<WorldFaults>;
  /** Secrets that may be found nowhere. */
  readonly canaries?: readonly string[];
}

/** Probabilities per turn, and of the network per envelope or batch. */
export interface WorldFaults extends NetworkFaults {
  readonly crash: number;
  /** Per place inside an open transaction. */
  readonly crash_inside: number;
  /** The clock leaps by hours or days. */
  readonly leap: number;
}

const FAULTS: WorldFaults = { lost: 0.06, doubled: 0.12, refused: 0.1, crash: 0.025, crash_inside: 0.03, leap: 0.01 };
const START = instant('2026-11-30T20:00:00Z');
/** What lies between two places an actor passes. */
const STEP_MS_MAX = 40;
/** Turns between two looks at what is due, and how often a loop is chosen by it. */
const LOOK_EVERY = 3;
const USEFUL = 0.85;
const IMPATIENT = 0.7;
const IMPATIENT_MS_MAX = 2 * MINUTE_MS;
/** In the calm at the end everything has its turn in every so manieth round, whether it would find something or not. */
const RARE_ROUNDS = 30;
const QUIET_PAUSE_MS = 61_000;
const QUIET_PAUSE_MS_MAX = 20 * MINUTE_MS;

export interface World {
  readonly scheduler: Scheduler;
  readonly clock: VirtualClock;
  /** Chance of the world itself: who acts, what fails. */
  readonly random: Random;
  readonly network: Network;
  open(service: Service, name: string): Promise<Db>;
  add(plan: ProcessPlan): Promise<void>;
  /** One turn: something is started, delivered, moved on, or breaks. `act`: what people do; called now and then. */
  turn(act: () => void): Promise<void>;
  crash(process: string): Promise<void>;
  /** Faults stop, and everything runs until nothing is left to do, at most `patience_ms` of virtual time. */
  quiet(patience_ms: number): Promise<void>;
  check(moment: 'always' | 'settled' | 'quiet'): Promise<void>;
  /** What the weather was until the calm. */
  readonly weather: Weather;
  /** Errors that nobody plans for: a wrong statement, a broken constraint, a bug of the language kind. */
  readonly surprises: readonly string[];
}

export interface Weather {
  /** How often: `crashed`, `crashed inside` (an open transaction), `leapt` (hours), `leapt days`, and what the network did. */
  readonly counts: Readonly<Record<string, number>>;
  /** By place: how often an actor stayed there while others ran, and how often one died there. */
  readonly places: ReadonlyMap<string, { readonly delayed: number; readonly crashed: number }>;
}

export interface Business {
  /** Something is on its way that time or work will bring on. */
  readonly busy: boolean;
  /** When the next of it falls due. */
  readonly next: Instant | null;
  /** `service/tick`: loops that would find something now. */
  readonly due: readonly string[];
}

export function createWorld(options: WorldOptions): World {
  const { seed, stage, subscriptions, canaries } = options;
  const { database } = stage;
  const faults = { ...FAULTS, ...options.faults };
  const random = seededRandom(seed);
  const surprises: string[] = [];
  const processes = new Map<string, { plan: ProcessPlan; db: Db; random: Random; process: WorldProcess }>();
  const running = new Set<string>();
  const dying = new Set<string>();
  const counts: Record<string, number> = {};
  const places = new Map<string, { delayed: number; crashed: number }>();
  let healed = false;
  let ticks = 0;
  let due: ReadonlySet<string> = new Set();

  const note = (what: string): void => {
    if (!healed) counts[what] = (counts[what] ?? 0) + 1;
  };

  const scheduler = createScheduler({
    random,
    note(what, place) {
      if (healed) return;
      const seen = places.get(place) ?? { delayed: 0, crashed: 0 };
      seen[what]++;
      places.set(place, seen);
    },
    dies_inside(process) {
      if (healed || !processes.has(process) || random.fraction() >= faults.crash_inside) return false;
      dying.add(process);
      note('crashed inside');
      return true;
    },
  });
  const clock = createVirtualClock({ scheduler, start: options.start ?? START });
  const network = createNetwork({ random, subscriptions, faults, note });

  const onError = (error: unknown): void => {
    const words = surprise(error);
    if (words !== null) surprises.push(words);
  };

  async function open(service: Service, name: string): Promise<Db> {
    return scheduler.watch(await stage.open(service, `world ${name}`, scheduler.checkpoints));
  }

  const parts = (db: Db, random: Random): ProcessParts => ({ db, clock, random, network, onError });

  async function add(plan: ProcessPlan): Promise<void> {
    const db = await open(plan.service, plan.name);
    const own = seededRandom(seed * 1_000 + processes.size);
    processes.set(plan.name, { plan, db, random: own, process: await plan.build(parts(db, own)) });
  }

  /** The process is gone with its memory and its open transactions; the next one begins at once. */
  async function crash(name: string): Promise<void> {
    scheduler.crash(name);
    for (const key of running) if (key.startsWith(`${name}/`)) running.delete(key);
    await database.sql(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and application_name = $1 and state like 'idle in transaction%'`,
      [`world ${name}`],
    );
    const dead = processes.get(name);
    if (dead !== undefined) dead.process = await dead.plan.build(parts(dead.db, dead.random));
  }

  /** Starts an actor unless it still runs; what rises from it is told. */
  function start(process: string, name: string, run: () => Promise<unknown>): void {
    const key = `${process}/${name}`;
    if (running.has(key)) return;
    running.add(key);
    scheduler
      .start({ process, name }, run)
      .catch(onError)
      .finally(() => running.delete(key));
  }

  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random.fraction() * list.length)];

  /** By weight, mostly among those that would find something. */
  async function tick(): Promise<void> {
    if (++ticks % LOOK_EVERY === 1) {
      const glance = await options.look(clock.at);
      due = new Set(glance.due);
      // nothing to find: time goes on to where there is, for a while
      if (due.size === 0 && glance.next !== null && random.fraction() < IMPATIENT) {
        clock.advance(Math.min(Math.max(glance.next - clock.at, 0), IMPATIENT_MS_MAX));
        due = new Set((await options.look(clock.at)).due);
      }
    }
    const all = [...processes].flatMap(([name, { plan, process }]) =>
      process.ticks.map((tick) => ({ name, tick, found: due.has(`${plan.service}/${tick.name}`) })),
    );
    const useful = random.fraction() < USEFUL ? all.filter(({ found }) => found) : [];
    const among = useful.length > 0 ? useful : all;
    let rest = random.fraction() * among.reduce((sum, { tick }) => sum + tick.weight, 0);
    const chosen = among.find(({ tick }) => (rest -= tick.weight) < 0);
    if (chosen !== undefined) start(chosen.name, chosen.tick.name, chosen.tick.run);
  }

  function deliver(count: number): void {
    const found = pick([...processes]);
    if (found === undefined) return;
    const [name, { plan, process }] = found;
    if (running.has(`${name}/arrived`)) return;
    const envelopes = network.take(plan.service, count);
    if (envelopes.length > 0) start(name, 'arrived', () => process.arrived(envelopes));
  }

  async function steps(count: number): Promise<boolean> {
    for (let index = 0; index < count; index++) {
      if (!(await scheduler.step())) return false;
      clock.advance(Math.floor(random.fraction() * STEP_MS_MAX));
      for (const name of [...dying]) {
        dying.delete(name);
        await crash(name);
      }
    }
    return true;
  }

  async function turn(act: () => void): Promise<void> {
    const chance = random.fraction();
    if (chance < 0.12) act();
    else if (chance < 0.3) deliver(1 + Math.floor(random.fraction() * 8));
    else if (chance < 0.9) await tick();
    else clock.advance(random.fraction() * (random.fraction() < 0.1 ? 10 * MINUTE_MS : 20 * SECOND_MS));
    if (random.fraction() < faults.leap) {
      const ms = random.fraction() < 0.6 ? random.fraction() * 12 * HOUR_MS : random.fraction() * 4 * DAY_MS;
      clock.advance(ms);
      note(ms < DAY_MS ? 'leapt' : 'leapt days');
    }
    if (random.fraction() < faults.crash) {
      const name = pick([...processes.keys()]);
      if (name !== undefined) {
        note('crashed');
        await crash(name);
      }
    }
    await steps(Math.floor(random.fraction() * 8));
  }

  const siblingsOf = (service: Service): number =>
    [...processes.values()].filter(({ plan }) => plan.service === service).length;

  async function quiet(patience_ms: number): Promise<void> {
    healed = true;
    network.heal();
    const end = clock.at + patience_ms;
    let idle = 0;
    for (let round = 0; ; round++) {
      const { busy, next, due } = await options.look(clock.at);
      const everything = round % RARE_ROUNDS === 0 || idle > 0;
      // siblings take turns: two that find nothing cost as much as one that works
      const awake = [...processes].filter(
        ([, { plan }], index) => siblingsOf(plan.service) === 1 || index % 2 === round % 2,
      );
      for (const [index, [name, { plan, process }]] of awake.entries()) {
        const envelopes = network.take(plan.service, 1_000);
        if (envelopes.length > 0) start(name, 'arrived', () => process.arrived(envelopes));
        for (const tick of process.ticks) {
          // who relays, relays for all
          const found =
            due.includes(`${plan.service}/${tick.name}`) && (tick.name !== 'relay' || index === round % awake.length);
          if (everything || found) start(name, tick.name, tick.run);
        }
      }
      while (await steps(1));
      idle = busy || network.under_way > 0 ? 0 : idle + 1;
      // a last round of everything has found nothing
      if (idle > 2 || clock.at > end) return;
      if (network.under_way > 0 || due.length > 0) continue;
      clock.advance(next === null ? QUIET_PAUSE_MS : Math.min(Math.max(next - clock.at, 1), QUIET_PAUSE_MS_MAX));
    }
  }

  return {
    scheduler,
    clock,
    random,
    network,
    open,
    add,
    turn,
    crash,
    quiet,
    check: (moment) => checkInvariants(database, { now: clock.at, moment, ...(canaries ? { canaries } : {}) }),
    weather: { counts, places },
    surprises,
  };
}

/** A refusal, a lost lease, a broken link are the world's daily weather; these are not. */
function surprise(error: unknown): string | null {
  if (!(error instanceof Error)) return `not an error: ${String(error)}`;
  const bug = error instanceof TypeError || error instanceof ReferenceError || error instanceof SyntaxError;
  const state = sqlState(error);
  // 40xxx: try again; 57P01, 08xxx: the connection was taken away
  const sql = state !== undefined && /^\d{5}$|^\d\dP|^XX|^2/.test(state) && !/^40|^57P0|^08/.test(state);
  return bug || sql ? `${error.name} ${state ?? ''}: ${error.message}\n${error.stack ?? ''}` : null;
}
