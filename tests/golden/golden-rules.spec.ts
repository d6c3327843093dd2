import { describe, it } from '@jest/globals';
import { GRACE_PERIOD_SCENARIOS } from './grace-period-scenarios';
import { PureRunner } from './pure-runner';
import { REOPENING_SCENARIOS } from './reopening-scenarios';
import { RESIZING_SCENARIOS } from './resizing-scenarios';
import { SCENARIOS } from './scenarios';
import { playScenario } from './runner';

describe('golden scenarios on the rules alone', () => {
  for (const scenario of [...SCENARIOS, ...REOPENING_SCENARIOS, ...RESIZING_SCENARIOS]) {
    scenario.plays.forEach((steps, index) => {
      it(`${scenario.id} ${scenario.title}${scenario.plays.length > 1 ? ` (${index + 1})` : ''}`, () =>
        playScenario(new PureRunner(), scenario, steps));
    });
  }
});

describe('grace period scenarios on the rules alone', () => {
  for (const scenario of GRACE_PERIOD_SCENARIOS) {
    scenario.plays.forEach((steps, index) => {
      it(`${scenario.id} ${scenario.title} (${index + 1})`, () =>
        playScenario(new PureRunner({ gracePeriodMinutes: scenario.gracePeriodMinutes }), scenario, steps));
    });
  }
});
