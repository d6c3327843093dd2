import { type Clock, systemClock } from '@moorage/server';

export const START = Date.parse('2026-12-01T10:00:00Z');

/** A clock that the test advances. Sleeping only guards against hanging, so it takes real time. */
export interface FixtureClock extends Clock {
  at: number;
}

export function fixtureClock(at = START): FixtureClock {
  const real = systemClock();
  const clock: FixtureClock = { ...real, at, now: () => Promise.resolve(clock.at), localNow: () => clock.at };
  return clock;
}

/** Creates a clock that runs in real time, for measurements. */
export function realFixtureClock(): FixtureClock {
  const real = systemClock();
  return {
    ...real,
    get at() {
      return real.localNow();
    },
    set at(_instant: number) {
      throw new Error('this clock advances automatically');
    },
  };
}
