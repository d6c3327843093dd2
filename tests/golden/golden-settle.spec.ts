import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { DatabaseStage } from './database-stage';
import { HOLD_SCENARIOS } from './hold-scenarios';
import { REOPENING_SCENARIOS } from './reopening-scenarios';
import { SCENARIOS } from './scenarios';
import { playScenario, when } from './stage';

describe('golden scenarios through settle on PostgreSQL', () => {
  let database: TestDatabase;
  let stage: DatabaseStage;
  beforeAll(async () => {
    database = await testDatabase();
    stage = await DatabaseStage.open(database, 'settle');
  });
  afterAll(() => database.drop());

  for (const scenario of [...SCENARIOS, ...REOPENING_SCENARIOS]) {
    scenario.plays.forEach((steps, index) => {
      it(`${scenario.id} ${scenario.title}${scenario.plays.length > 1 ? ` (${index + 1})` : ''}`, async () => {
        await playScenario(stage.another(), scenario, steps);
      });
    });
  }

  for (const scenario of HOLD_SCENARIOS) {
    scenario.plays.forEach((steps, index) => {
      it(`${scenario.id} ${scenario.title} (${index + 1})`, async () => {
        const stage = await DatabaseStage.open(database, 'settle', { holdMinutes: scenario.holdMinutes });
        await playScenario(stage, scenario, steps);
      });
    });
  }

  it('leaves books in which every invariant holds', async () => {
    expect(await stage.breaches(when('12-31 00:00'))).toEqual([]);
  });

  it('leaves books that follow from their facts to the micro-unit, by a replay of every account', async () => {
    expect(await stage.proofs(when('12-31 00:00'))).toEqual([]);
  });
});
