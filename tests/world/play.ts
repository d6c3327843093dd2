import { writeFileSync } from 'node:fs';
import { SUBSCRIPTIONS } from '@moorage/contracts';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '@moorage/domain';
import { createWorld, type Weather } from '@moorage/testing';
import { install, type Sabotage } from './installation';
import { factsAround, look, statusesOf } from './look';
import { createOutside } from './outside';
import { createPeople, SECRETS } from './people';
import type { Beginning } from './start';
import { createWeather } from './weather';

export interface PlayOptions {
  readonly beginning: Beginning;
  readonly seed: number;
  /** Before the calm at the end. */
  readonly turns: number;
  readonly sabotage?: Sabotage;
}

export interface Played {
  readonly steps: number;
  readonly ended_at: Instant;
  readonly statuses: Readonly<Record<string, number>>;
  readonly weather: Weather;
}

const CHECK_EVERY = 60;
/** How often it is the sky that acts and not a person. */
const WEATHER = 0.1;
/** Longer than the longest a deployment may take: a user's own server is given up after 24 hours. */
const PATIENCE_MS = 30 * HOUR_MS;

/** One history from one seed: people, faults and time for so many turns; then calm; then everything must hold. */
export async function play({ beginning, seed, turns, sabotage }: PlayOptions): Promise<Played> {
  const { stage } = beginning;
  const { database } = stage;
  let history: readonly string[] = [];
  try {
    const world = createWorld({
      seed,
      stage,
      subscriptions: SUBSCRIPTIONS,
      start: beginning.at,
      canaries: SECRETS,
      look: (now) => look(database, now),
    });
    const { scheduler, clock, random } = world;
    history = scheduler.history;
    const outside = createOutside({ scheduler, clock, random, database, from: beginning.outside });
    const { packs, settlers } = beginning;
    const installed = await install(world, { outside, packs, ...(sabotage === undefined ? {} : { sabotage }) });
    const people = createPeople({ world, ...installed, outside, database, settlers });
    const weather = await createWeather(world, outside);

    for (let turn = 1; turn <= turns; turn++) {
      await world.turn(() => (random.fraction() < WEATHER ? weather() : people.act()));
      // every history sees a night: its run is what most of the money goes through
      if (turn === Math.ceil(turns / 2)) clock.advance(DAY_MS - (clock.at % DAY_MS) + random.fraction() * MINUTE_MS);
      if (turn % CHECK_EVERY === 0) await world.check('always');
    }
    outside.heal();
    await database.sql('delete from sandbox_faults');
    people.repeatUnanswered();
    await world.quiet(PATIENCE_MS);
    await world.check('quiet');
    const wrong = [...people.contradictions, ...world.surprises];
    if (wrong.length > 0) throw new Error(wrong.slice(0, 5).join('\n'));
    return {
      steps: scheduler.history.length,
      ended_at: clock.at,
      statuses: await statusesOf(database),
      weather: world.weather,
    };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new Error(`seed ${seed}: ${words}\n${await factsAround(database, words)}`, { cause: error });
  } finally {
    if (process.env.WORLD_HISTORY !== undefined) writeFileSync(process.env.WORLD_HISTORY, history.join('\n'));
    await stage.restore();
  }
}
