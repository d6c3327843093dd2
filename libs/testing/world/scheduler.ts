import { AsyncLocalStorage } from 'node:async_hooks';
import { type Checkpoints, type Db, type Random, sqlState, type Tx } from '@moorage/server';
import { type Asked, asking } from '../database';

/**
 * One actor runs at a time. An actor is an async function that gives way at every checkpoint and outside call; who goes on
 * is drawn from the seed, so the same seed is the same history. A process is a group of actors that crash together.
 *
 * An actor may also be left inside an open transaction, holding its locks, while others run. One that runs into such a lock
 * waits for it in the database, as it would in production; it goes on, when it is drawn, after the holder has ended.
 */
export interface Scheduler {
  /** Starts an actor; it first runs when it is drawn. Settles when the actor ends, never when it is crashed. */
  start<T>(actor: { readonly process: string; readonly name: string }, run: () => Promise<T>): Promise<T>;
  /** The running actor gives way. Outside of any actor (set-up, the test's own look): goes on at once. */
  pause(place: string): Promise<void>;
  /** The running actor's branch stops until `wake` is called; then it waits like any other to be drawn. `forget`: it went on otherwise. */
  suspend(place: string): { readonly woken: Promise<void>; readonly wake: () => void; readonly forget: () => void };
  /** Lets one drawn actor run until it gives way, waits for a lock, or ends; false when none is waiting. `of`: drawn among these. */
  step(of?: (waiting: Waiting) => boolean): Promise<boolean>;
  /** Until each statement that waited for a lock has either got it or waits for somebody who stands still. */
  settle(): Promise<void>;
  /** Steps until nobody waits, at most `steps_max`; false when some still do. */
  drain(steps_max: number): Promise<boolean>;
  /** Drops every actor of the process where it is: it never goes on. Returns the places. */
  crash(process: string): string[];
  /** The checkpoints of a process's database, and that database with its transactions counted as work under way. */
  readonly checkpoints: Checkpoints;
  watch(db: Db): Db;
  /** What the running actor does outside of databases that takes real time: a file. Nobody else goes on meanwhile. */
  atWork<T>(run: () => Promise<T>): Promise<T>;
  readonly waiting: readonly Waiting[];
  /** Who waits for a lock. */
  readonly blocked: readonly Waiting[];
  /** What happened, newest last: `process/actor place`. */
  readonly history: readonly string[];
}

export interface Waiting {
  readonly process: string;
  readonly name: string;
  readonly place: string;
  /** It stays inside an open transaction. */
  readonly inside?: true;
}

/** Where an actor may be left inside a transaction. */
export interface Stay {
  readonly process: string;
  readonly name: string;
  /** The transaction's name. */
  readonly tx: string;
  /** Its next statement; null: the commit is next. */
  readonly next: string | null;
  /** What it has sent so far. */
  readonly sent: readonly { readonly sql: string; readonly params: readonly unknown[] }[];
}

interface Actor {
  readonly process: string;
  readonly name: string;
  crashed: boolean;
  /** Has a branch of it given way (or ended) since it was last resumed? */
  gave_way: boolean;
  /** Transactions under way: while there are any, the actor still runs, whatever its other branches wait for. */
  busy: number;
  /** Transactions that are open: at a checkpoint in one of them the actor goes on at once. */
  inside: number;
  changed: () => void;
}

/** A statement of an open transaction on its way: `asked.pid` is the session that carries it. */
interface Statement {
  readonly actor: Actor;
  readonly place: string;
  readonly asked: Asked;
  /** It waits for a lock, and others run meanwhile. */
  blocked: boolean;
  /** Its answer came after it was blocked: its actor is about to wait for its turn. */
  answered?: () => void;
}

interface Waiter extends Waiting {
  /** The step after which it began to wait. */
  readonly since: number;
  readonly actor: Actor;
  readonly resume: () => void;
  /** It slept, as a side branch that may well have nothing more to do. */
  readonly slept?: true;
}

const HISTORY_MAX = 50_000;
/** Turns of the event loop without a change after which an actor that gave way has nothing more to do. */
const CALM_TURNS = 2;
/**
 * The same for one that did not: milliseconds without a change, and turns after them. Long enough for what no statement
 * tells of (a request that is parsed, a password that is hashed), also on a machine that is busy: taken for silence, it
 * would let others run at a moment that a replay of the seed does not repeat. It is rare.
 */
const SILENT_MS = 150;
const SILENT_TURNS = 20;
/** A statement that takes longer may wait for a lock: the database is asked, so often. */
const LOCK_LOOK_MS = 6;

export interface SchedulerOptions {
  readonly random: Random;
  /** Asked at every place inside an open transaction, where nobody gives way: true crashes the process there. */
  readonly dies_inside?: (process: string, place: string) => boolean;
  /** Asked before each statement of an open transaction and before its commit: true leaves the actor there while others run. */
  readonly stays_inside?: (stay: Stay) => boolean;
  /** The sessions that wait for a lock of somebody who stands still (`lockWaits`); none: nobody ever waits for one. */
  readonly lock_waits?: () => Promise<ReadonlySet<number>>;
  /** Told of each place where an actor stayed while others ran, or inside a transaction, or waited for a lock, and where one was crashed. */
  readonly note?: (what: 'delayed' | 'inside' | 'blocked' | 'deadlock' | 'crashed', place: string) => void;
  /** Real milliseconds an actor may run without giving way: then it waits for something only another actor can give. */
  readonly patience_ms?: number;
}

export function createScheduler({
  random,
  dies_inside,
  stays_inside = () => false,
  lock_waits,
  note: tell = () => undefined,
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
    // a crashed actor has nothing to say any more: it stays where it is
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
      // it works on something; or a side branch of it has ended without a word, which shows only in that nothing happens
      const looks = actor.busy > 0 && lock_waits !== undefined;
      const patience = looks ? LOCK_LOOK_MS : actor.busy > 0 ? deadline - performance.now() : SILENT_MS;
      const waited = await changeWithin(patience, (call) => (changed = call));
      if (waited || changes !== before) continue;
      if (looks && (await blocks(actor))) continue;
      if (actor.busy === 0) {
        await turns(SILENT_TURNS);
        if (changes === before && actor.busy === 0) return;
      }
      if (performance.now() > deadline) {
        throw new Error(`${process}/${name} did not give way after "${place}" for ${patience_ms} ms`);
      }
    }
  }

  /** Notes which statements of the actor wait for a lock of somebody who stands still; true when there are new ones. */
  async function blocks(actor: Actor): Promise<boolean> {
    const own = [...statements].filter((statement) => statement.actor === actor && !statement.blocked);
    if (own.length === 0) return false;
    const waits = (await lock_waits?.()) ?? new Set();
    const found = own.filter((statement) => statements.has(statement) && waits.has(statement.asked.pid ?? NaN));
    for (const statement of found) {
      statement.blocked = true;
      note(`${actor.process}/${actor.name} waits for a lock at ${statement.place}`);
      tell('blocked', statement.place);
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
      if (open.every(({ asked }) => waits.has(asked.pid ?? NaN))) break;
      if (performance.now() > deadline) {
        throw new Error(`${open.map(({ place }) => place).join(', ')} neither got its lock nor waits for one`);
      }
    }
    // in an order that does not depend on whose answer was the faster
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
    if (++steps - waiter.since > 1) tell('delayed', waiter.place);
    await run(waiter);
    return true;
  }

  async function pause(place: string): Promise<void> {
    const actor = current.getStore();
    if (actor === undefined) return;
    if (actor.inside === 0) return wait(actor, place);
    if (dies_inside?.(actor.process, place) !== true) return;
    actor.crashed = true;
    tell('crashed', place);
    crash(actor.process, [`${actor.name} ${place}`]);
    actor.busy = 0;
    actor.gave_way = true;
    actor.changed();
    await new Promise(() => undefined);
  }

  function crash(process: string, places: string[] = []): string[] {
    const drop = (actor: Actor, place: string): void => {
      actor.crashed = true;
      tell('crashed', place);
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

  /** Leaves the actor inside its transaction, when it is so. */
  async function stay({
    actor,
    settleIn,
    ...where
  }: Omit<Stay, 'process' | 'name'> & { actor: Actor; settleIn: () => Promise<void> }): Promise<void> {
    if (actor.crashed) return never();
    if (!stays_inside({ process: actor.process, name: actor.name, ...where })) return;
    const place = where.next === null ? `${where.tx} before commit` : `in ${where.tx}`;
    tell('inside', place);
    await settleIn();
    actor.busy--;
    await wait(actor, place, { inside: true });
    actor.busy++;
  }

  /** Sends a statement; when it had to wait for a lock its actor goes on only when it is drawn. */
  async function send<T>(actor: Actor, place: string, ask: () => Promise<T>): Promise<T> {
    const statement: Statement = { actor, place, asked: { pid: null }, blocked: false };
    statements.add(statement);
    const answer = await asking.run(statement.asked, ask).then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error;
      },
    );
    if (sqlStateOf(answer) === '40P01') tell('deadlock', place);
    if (actor.crashed) return never();
    if (statement.blocked) await untilDrawn(statement);
    else statements.delete(statement);
    return answer();
  }

  /** Its lock came: it waits for its turn, in an order that `settle` decides. */
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
    /** However slow the machine is, the database does not end a transaction that others are let past. */
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
        // in an open transaction the actor goes on at once, so it still works
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
