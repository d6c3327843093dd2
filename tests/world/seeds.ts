import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { play } from './play';
import { type Beginning, begin } from './start';

/** Turns a history has before the calm at its end. */
const TURNS = Number(process.env.WORLD_TURNS ?? 250);
const FROM = Number(process.env.WORLD_FROM ?? 1);
const SEEDS = Number(process.env.WORLD_SEEDS ?? 200);
const SEED_MS_MAX = 120_000;
const FAILURES_SHOWN = 3;

/** Every `of`th seed, beginning with the `part`th: one test file a part, so that each processor has one. */
export function playSeeds({ part, of }: { part: number; of: number }): void {
  const seeds = Array.from({ length: SEEDS }, (_, index) => FROM + index).filter((seed) => seed % of === part % of);
  let beginning: Beginning;
  beforeAll(async () => {
    beginning = await begin();
  });
  afterAll(() => beginning.drop());

  describe('the simulated world', () => {
    it(
      `holds all that must hold in ${seeds.length} histories (part ${part} of ${of}, from seed ${FROM})`,
      async () => {
        const failed: string[] = [];
        const statuses = new Map<string, number>();
        for (const seed of seeds) {
          try {
            const played = await play({ beginning, seed, turns: TURNS });
            for (const [status, count] of Object.entries(played.statuses)) {
              statuses.set(status, (statuses.get(status) ?? 0) + count);
            }
          } catch (error) {
            const words = error instanceof Error ? error.message : String(error);
            failed.push(`${words}\nagain: npm run test:world -- --from ${seed} --seeds 1`);
            process.stderr.write(`${failed.at(-1)}\n`);
          }
        }
        process.stdout.write(`${seeds.length} histories ended with ${JSON.stringify(Object.fromEntries(statuses))}\n`);
        if (failed.length > 0) {
          throw new Error(
            `${failed.length} of ${seeds.length} histories failed\n${failed.slice(0, FAILURES_SHOWN).join('\n\n')}`,
          );
        }
        // histories in which nothing ever ran prove nothing
        if (seeds.length >= 20)
          for (const status of ['ACTIVE', 'READY', 'DESTROYED']) expect([...statuses.keys()]).toContain(status);
      },
      seeds.length * SEED_MS_MAX,
    );
  });
}
