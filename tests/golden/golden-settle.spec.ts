import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { DatabaseRunner } from './database-runner';
import { GRACE_PERIOD_SCENARIOS } from './grace-period-scenarios';
import { REOPENING_SCENARIOS } from './reopening-scenarios';
import { RESIZING_SCENARIOS } from './resizing-scenarios';
import { SCENARIOS } from './scenarios';
import { playScenario, when } from './runner';

describe('golden scenarios through settle on PostgreSQL', () => {
  let database: TestDatabase;
  let runner: DatabaseRunner;
  beforeAll(async () => {
    database = await testDatabase();
    runner = await DatabaseRunner.open(database, 'settle');
  });
  afterAll(() => database.drop());

  for (const scenario of [...SCENARIOS, ...REOPENING_SCENARIOS, ...RESIZING_SCENARIOS]) {
    scenario.plays.forEach((steps, index) => {
      it(`${scenario.id} ${scenario.title}${scenario.plays.length > 1 ? ` (${index + 1})` : ''}`, async () => {
        await playScenario(runner.another(), scenario, steps);
      });
    });
  }

  for (const scenario of GRACE_PERIOD_SCENARIOS) {
    scenario.plays.forEach((steps, index) => {
      it(`${scenario.id} ${scenario.title} (${index + 1})`, async () => {
        const runner = await DatabaseRunner.open(database, 'settle', {
          gracePeriodMinutes: scenario.gracePeriodMinutes,
        });
        await playScenario(runner, scenario, steps);
      });
    });
  }

  it('leaves a ledger in which every invariant holds', async () => {
    expect(await runner.breaches(when('12-31 00:00'))).toEqual([]);
  });

  it('leaves a ledger that matches a replay of every account to the micro-unit', async () => {
    expect(await runner.proofs(when('12-31 00:00'))).toEqual([]);
  });
});
