import { AsyncLocalStorage } from 'node:async_hooks';
import type { Checkpoints, Db, Random } from '@moorage/server';

/**
 * One actor runs at a time. An actor is an async function that gives way at every checkpoint and outside call; who goes on
 * is drawn from the seed, so the same seed is the same history. A process is a group of actors that crash together.
 */
export interface Scheduler {
  /** Starts an actor; it first runs when it is drawn. Settles when the actor ends, never when it is crashed. */
  start<T>(actor: { readonly process: string; readonly name: string }, run: () => Promise<T>): Promise<T>;
  /** The running actor gives way. Outside of any actor (set-up, the test's own look): goes on at once. */
  pause(place: string): Promise<void>;
  /** The running actor's branch stops until `wake` is called; then it waits like any other to be drawn. `forget`: it went on otherwise. */
  suspend(place: string): { readonly woken: Promise<void>; wake(): void; forget(): void };
  /** Lets one drawn actor run until it gives way or ends; false when none is waiting. */
  step(): Promise<boolean>;
  /** Steps until nobody waits, at most `steps_max`; false when some still do. */
  drain(steps_max: number): Promise<boolean>;
  /** Drops every actor of the process where it is: it never goes on. Returns the places. */
  crash(process: string): string[];
  /** The checkpoints of a process's database, and that database with its transactions counted as work under way. */
  readonly checkpoints: Checkpoints;
  watch(db: Db): Db;
  readonly waiting: readonly Waiting[];
  /** What happened, newest last: `process/actor place`. */
  readonly history: readonly string[];
}

export interface Waiting {
  readonly process: string;
  readonly name: string;
  readonly place: string;
}

interface Actor {
  readonly process: string;
  readonly name: string;
  crashed: boolean;
  /** Has a branch of it given way (or ended) since it was last resumed? */
  gave_way: boolean;
  /** Transactions under way: while there are any, the actor still runs, whatever its other branches wait for. */
  busy: number;
  /** Transactions that are open: they hold locks, so nobody gives way in them. */
  inside: number;
  changed: () => void;
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
/** The same for one that did not: milliseconds without a change, and turns after them. */
const SILENT_MS = 15;
const SILENT_TURNS = 20;

export interface SchedulerOptions {
  readonly random: Random;
  /** Asked at every place inside an open transaction, where nobody gives way: true crashes the process there. */
  readonly dies_inside?: (process: string, place: string) => boolean;
  /** Told of each place where an actor stayed while others ran, and where one was crashed. */
  readonly note?: (what: 'delayed' | 'crashed', place: string) => void;
  /** Real milliseconds an actor may run without giving way: then it waits for something only another actor can give. */
  readonly patience_ms?: number;
}

export function createScheduler({
  random,
  dies_inside,
  note: tell = () => undefined,
  patience_ms = 20_000,
}: SchedulerOptions): Scheduler {
  const current = new AsyncLocalStorage<Actor>();
  const waiters: Waiter[] = [];
  const suspended = new Set<{ readonly actor: Actor; readonly place: string }>();
  const history: string[] = [];
  let steps = 0;
  const note = (line: string): void => {
    if (history.length < HISTORY_MAX) history.push(line);
  };

  function wait(actor: Actor, place: string): Promise<void> {
    // a crashed actor has nothing to say any more: it stays where it is
    if (actor.crashed) return new Promise(() => undefined);
    return new Promise((resume) => {
      waiters.push({ actor, process: actor.process, name: actor.name, place, resume, since: steps });
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
      const waited = await changeWithin(
        actor.busy > 0 ? deadline - performance.now() : SILENT_MS,
        (call) => (changed = call),
      );
      if (waited || changes !== before) continue;
      if (actor.busy === 0) {
        await turns(SILENT_TURNS);
        if (changes === before && actor.busy === 0) return;
      }
      if (performance.now() > deadline) {
        throw new Error(`${process}/${name} did not give way after "${place}" for ${patience_ms} ms`);
      }
    }
  }

  async function step(): Promise<boolean> {
    if (waiters.length === 0) return false;
    const [waiter] = waiters.splice(Math.floor(random.fraction() * waiters.length), 1);
    if (waiter === undefined) return false;
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
    note(`${process} CRASHED at ${places.join(', ')}`);
    return places;
  }

  const work = (by: number): void => {
    const actor = current.getStore();
    if (actor === undefined) return;
    actor.busy += by;
    if (actor.busy === 0) actor.changed();
  };

  /** Counts the actor as working while `run` does, and as inside a transaction while what `inside` wraps does. */
  async function atWork<T>(
    run: (inside: <A>(fn: (reach: A) => Promise<T>) => (reach: A) => Promise<T>) => Promise<T>,
  ): Promise<T> {
    const actor = current.getStore();
    if (actor === undefined) return run((fn) => fn);
    work(+1);
    try {
      return await run((fn) => async (reach) => {
        actor.inside++;
        try {
          return await fn(reach);
        } finally {
          actor.inside--;
        }
      });
    } finally {
      work(-1);
    }
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
      tx: (name, fn) => atWork((inside) => db.tx(name, inside(fn))),
      look: (name, fn) => atWork((inside) => db.look(name, inside(fn))),
    }),

    get waiting() {
      return waiters.map(({ process, name, place }) => ({ process, name, place }));
    },
    history,
  };
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
