import { describe, expect, it } from '@jest/globals';
import { play } from './play';

describe('the simulated world', () => {
  it('runs', async () => {
    for (
      let seed = Number(process.env.WORLD_FROM ?? 1), end = seed + Number(process.env.WORLD_SEEDS ?? 1);
      seed < end;
      seed++
    ) {
      const began = performance.now();
      const played = await play({ seed, turns: 400, people: 3 });
      console.log(seed, Math.round(performance.now() - began), JSON.stringify(played));
    }
    expect(true).toBe(true);
  });
});
