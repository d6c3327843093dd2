import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READS_BEFORE_THE_LOCK } from './bugs';
import { createPairs } from './pairs';
import { type Beginning, begin } from './start';

/** True if the first command stops before each of its statements (nightly), and not only before commits. */
const every = process.env.PAIRS === 'every';
/** Text by which situations are filtered. */
const only = process.env.PAIRS_OF ?? '';
/** Part of the situations to run, for example `2/4` for the second quarter. */
const [part = 1, parts = 1] = (process.env.PAIRS_PART ?? '1/1').split('/').map(Number);
const SITUATION_MS_MAX = 1_500_000;
const FAILURES_SHOWN = 30;

let beginning: Beginning;
beforeAll(async () => {
  beginning = await begin();
}, 300_000);
afterAll(() => beginning.stage.drop());

describe('two concurrent commands inside their transactions', () => {
  it(
    'leave ledger and rows consistent, now and after the next daily run',
    async () => {
      const pairs = await createPairs(beginning);
      const failed: string[] = [];
      for (const situation of pairs.situations.filter(
        (name, index) => name.includes(only) && index % parts === part - 1,
      )) {
        const began = performance.now();
        const played = await pairs.runScenario(situation, { every });
        const seconds = Math.round((performance.now() - began) / 1_000);
        process.stdout.write(
          `${situation}: ${played.pairs} pairs, in ${played.waited} the second waited, ${played.failed.length} failed, ${seconds} s\n`,
        );
        failed.push(...played.failed);
        // Pairs that never conflict prove nothing.
        if (played.waited === 0) failed.push(`${situation}: in no pair the second waited for the first`);
      }
      if (failed.length > 0) {
        throw new Error(`${failed.length} pairs failed\n${failed.slice(0, FAILURES_SHOWN).join('\n\n')}`);
      }
    },
    SITUATION_MS_MAX,
  );

  it('detect a delete that reads before it has the lock (I18b)', async () => {
    const { sabotage, without, caught_by } = READS_BEFORE_THE_LOCK;
    await beginning.stage.database.sql(without);
    const pairs = await createPairs(beginning, { sabotage });
    const { failed } = await pairs.runScenario('it is about to start');
    const found = failed.filter((words) => words.includes(`${caught_by} `));
    expect(found.map((words) => words.split('\n')[0])).toContainEqual(
      'it is about to start: "walk" stays in work.finish before its commit, "delete" comes:',
    );
  }, 300_000);
});
