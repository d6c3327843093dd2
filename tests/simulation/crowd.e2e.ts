import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPairs, type Pairs } from './pairs';
import { type Beginning, begin } from './start';

const ROUNDS = Number(process.env.CROWD_ROUNDS ?? 20);
const COMMANDS = 64;
const ROUND_MS_MAX = 60_000;
const FAILURES_SHOWN = 3;

let beginning: Beginning;
let pairs: Pairs;
beforeAll(async () => {
  beginning = await begin();
  pairs = await createPairs(beginning);
}, 300_000);
afterAll(() => beginning.stage.drop());

describe('64 concurrent commands of all kinds on one account', () => {
  it(
    `leave a balanced ledger and no interval open that must be closed, in ${ROUNDS} rounds`,
    async () => {
      const failed: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const situation = pairs.situations[round % pairs.situations.length] ?? '';
        try {
          await pairs.crowd(situation, { commands: COMMANDS, seed: round });
        } catch (error) {
          failed.push(`round ${round}, ${situation}: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
      expect(failed.slice(0, FAILURES_SHOWN)).toEqual([]);
    },
    ROUNDS * ROUND_MS_MAX,
  );
});
