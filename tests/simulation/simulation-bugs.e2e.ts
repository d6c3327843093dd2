import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BUGS } from './bugs';
import { runScenario } from './run-scenario';
import { type Beginning, begin } from './start';

/** Number of histories for a bug that needs luck to show. */
const SEEDS_MAX = 4;
const TURNS = 120;
const BUG_MS_MAX = 300_000;

let beginning: Beginning;
beforeAll(async () => {
  beginning = await begin();
});
afterAll(() => beginning.stage.drop());

describe('simulation detects code that', () => {
  it.each(BUGS.map((bug) => [bug.does, bug.caught_by, bug] as const))(
    '%s (%s)',
    async (_, caughtBy, { sabotage, wrongSsh, sky, seed: first = 1, throws }) => {
      const reported = new RegExp(`^${caughtBy} `, 'm');
      const seen: string[] = [];
      for (let seed = first; seed < first + SEEDS_MAX; seed++) {
        const words = await runScenario({
          beginning,
          seed,
          turns: TURNS,
          sabotage,
          ...(wrongSsh === undefined ? {} : { wrongSsh }),
          sky,
          ...(throws ? { throws: 1 } : {}),
        }).then(
          () => 'everything held',
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        );
        if (reported.test(words)) return;
        seen.push(words.slice(0, 400));
      }
      expect(seen).toEqual(`caught by ${caughtBy}`);
    },
    BUG_MS_MAX,
  );
});
