import { describe, expect, it } from '@jest/globals';
import { niceTicks } from './ticks';

describe('scale of the chart', () => {
  it.each([
    [39.95, 4, [0, 10, 20, 30, 40]],
    [39.95, 2, [0, 20, 40]],
    [4.99, 4, [0, 2, 4, 6]],
    [0.41, 4, [0, 0.2, 0.4, 0.6]],
    [1_204_188.4, 4, [0, 500_000, 1_000_000, 1_500_000]],
  ])('reaches up to %d in %d steps', (max, count, ticks) => {
    expect(niceTicks(max, count)).toEqual(ticks);
  });
});
