import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { DatabaseRunner } from './database-runner';
import { GRACE_PERIOD_SCENARIOS } from './grace-period-scenarios';
import { REOPENING_SCENARIOS } from './reopening-scenarios';
import { RESIZING_SCENARIOS } from './resizing-scenarios';
import { SCENARIOS } from './scenarios';
import { playScenario, when } from './runner';

describe('golden scenarios through the daily run', () => {
  let database: TestDatabase;
  let first: DatabaseRunner;
  beforeAll(async () => {
    database = await testDatabase();
    first = await DatabaseRunner.open(database, 'run');
  });
  afterAll(() => database.drop());

  for (const scenario of [...SCENARIOS, ...REOPENING_SCENARIOS, ...RESIZING_SCENARIOS]) {
    scenario.plays.forEach((steps, index) => {
      it(`${scenario.id} ${scenario.title}${scenario.plays.length > 1 ? ` (${index + 1})` : ''}`, async () => {
        const runner = first.another();
        await runner.forgetOthers();
        await playScenario(runner, scenario, steps);
      });
    });
  }

  for (const scenario of GRACE_PERIOD_SCENARIOS) {
    scenario.plays.forEach((steps, index) => {
      it(`${scenario.id} ${scenario.title} (${index + 1})`, async () => {
        const runner = await DatabaseRunner.open(database, 'run', { gracePeriodMinutes: scenario.gracePeriodMinutes });
        await runner.forgetOthers();
        await playScenario(runner, scenario, steps);
      });
    });
  }

  it('leaves a ledger in which every invariant holds', async () => {
    // I3c compares meters with the ledger, and `forgetOthers` has closed the meters of finished scenarios.
    expect(await first.breaches(when('12-31 00:00'), { except: ['I3c'] })).toEqual([]);
  });

  it('posts what a replay of the facts posts, in hash chains', async () => {
    // `forgetOthers` has changed meters and runs without the ledger.
    const found = await first.proofs(when('12-31 00:00'));
    expect(found.filter(({ id }) => ['P2', 'P3'].includes(id))).toEqual([]);
  });
});
