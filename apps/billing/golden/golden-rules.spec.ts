import { describe, it } from '@jest/globals';
import { PureStage } from './pure-stage';
import { SCENARIOS } from './scenarios';
import { playScenario } from './stage';

describe('golden scenarios on the rules alone', () => {
  for (const scenario of SCENARIOS) {
    scenario.plays.forEach((steps, index) => {
      it(`${scenario.id} ${scenario.title}${scenario.plays.length > 1 ? ` (${index + 1})` : ''}`, () =>
        playScenario(new PureStage(), scenario, steps));
    });
  }
});
