import { type Clock, systemClock } from '@moorage/server';

export const START = Date.parse('2026-12-01T10:00:00Z');

/** Moved by hand; sleeping only guards against hanging, so it takes real time. */
export interface FixtureClock extends Clock {
  at: number;
}

export function fixtureClock(at = START): FixtureClock {
  const real = systemClock();
  const clock: FixtureClock = { ...real, at, now: () => Promise.resolve(clock.at), localNow: () => clock.at };
  return clock;
}

/** Goes by itself: for measuring. */
export function realFixtureClock(): FixtureClock {
  const real = systemClock();
  return {
    ...real,
    get at() {
      return real.localNow();
    },
    set at(_instant: number) {
      throw new Error('this clock goes by itself');
    },
  };
}
