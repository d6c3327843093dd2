import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '../time';
import { certificateRoom } from './certificate-limit';

const now = 100 * DAY_MS;
/** Requests one hour apart, the newest first and now. */
const hourly = (count: number) => Array.from({ length: count }, (_, index) => now - index * HOUR_MS);

describe('room for certificates of the platform domain', () => {
  it.each([
    ['nothing was requested', 50, 0, 2, null, false],
    ['nearly everything is used', 50, 43, 2, null, true],
    ['a little less is used', 50, 42, 2, null, false],
    ['the last ones are requested', 50, 48, 2, null, true],
    ['one is missing', 50, 49, 2, now - 48 * HOUR_MS + 7 * DAY_MS, true],
    ['two are missing', 50, 50, 2, now - 48 * HOUR_MS + 7 * DAY_MS, true],
    ['there is no limit', 0, 1_000, 2, null, false],
    ['a package needs more than the limit', 1, 0, 2, now + 7 * DAY_MS, true],
  ])('%s', (_, limit, used, needed, possibleAt, scarce) =>
    expect(certificateRoom({ limit, requested: hourly(used), needed, now })).toEqual({ possibleAt, scarce }),
  );
});
