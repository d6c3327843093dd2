import { type Clock, systemClock } from '@moorage/server';

export const START = Date.parse('2026-12-01T10:00:00Z');

/** Moved by hand; sleeping only guards against hanging, so it takes real time. */
export interface BenchClock extends Clock {
  at: number;
}

export function benchClock(at = START): BenchClock {
  const real = systemClock();
  const clock: BenchClock = { ...real, at, now: () => Promise.resolve(clock.at), wall: () => clock.at };
  return clock;
}

/** Goes by itself: for measuring. */
export function realBenchClock(): BenchClock {
  const real = systemClock();
  return {
    ...real,
    get at() {
      return real.wall();
    },
    set at(_instant: number) {
      throw new Error('this clock goes by itself');
    },
  };
}
