import { writeFileSync } from 'node:fs';
import { SUBSCRIPTIONS } from '@moorage/contracts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@moorage/domain';
import type { Ssh } from '@moorage/provisioner';
import type { Random } from '@moorage/server';
import { type TestDatabase } from '@moorage/testing';
import { createWorld } from './world/world';
import { type Auditors, createAuditors } from './auditors';
import { createFailing } from './failing';
import { install, type Sabotage } from './installation';
import { brokenInvariants } from './invariants';
import { factsAround, readState } from './read-state';
import { createOutside, type OutsideNote } from './external-systems';
import { createActors, SECRETS } from './actors';
import type { Beginning } from './start';
import { type Certain, createFaultSchedule } from './fault-schedule';

export interface ScenarioOptions {
  readonly beginning: Beginning;
  readonly seed: number;
  /** Number of turns before the quiet phase at the end. */
  readonly turns: number;
  readonly sabotage?: Sabotage;
  /** Probability that settling one account throws for a while. */
  readonly throws?: number;
  /** Faults that happen in this history for certain, and not only by chance. */
  readonly sky?: Certain;
  readonly wrongSsh?: (ssh: Ssh) => Ssh;
}

export interface ScenarioResult {
  readonly steps: number;
  /** Counts of the faults that happened. */
  readonly weather: Readonly<Record<string, number>>;
}

const CHECK_EVERY = 60;
/** Probability that a history has an account whose settlement throws for a while. */
const THROWS = 0.4;
/** Number of comparisons with a provider's servers, and the time between them. */
const APPEARANCES = 3;
const CHECK_INTERVAL_MS = 31 * MINUTE_MS;
/** Probability that a fault happens instead of a user action. */
const WEATHER = 0.2;
/** Longer than the maximum duration of any deployment. Own servers are given up after 24 hours. */
const PATIENCE_MS = 30 * HOUR_MS;

/**
 * Runs one history from one seed, with users, faults and time for the given number of turns, followed by a quiet phase
 * after which everything must hold.
 */
export async function runScenario({
  beginning,
  seed,
  turns,
  sabotage,
  wrongSsh = (ssh) => ssh,
  throws = THROWS,
  sky,
}: ScenarioOptions): Promise<ScenarioResult> {
  const { stage } = beginning;
  const { database } = stage;
  let history: readonly string[] = [];
  let auditors: Auditors | undefined;
  try {
    const world = createWorld({
      seed,
      stage,
      subscriptions: SUBSCRIPTIONS,
      start: beginning.at,
      canaries: SECRETS,
      readState: (now) => readState(database, now, auditors?.due),
    });
    const { scheduler, clock, random } = world;
    history = scheduler.history;
    const struck: Record<string, number> = {};
    const note = (what: OutsideNote): void => void (struck[what] = (struck[what] ?? 0) + 1);
    const outside = createOutside({
      scheduler,
      clock,
      random,
      database,
      from: beginning.outside,
      note,
      breaking: sky === 'connections break',
    });
    const { packs, settlers } = beginning;
    const failing = createFailing();
    auditors = await createAuditors({ world, database, failing });
    const installed = await install(world, {
      outside: { ...outside, ssh: wrongSsh(outside.ssh) },
      packs,
      sabotage,
      auditors,
      failing,
    });
    const people = createActors({ world, installed, outside, database, settlers });
    const weather = await createFaultSchedule(world, outside, { note, sky });
    const throwing = random.fraction() < throws ? throwsWhen(random, turns) : null;

    const repair = async (): Promise<void> => {
      if (failing.thrown > 0) await auditors?.drill(installed.billingOn);
      failing.lift();
    };

    for (let turn = 1; turn <= turns; turn++) {
      if (turn === throwing?.from) failing.begin(await whoIsCharged(database, random));
      if (turn === throwing?.to) await repair();
      await world.turn(() => (random.fraction() < WEATHER ? weather.act() : people.act()));
      // Every history includes a midnight, because most of the money passes through the daily run.
      if (turn === Math.ceil(turns / 2)) clock.advance(DAY_MS - (clock.at % DAY_MS) + random.fraction() * MINUTE_MS);
      if (turn % CHECK_EVERY === 0) await world.check('always');
    }
    await repair();
    // Most orders are processed only now. Machines and clouds continue to fail until the orders have made progress.
    weather.last();
    for (let readState = 0; readState < APPEARANCES; readState++) {
      await world.quiet(CHECK_INTERVAL_MS);
      clock.advance(CHECK_INTERVAL_MS);
    }
    outside.heal();
    // As an actor, because an actor that stays inside a transaction may hold the rows.
    const clearing = await world.open('provisioner', 'sky');
    const clear = (): Promise<number> => clearing.tx('sky', (tx) => tx.execute('delete from sandbox_faults'));
    void scheduler.start({ process: 'sky', name: 'heal' }, clear);
    people.repeatUnanswered();
    await world.quiet(PATIENCE_MS);
    await world.check('quiet');
    outside.settle();
    await auditors.finish(installed.billingOn);
    const wrong = [
      ...(await brokenInvariants(database, outside)),
      ...auditors.contradictions,
      ...people.contradictions,
      ...world.surprises,
    ];
    if (wrong.length > 0) throw new Error([`${wrong.length} contradictions`, ...wrong.slice(0, 5)].join('\n'));
    const { api } = installed.current();
    await api.close();
    return {
      steps: scheduler.history.length,
      weather: {
        ...world.weather,
        ...struck,
        ...auditors.counts,
        ...(failing.thrown > 0 ? { 'settling threw': 1 } : {}),
      },
    };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new Error(`seed ${seed}: ${words}\n${await factsAround(database, words)}`, { cause: error });
  } finally {
    if (process.env.SIMULATION_HISTORY !== undefined) writeFileSync(process.env.SIMULATION_HISTORY, history.join('\n'));
    await auditors?.close();
    await stage.restore();
  }
}

async function whoIsCharged(database: TestDatabase, random: Random): Promise<number> {
  const charged = await database.sql<{ user_id: number }>(
    `select user_id from deployments where billable_from is not null and billable_to is null
     union select user_id from wallets where not exists (
       select 1 from deployments where billable_from is not null and billable_to is null) order by 1`,
  );
  const one = charged[Math.floor(random.fraction() * charged.length)];
  if (one === undefined) throw new Error('there are no accounts');
  return one.user_id;
}

/**
 * Returns the turns between which settling throws. It begins before midnight in the middle, and mostly ends after it.
 */
function throwsWhen(random: Random, turns: number): { from: number; to: number } {
  const share = (least: number, more: number): number => Math.ceil(turns * (least + random.fraction() * more));
  return { from: share(0.3, 0.2), to: share(0.6, 0.5) };
}
