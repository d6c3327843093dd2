import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { runScenario } from './run-scenario';
import { type Beginning, begin } from './start';

/** Number of turns of a history before the quiet phase at its end. */
const TURNS = Number(process.env.SIMULATION_TURNS ?? 250);
const FROM = Number(process.env.SIMULATION_FROM ?? 1);
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 200);
const SEED_MS_MAX = 120_000;
const FAILURES_SHOWN = 3;

/**
 * Plays every `of`th seed, starting with the `part`th. There is one test file per part, so that each processor has one.
 */
export function playSeeds({ part, of }: { part: number; of: number }): void {
  const seeds = Array.from({ length: SEEDS }, (_, index) => FROM + index).filter((seed) => seed % of === part % of);
  let beginning: Beginning;
  beforeAll(async () => {
    beginning = await begin();
  });
  afterAll(() => beginning.stage.drop());

  describe('simulation', () => {
    it(
      `upholds every invariant in ${seeds.length} histories (part ${part} of ${of}, from seed ${FROM})`,
      async () => {
        const failed: string[] = [];
        let steps = 0;
        const weather: Record<string, number> = {};
        const began = performance.now();
        for (const seed of seeds) {
          try {
            const played = await runScenario({ beginning, seed, turns: TURNS });
            steps += played.steps;
            for (const [what, count] of Object.entries(played.weather)) weather[what] = (weather[what] ?? 0) + count;
          } catch (error) {
            const words = error instanceof Error ? error.message : String(error);
            failed.push(`${words}\nagain: ${commandOf(seed)}`);
            process.stderr.write(`${failed.at(-1)}\n`);
          }
        }
        const seconds = Math.round((performance.now() - began) / 1_000);
        process.stdout.write(
          `${seeds.length} histories in ${seconds} s, ${steps} steps, weather: ${JSON.stringify(weather)}\n`,
        );
        if (failed.length > 0) {
          throw new Error(
            `${failed.length} of ${seeds.length} histories failed\n${failed.slice(0, FAILURES_SHOWN).join('\n\n')}`,
          );
        }
      },
      seeds.length * SEED_MS_MAX,
    );
  });
}

/** Returns the command that replays exactly one history. */
function commandOf(seed: number): string {
  const turns = process.env.SIMULATION_TURNS === undefined ? '' : ` --turns ${TURNS}`;
  return `npm run test:simulation -- --from ${seed} --seeds 1${turns}`;
}
