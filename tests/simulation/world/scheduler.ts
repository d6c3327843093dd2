import { AsyncLocalStorage } from 'node:async_hooks';
import { type Checkpoints, type Db, type Random, sqlState, type Tx } from '@moorage/server';
import { type Requested, asking } from '@moorage/testing/database';

/**
 * Runs one actor at a time. An actor is an async function that yields at every checkpoint and external call. The seed
 * decides which actor continues, so the same seed gives the same history. A process is a group of actors that crash
 * together.
 *
 * An actor may also be paused inside an open transaction, holding its locks, while others run. An actor that needs such
 * a lock waits for it in the database, as in production. After the holder has ended, it continues when it is drawn.
 */
export interface Scheduler {
  /** Starts an actor, which first runs when it is drawn. Settles when the actor ends, and never if it is crashed. */
  start<T>(actor: { readonly process: string; readonly name: string }, run: () => Promise<T>): Promise<T>;
  /** Makes the running actor yield. Outside of any actor (set-up, checks of the test) it continues immediately. */
  pause(place: string): Promise<void>;
  /**
   * Suspends the running actor's branch until `wake` is called. It then waits to be drawn like any other. `forget` is
   * for a branch that continued in another way.
   */
  suspend(place: string): { readonly woken: Promise<void>; readonly wake: () => void; readonly forget: () => void };
  /**
   * Lets a drawn actor run until it yields, waits for a lock, or ends. `of` restricts the draw.
   *
   * @returns False when no actor is waiting.
   */
  step(of?: (waiting: Waiting) => boolean): Promise<boolean>;
  /** Waits until each statement that waited for a lock has acquired it or waits for a paused actor. */
  settle(): Promise<void>;
  /**
   * Runs steps until no actor is waiting.
   *
   * @param steps_max Maximum number of steps.
   * @returns False when some actors are still waiting.
   */
  drain(steps_max: number): Promise<boolean>;
  /** Stops every actor of the process for good at its current place. Returns the places. */
  crash(process: string): string[];
  /** Checkpoints of a process's database. `watch` counts the transactions of a database as work in progress. */
  readonly checkpoints: Checkpoints;
  watch(db: Db): Db;
  /**
   * Runs something outside of databases that takes real time, such as file access. No other actor continues meanwhile.
   */
  atWork<T>(run: () => Promise<T>): Promise<T>;
  readonly waiting: readonly Waiting[];
  /** Actors waiting for a lock. */
  readonly blocked: readonly Waiting[];
  /** Events as `process/actor place`, newest last. */
  readonly history: readonly string[];
}

export interface Waiting {
  readonly process: string;
  readonly name: string;
  readonly place: string;
  /** True while the actor stays inside an open transaction. */
  readonly inside?: true;
}

/** Place where an actor may stay inside a transaction. */
export interface Stay {
  readonly process: string;
  readonly name: string;
  /** Name of the transaction. */
  readonly tx: string;
  /** Next statement, or null if the commit is next. */
  readonly next: string | null;
  /** Statements sent so far. */
  readonly sent: readonly { readonly sql: string; readonly params: readonly unknown[] }[];
}

interface Actor {
  readonly process: string;
  readonly name: string;
  crashed: boolean;
  /** True if a branch has yielded (or ended) since the actor was last resumed. */
  gave_way: boolean;
  /**
   * Number of transactions in progress. While there are any, the actor counts as running, even if its other branches
   * wait.
   */
  busy: number;
  /** Number of open transactions. At a checkpoint inside a transaction the actor continues immediately. */
  inside: number;
  changed: () => void;
}

/** A statement of an open transaction in progress. `asked.pid` is its session. */
interface Statement {
  readonly actor: Actor;
  readonly place: string;
  readonly requested: Requested;
  /** True while the statement waits for a lock and others run. */
  blocked: boolean;
  /** Set when the result arrived after the statement was blocked, so its actor is about to wait for its turn. */
  answered?: () => void;
}

interface Waiter extends Waiting {
  /** Step after which it began to wait. */
  readonly since: number;
  readonly actor: Actor;
  readonly resume: () => void;
  /** True if it slept, as a side branch that may have nothing more to do. */
  readonly slept?: true;
}

const HISTORY_MAX = 50_000;
/** Number of turns of the event loop without a change after which an actor that yielded has nothing more to do. */
const CALM_TURNS = 2;
/**
 * Milliseconds without a change, and turns after them, after which an actor that did not yield has nothing more to do.
 * This is long enough, even on a busy machine, for work without statements (parsing a request, hashing a password). If
 * such work were taken for silence, others would run at a moment that a replay of the seed does not repeat. The case is
 * rare.
 */
const SILENT_MS = 150;
const SILENT_TURNS = 20;
/** Time in milliseconds after which a statement may be waiting for a lock, and interval of checks in the database. */
const LOCK_POLL_MS = 6;

export interface SchedulerOptions {
  readonly random: Random;
  /** Called at every place inside an open transaction, where no actor yields. True crashes the process there. */
  readonly dies_inside?: (process: string, place: string) => boolean;
  /**
   * Called before each statement of an open transaction and before its commit. True keeps the actor there while others
   * run.
   */
  readonly stays_inside?: (stay: Stay) => boolean;
  /**
   * Returns the sessions that wait for a lock of a paused actor (`lockWaits`). Without it, no actor ever waits for a
   * lock.
   */
  readonly lock_waits?: () => Promise<ReadonlySet<number>>;
  /**
   * Called for each place where an actor stayed while others ran, stayed inside a transaction, waited for a lock, or
   * was crashed.
   */
  readonly note?: (what: 'delayed' | 'inside' | 'blocked' | 'deadlock' | 'crashed', place: string) => void;
  /**
   * Maximum real time in milliseconds that an actor may run without yielding. Beyond it the actor waits for something
   * that only another actor can provide.
   */
  readonly patience_ms?: number;
}

export function createScheduler({
  random,
  dies_inside,
  stays_inside = () => false,
  lock_waits,
  note: report = () => undefined,
  patience_ms = 20_000,
}: SchedulerOptions): Scheduler {
  const current = new AsyncLocalStorage<Actor>();
  const waiters: Waiter[] = [];
  const suspended = new Set<{ readonly actor: Actor; readonly place: string }>();
  const statements = new Set<Statement>();
  const history: string[] = [];
  let steps = 0;
  const note = (line: string): void => {
    if (history.length < HISTORY_MAX) history.push(line);
  };

  function wait(actor: Actor, place: string, how: Pick<Waiting, 'inside'> = {}): Promise<void> {
    // A crashed actor has no effect any more and stays where it is.
    if (actor.crashed) return new Promise(() => undefined);
    return new Promise((resume) => {
      waiters.push({ actor, process: actor.process, name: actor.name, place, resume, since: steps, ...how });
      actor.gave_way = true;
      actor.changed();
    });
  }

  async function run({ actor, process, name, place, resume, slept }: Waiter): Promise<void> {
    note(`${process}/${name} ${place}`);
    actor.gave_way = false;
    let changes = 0;
    let changed: (() => void) | undefined;
    actor.changed = () => {
      changes++;
      changed?.();
    };
    const deadline = performance.now() + patience_ms;
    resume();
    for (;;) {
      const before = changes;
      await turns(CALM_TURNS);
      if (changes !== before) continue;
      if (actor.gave_way && actor.busy === 0) return;
      if (slept === true && actor.busy === 0) {
        await turns(SILENT_TURNS);
        if (changes === before && actor.busy === 0) return;
        continue;
      }
      // Either the actor is working, or a side branch of it has ended unnoticed, which shows only by inactivity.
      const checks = actor.busy > 0 && lock_waits !== undefined;
      const patience = checks ? LOCK_POLL_MS : actor.busy > 0 ? deadline - performance.now() : SILENT_MS;
      const waited = await changeWithin(patience, (call) => (changed = call));
      if (waited || changes !== before) continue;
      if (checks && (await blocks(actor))) continue;
      if (actor.busy === 0) {
        await turns(SILENT_TURNS);
        if (changes === before && actor.busy === 0) return;
      }
      if (performance.now() > deadline) {
        throw new Error(`${process}/${name} did not give way after "${place}" for ${patience_ms} ms`);
      }
    }
  }

  /** Finds statements of the actor that wait for a lock of a paused actor. Returns true if there are new ones. */
  async function blocks(actor: Actor): Promise<boolean> {
    const own = [...statements].filter((statement) => statement.actor === actor && !statement.blocked);
    if (own.length === 0) return false;
    const waits = (await lock_waits?.()) ?? new Set();
    const found = own.filter((statement) => statements.has(statement) && waits.has(statement.requested.pid ?? NaN));
    for (const statement of found) {
      statement.blocked = true;
      note(`${actor.process}/${actor.name} waits for a lock at ${statement.place}`);
      report('blocked', statement.place);
      actor.busy--;
      actor.gave_way = true;
    }
    if (found.length > 0) actor.changed();
    return found.length > 0;
  }

  async function settle(): Promise<void> {
    const blocked = (): Statement[] => [...statements].filter((statement) => statement.blocked);
    const deadline = performance.now() + patience_ms;
    while (blocked().length > 0) {
      const waits = (await lock_waits?.()) ?? new Set();
      await turns(CALM_TURNS);
      const open = blocked().filter(({ answered }) => answered === undefined);
      if (open.every(({ requested }) => waits.has(requested.pid ?? NaN))) break;
      if (performance.now() > deadline) {
        throw new Error(`${open.map(({ place }) => place).join(', ')} neither got its lock nor waits for one`);
      }
    }
    // In an order that does not depend on which result came first.
    const answered = blocked().filter((statement) => statement.answered !== undefined);
    for (const statement of answered.sort((a, b) => keyOf(a).localeCompare(keyOf(b)))) {
      statements.delete(statement);
      statement.answered?.();
    }
  }

  async function step(of: (waiting: Waiting) => boolean = () => true): Promise<boolean> {
    await settle();
    const drawn = waiters.filter(of);
    const waiter = drawn[Math.floor(random.fraction() * drawn.length)];
    if (waiter === undefined) return false;
    waiters.splice(waiters.indexOf(waiter), 1);
    if (++steps - waiter.since > 1) report('delayed', waiter.place);
    await run(waiter);
    return true;
  }

  async function pause(place: string): Promise<void> {
    const actor = current.getStore();
    if (actor === undefined) return;
    if (actor.inside === 0) return wait(actor, place);
    if (dies_inside?.(actor.process, place) !== true) return;
    actor.crashed = true;
    report('crashed', place);
    crash(actor.process, [`${actor.name} ${place}`]);
    actor.busy = 0;
    actor.gave_way = true;
    actor.changed();
    await new Promise(() => undefined);
  }

  function crash(process: string, places: string[] = []): string[] {
    const drop = (actor: Actor, place: string): void => {
      actor.crashed = true;
      report('crashed', place);
      places.push(`${actor.name} ${place}`);
    };
    for (const waiter of waiters.filter((waiter) => waiter.process === process)) {
      drop(waiter.actor, waiter.place);
      waiters.splice(waiters.indexOf(waiter), 1);
    }
    for (const branch of suspended) {
      if (branch.actor.process !== process) continue;
      drop(branch.actor, branch.place);
      suspended.delete(branch);
    }
    for (const statement of statements) {
      if (statement.actor.process !== process) continue;
      drop(statement.actor, statement.place);
      statements.delete(statement);
    }
    note(`${process} CRASHED at ${places.join(', ')}`);
    return places;
  }

  const work = (by: number): void => {
    const actor = current.getStore();
    if (actor === undefined) return;
    actor.busy += by;
    if (actor.busy === 0) actor.changed();
  };

  async function atWork<T>(actor: Actor, run: () => Promise<T>): Promise<T> {
    actor.busy++;
    try {
      return await run();
    } finally {
      actor.busy--;
      if (actor.busy === 0) actor.changed();
    }
  }

  /** Keeps the actor inside its transaction if `stays_inside` decides so. */
  async function stay({
    actor,
    settleIn,
    ...where
  }: Omit<Stay, 'process' | 'name'> & { actor: Actor; settleIn: () => Promise<void> }): Promise<void> {
    if (actor.crashed) return never();
    if (!stays_inside({ process: actor.process, name: actor.name, ...where })) return;
    const place = where.next === null ? `${where.tx} before commit` : `in ${where.tx}`;
    report('inside', place);
    await settleIn();
    actor.busy--;
    await wait(actor, place, { inside: true });
    actor.busy++;
  }

  /** Sends a statement. If it had to wait for a lock, its actor continues only when it is drawn. */
  async function send<T>(actor: Actor, place: string, attempt: () => Promise<T>): Promise<T> {
    const statement: Statement = { actor, place, requested: { pid: null }, blocked: false };
    statements.add(statement);
    const answer = await asking.run(statement.requested, attempt).then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error;
      },
    );
    if (sqlStateOf(answer) === '40P01') report('deadlock', place);
    if (actor.crashed) return never();
    if (statement.blocked) await untilDrawn(statement);
    else statements.delete(statement);
    return answer();
  }

  /** Waits for the actor's turn after it acquired its lock, in an order that `settle` decides. */
  function untilDrawn(statement: Statement): Promise<void> {
    const { actor, place } = statement;
    return new Promise((resolve) => {
      statement.answered = () => {
        const resume = (): void => {
          actor.busy++;
          resolve();
        };
        waiters.push({ actor, process: actor.process, name: actor.name, place, resume, since: steps });
      };
    });
  }

  function stepwise(actor: Actor, tx: Tx): { tx: Tx; readonly beforeCommit: () => Promise<void> } {
    const sent: { sql: string; params: readonly unknown[] }[] = [];
    /** Disables the idle time-out, so that even on a slow machine the database does not end a paused transaction. */
    const settleIn = async (): Promise<void> => {
      await tx.execute('set local idle_in_transaction_session_timeout = 0');
    };
    const before = async (next: string | null, params: readonly unknown[] = []): Promise<void> => {
      await stay({ actor, tx: tx.name, next, sent, settleIn });
      if (next !== null) sent.push({ sql: next, params });
    };
    const place = `in ${tx.name}`;
    return {
      beforeCommit: () => before(null),
      tx: {
        ...tx,
        async query(sql, params) {
          await before(sql, params);
          return send(actor, place, () => tx.query(sql, params));
        },
        async execute(sql, params) {
          await before(sql, params);
          return send(actor, place, () => tx.execute(sql, params));
        },
      },
    };
  }

  return {
    start({ process, name }, act) {
      const actor: Actor = {
        process,
        name,
        crashed: false,
        gave_way: false,
        busy: 0,
        inside: 0,
        changed: () => undefined,
      };
      return new Promise((resolve, reject) => {
        const ended = (settle: () => void): void => {
          if (!actor.crashed) settle();
          actor.gave_way = true;
          actor.changed();
        };
        void current.run(actor, async () => {
          try {
            await wait(actor, 'start');
            const value = await act();
            ended(() => resolve(value));
          } catch (error) {
            ended(() => reject(error instanceof Error ? error : new Error(String(error))));
          }
        });
      });
    },

    pause,

    suspend(place) {
      const actor = current.getStore();
      let resume = (): void => undefined;
      const woken = new Promise<void>((resolve) => (resume = resolve));
      if (actor === undefined) return { woken, wake: resume, forget: () => undefined };
      const branch = { actor, place };
      const waiter: Waiter = {
        actor,
        process: actor.process,
        name: actor.name,
        place,
        resume,
        since: steps,
        slept: true,
      };
      suspended.add(branch);
      actor.gave_way = true;
      actor.changed();
      return {
        woken,
        wake: () => {
          if (suspended.delete(branch) && !actor.crashed) waiters.push(waiter);
        },
        forget: () => {
          suspended.delete(branch);
          if (waiters.includes(waiter)) waiters.splice(waiters.indexOf(waiter), 1);
        },
      };
    },

    step,
    settle,

    async drain(steps_max) {
      for (let steps = 0; steps < steps_max; steps++) if (!(await step())) return true;
      return waiters.length === 0;
    },

    crash: (process) => crash(process),

    checkpoints: {
      async at(name) {
        // In an open transaction the actor continues immediately, so it is still working.
        const inside = (current.getStore()?.inside ?? 0) > 0;
        if (!inside) work(-1);
        await pause(name);
        if (!inside) work(+1);
      },
    },

    watch: (db) => ({
      ...db,
      tx(name, fn) {
        const actor = current.getStore();
        if (actor === undefined) return db.tx(name, fn);
        return atWork(actor, () =>
          db.tx(name, async (tx) => {
            actor.inside++;
            try {
              const { tx: seen, beforeCommit } = stepwise(actor, tx);
              const value = await fn(seen);
              await beforeCommit();
              return value;
            } finally {
              actor.inside--;
            }
          }),
        );
      },
      read(name, fn) {
        const actor = current.getStore();
        return actor === undefined ? db.read(name, fn) : atWork(actor, () => db.read(name, fn));
      },
    }),

    atWork(run) {
      const actor = current.getStore();
      return actor === undefined ? run() : atWork(actor, run);
    },

    get waiting() {
      return waiters.map(({ process, name, place, inside }) => ({
        process,
        name,
        place,
        ...(inside ? { inside } : {}),
      }));
    },
    get blocked() {
      return [...statements]
        .filter(({ blocked, answered }) => blocked && answered === undefined)
        .map(({ actor: { process, name }, place }) => ({ process, name, place }));
    },
    history,
  };
}

const never = (): Promise<never> => new Promise(() => undefined);

const keyOf = ({ actor, place }: Statement): string => `${actor.process}/${actor.name} ${place}`;

function sqlStateOf(answer: () => unknown): string | undefined {
  try {
    answer();
    return undefined;
  } catch (error) {
    return sqlState(error);
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function changeWithin(ms: number, listen: (call: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), Math.max(1, ms));
    listen(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
