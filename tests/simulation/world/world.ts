import { DAY_MS, HOUR_MS, type Instant, instant, MINUTE_MS, SECOND_MS } from '@moorage/domain';
import type { Service } from '@moorage/database';
import type { Envelope } from '@moorage/messaging';
import { type Clock, type Db, type Random, seededRandom, sqlState } from '@moorage/server';
import { lockWaits } from '@moorage/testing/database';
import { checkInvariants } from '@moorage/testing/invariants';
import { createNetwork, type Network, type NetworkFaults } from './network';
import { createScheduler, type Scheduler, type Stay, type Waiting } from './scheduler';
import type { ReusableDatabase } from '@moorage/testing/reusable-database';
import { createVirtualClock, type VirtualClock } from './virtual-clock';

/** Parts of a simulated process. Its database, clock, randomness and transports come from the simulation. */
export interface WorldProcess {
  /** Functions that are called repeatedly, each at most once at a time in a process. */
  readonly ticks: readonly Tick[];
  /** Receives the envelopes that the network delivers to this service. */
  arrived(envelopes: readonly Envelope[]): Promise<void>;
}

export interface Tick {
  readonly name: string;
  /** Relative frequency of turns. A loop that polls every second has a higher weight than an hourly loop. */
  readonly weight: number;
  readonly run: () => Promise<unknown>;
}

export interface ProcessPlan {
  readonly name: string;
  readonly service: Service;
  /** Creates the process, at the start and after every crash. Nothing in memory survives. */
  build(parts: ProcessParts): Promise<WorldProcess>;
}

export interface ProcessParts {
  readonly db: Db;
  /** Clock of this machine, which differs from other clocks by milliseconds or seconds. */
  readonly clock: Clock;
  readonly random: Random;
  readonly network: Network;
  /** Receives the errors of loops, which are examined at the end. */
  readonly onError: (error: unknown) => void;
}

export interface WorldOptions {
  readonly seed: number;
  readonly stage: ReusableDatabase;
  readonly subscriptions: Readonly<Record<string, readonly string[]>>;
  readonly start?: Instant;
  /** Reads the pending work in a single query, in place of thirty polls that find nothing. */
  readonly readState: (now: Instant) => Promise<Business>;
  readonly faults?: Partial<WorldFaults>;
  /** Decides in place of the random choice. */
  readonly stays_inside?: (stay: Stay) => boolean;
  /** Secrets that must not be found anywhere. */
  readonly canaries?: readonly string[];
}

/** Probabilities per turn, and for the network per envelope or batch. */
export interface WorldFaults extends NetworkFaults {
  readonly crash: number;
  /** Probability per place inside an open transaction. */
  readonly crash_inside: number;
  /**
   * Probability per statement of a transaction that holds locks, and before its commit, that the actor stays there
   * while others run.
   */
  readonly inside: number;
  /** Probability that the clock leaps by hours or days. */
  readonly leap: number;
  /** Probability that a clock is set, either that of a process by seconds or the database's back by less. */
  readonly set: number;
}

const FAULTS: WorldFaults = {
  lost: 0.06,
  doubled: 0.12,
  refused: 0.1,
  crash: 0.025,
  crash_inside: 0.06,
  inside: 0.06,
  leap: 0.01,
  set: 0.02,
};
export const takesLocks = ({ sql }: { sql: string }): boolean => LOCKS.test(sql);
const LOCKS = /\bfor (no key )?update\b|^\s*(with\b|insert|update|delete)|advisory/i;
/** Share of turns in which actors that stay inside a transaction do not continue, so that others meet their locks. */
const STAYS = 0.85;
/**
 * Maximum difference between two machines' clocks, and maximum step by which an NTP daemon sets the database's clock
 * back.
 */
const SKEW_MS_MAX = 20 * SECOND_MS;
const STEP_BACK_MS_MAX = 3 * SECOND_MS;
const START = instant('2026-11-30T20:00:00Z');
/** Maximum time between two places that an actor passes. */
const STEP_MS_MAX = 40;
/** Number of turns between two reads of the pending work, and the probability that a loop is chosen according to it. */
const POLL_INTERVAL = 3;
const USEFUL = 0.85;
const IMPATIENT = 0.7;
const IMPATIENT_MS_MAX = 2 * MINUTE_MS;
/** Number of rounds in the quiet phase after which everything has a turn, whether it would find something or not. */
const RARE_ROUNDS = 30;
const QUIET_PAUSE_MS = 61_000;
const QUIET_PAUSE_MS_MAX = 20 * MINUTE_MS;

export interface World {
  readonly scheduler: Scheduler;
  readonly clock: VirtualClock;
  /** Randomness of the simulation itself, which decides the acting process and the faults. */
  readonly random: Random;
  readonly network: Network;
  open(service: Service, name: string): Promise<Db>;
  add(plan: ProcessPlan): Promise<void>;
  /**
   * Runs one turn, in which something is started, delivered, continued, or breaks. `act` performs user actions and is
   * called now and then.
   */
  turn(act: () => void): Promise<void>;
  crash(process: string): Promise<void>;
  /** Replaces every process by a new one, after a failure. */
  calm(): Promise<void>;
  /** Returns the repeated functions of a process. */
  ticksOf(process: string): readonly Tick[];
  /** Runs a process's tick once. Its errors are reported. */
  tick(process: string, name: string): void;
  /**
   * Stops all faults and runs everything until nothing is left to do, at most `patience_ms` milliseconds of virtual
   * time.
   */
  quiet(patience_ms: number): Promise<void>;
  check(moment: 'always' | 'settled' | 'quiet'): Promise<void>;
  /**
   * Counts of faults before the quiet phase, which are `crashed`, `crashed inside` (an open transaction), `leapt`
   * (hours), `leapt days`, and the network faults.
   */
  readonly weather: Readonly<Record<string, number>>;
  /** Unexpected errors, such as an invalid statement, a violated constraint or a bug such as a TypeError. */
  readonly surprises: readonly string[];
}

export interface Business {
  /** True if time or work will cause further changes. */
  readonly busy: boolean;
  /** Time at which the next of them falls due. */
  readonly next: Instant | null;
  /** Loops as `service/tick` that would find something now. */
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
  const skews = new Map<string, number>();
  const weather: Record<string, number> = {};
  let healed = false;
  let ticks = 0;
  let due: ReadonlySet<string> = new Set();

  const note = (what: string): void => {
    if (!healed) weather[what] = (weather[what] ?? 0) + 1;
  };

  const scheduler = createScheduler({
    random,
    lock_waits: () => lockWaits(database),
    stays_inside:
      options.stays_inside ?? (({ sent }) => !healed && sent.some(takesLocks) && random.fraction() < faults.inside),
    note(what, place) {
      if (what === 'deadlock')
        surprises.push(`a deadlock at ${place}: locks were taken in another order than everywhere`);
      if (what === 'inside' || what === 'blocked' || what === 'deadlock') note(what);
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
    return clock.timed(scheduler.watch(await stage.open(service, `world ${name}`, scheduler.checkpoints)));
  }

  const parts = (name: string, db: Db, random: Random): ProcessParts => ({
    db,
    clock: clock.seenBy(() => skews.get(name) ?? 0),
    random,
    network,
    onError,
  });

  async function add(plan: ProcessPlan): Promise<void> {
    const db = await open(plan.service, plan.name);
    const own = seededRandom(seed * 1_000 + processes.size);
    processes.set(plan.name, { plan, db, random: own, process: await plan.build(parts(plan.name, db, own)) });
  }

  /** Ends a process with its memory and its open transactions, and starts a new one immediately. */
  async function crash(name: string): Promise<void> {
    await scheduler.settle();
    scheduler.crash(name);
    for (const key of running) if (key.startsWith(`${name}/`)) running.delete(key);
    await database.sql(
      // Sessions are found first and then terminated, because the end of a session passes its lock to the next.
      `select pg_terminate_backend(pid, 5000) from unnest(array(
         select a.pid from pg_stat_activity a where a.datname = current_database() and a.application_name = $1
           and (a.state like 'idle in transaction%' or exists (select 1 from pg_locks l where l.pid = a.pid and not l.granted)))) pid`,
      [`world ${name}`],
    );
    const dead = processes.get(name);
    if (dead !== undefined) dead.process = await dead.plan.build(parts(name, dead.db, dead.random));
  }

  /** Sets the clock of a random machine. */
  function setClock(): void {
    const name = pick([...processes.keys()]);
    if (name === undefined || random.fraction() < 0.3) {
      note('stepped back');
      return clock.stepBack(random.fraction() * STEP_BACK_MS_MAX);
    }
    note('skewed');
    skews.set(name, Math.round((random.fraction() * 2 - 1) * SKEW_MS_MAX));
  }

  /** Starts an actor unless it is still running. Its errors are reported. */
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

  /** Runs a random tick by weight, mostly among those that would find something. */
  async function tick(): Promise<void> {
    if (++ticks % POLL_INTERVAL === 1) {
      const glance = await options.readState(clock.at);
      due = new Set(glance.due);
      // Nothing to find, so time advances towards the next due work, within limits.
      if (due.size === 0 && glance.next !== null && random.fraction() < IMPATIENT) {
        clock.advance(Math.min(Math.max(glance.next - clock.at, 0), IMPATIENT_MS_MAX));
        due = new Set((await options.readState(clock.at)).due);
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

  async function steps(count: number, of?: (waiting: Waiting) => boolean): Promise<boolean> {
    for (let index = 0; index < count; index++) {
      if (!(await scheduler.step(of))) return false;
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
    if (random.fraction() < faults.set) setClock();
    if (random.fraction() < faults.crash) {
      const name = pick([...processes.keys()]);
      if (name !== undefined) {
        note('crashed');
        await crash(name);
      }
    }
    const free = random.fraction() < STAYS ? ({ inside }: Waiting) => inside !== true : undefined;
    await steps(Math.floor(random.fraction() * 8), free);
  }

  async function holders(): Promise<string> {
    const sessions = await database.sql(
      `select application_name, state, left(query, 200) as query, pg_blocking_pids(pid) as blocked_by, pid from pg_stat_activity
       where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
    );
    return [...scheduler.blocked, ...sessions].map((line) => JSON.stringify(line)).join('\n');
  }

  const siblingsOf = (service: Service): number =>
    [...processes.values()].filter(({ plan }) => plan.service === service).length;

  async function quiet(patience_ms: number): Promise<void> {
    healed = true;
    network.heal();
    const end = clock.at + patience_ms;
    let idle = 0;
    for (let round = 0; ; round++) {
      const { busy, next, due } = await options.readState(clock.at);
      const everything = round % RARE_ROUNDS === 0 || idle > 0;
      // Processes of one service take turns, because two that find nothing cost as much as one that works.
      const awake = [...processes].filter(
        ([, { plan }], index) => siblingsOf(plan.service) === 1 || index % 2 === round % 2,
      );
      for (const [index, [name, { plan, process }]] of awake.entries()) {
        const envelopes = network.take(plan.service, 1_000);
        if (envelopes.length > 0) start(name, 'arrived', () => process.arrived(envelopes));
        for (const tick of process.ticks) {
          // A single relay is enough for all.
          const found =
            due.includes(`${plan.service}/${tick.name}`) && (tick.name !== 'relay' || index === round % awake.length);
          if (everything || found) start(name, tick.name, tick.run);
        }
      }
      while (await steps(1));
      idle = busy || network.under_way > 0 ? 0 : idle + 1;
      if (scheduler.blocked.length > 0) throw new Error(`in the calm somebody waits for a lock\n${await holders()}`);
      // A last round of everything has found nothing.
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
    ticksOf: (name) => processes.get(name)?.process.ticks ?? [],
    async calm() {
      for (const name of processes.keys()) await crash(name);
    },
    tick(name, tick) {
      const found = processes.get(name)?.process.ticks.find((one) => one.name === tick);
      if (found === undefined) throw new Error(`${name} has no ${tick}`);
      start(name, tick, found.run);
    },
    quiet,
    check: (moment) => checkInvariants(database, { now: clock.at, moment, ...(canaries ? { canaries } : {}) }),
    weather,
    surprises,
  };
}

/**
 * Returns a description of an unexpected error, or null for refusals, lost leases and broken connections, which are
 * normal in a simulation.
 */
function surprise(error: unknown): string | null {
  if (!(error instanceof Error)) return `not an error: ${String(error)}`;
  const bug = error instanceof TypeError || error instanceof ReferenceError || error instanceof SyntaxError;
  const state = sqlState(error);
  // 40xxx: to be retried. 57P01 and 08xxx: the connection was terminated.
  const sql = state !== undefined && /^\d{5}$|^\d\dP|^XX|^2/.test(state) && !/^40|^57P0|^08/.test(state);
  return bug || sql ? `${error.name} ${state ?? ''}: ${error.message}\n${error.stack ?? ''}` : null;
}
