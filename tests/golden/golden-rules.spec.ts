import { describe, it } from '@jest/globals';
import { HOLD_SCENARIOS } from './hold-scenarios';
import { PureStage } from './pure-stage';
import { REOPENING_SCENARIOS } from './reopening-scenarios';
import { SCENARIOS } from './scenarios';
import { playScenario } from './stage';

describe('golden scenarios on the rules alone', () => {
  for (const scenario of [...SCENARIOS, ...REOPENING_SCENARIOS]) {
    scenario.plays.forEach((steps, index) => {
      it(`${scenario.id} ${scenario.title}${scenario.plays.length > 1 ? ` (${index + 1})` : ''}`, () =>
        playScenario(new PureStage(), scenario, steps));
    });
  }
});

describe('hold scenarios on the rules alone', () => {
  for (const scenario of HOLD_SCENARIOS) {
    scenario.plays.forEach((steps, index) => {
      it(`${scenario.id} ${scenario.title} (${index + 1})`, () =>
        playScenario(new PureStage({ holdMinutes: scenario.holdMinutes }), scenario, steps));
    });
  }
});
