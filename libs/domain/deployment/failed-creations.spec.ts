import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../errors';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time';
import { creationsPausedUntil, refuseFailedCreations } from './failed-creations';

const AT = Date.UTC(2026, 10, 22, 12);
const ago = (...hours: number[]) => hours.map((hour) => AT - hour * HOUR_MS);

describe('limit of failed creations', () => {
  it.each<[string, number[], number | null]>([
    ['none', [], null],
    ['five', ago(1, 2, 3, 4, 5), null],
    ['six: blocked until the first is a day old', ago(1, 2, 3, 4, 5, 6), AT + 18 * HOUR_MS],
    ['six in another order', ago(6, 1, 5, 2, 4, 3), AT + 18 * HOUR_MS],
    ['eight: blocked until five are left', ago(1, 2, 3, 4, 5, 6, 7, 8), AT + 18 * HOUR_MS],
    ['five and another exactly a day old', ago(1, 2, 3, 4, 5, 24), null],
    ['five and another a minute less than a day old', [...ago(1, 2, 3, 4, 5), AT - DAY_MS + MINUTE_MS], AT + MINUTE_MS],
    ['many from last week', ago(100, 101, 102, 103, 104, 105, 106), null],
  ])('%s', (_, failedAt, until) => {
    expect(creationsPausedUntil(failedAt, AT)).toBe(until);
  });

  it('rejects an order with the time of the next attempt', () => {
    let refused: unknown;
    try {
      refuseFailedCreations(ago(1, 2, 3, 4, 5, 6), AT);
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(DomainError);
    expect(refused).toMatchObject({
      code: 'RATE_LIMITED',
      reason: {
        detail:
          'More than five of your deployments failed or were cancelled within 24 hours. Contact us before you try again. Try again in 18 hours.',
      },
      fields: { retry_after_s: 18 * 60 * 60 },
    });
  });
});
