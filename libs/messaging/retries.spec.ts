import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@moorage/server';
import * as fc from 'fast-check';
import { deliveryDelay, errorName, workDelay } from './retries';

const MINUTE = 60_000;

describe('retries', () => {
  it('property: a delivery is attempted ten times within about an hour at growing intervals', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seededRandom(seed);
        const delays = Array.from({ length: 10 }, (_, index) => deliveryDelay(index + 1, random));
        expect(delays.at(-1)).toBeNull();
        const waits = delays.slice(0, -1).map((delay) => delay ?? 0);
        const sum = waits.reduce((all, one) => all + one, 0);
        expect(sum).toBeGreaterThan(45 * MINUTE);
        expect(sum).toBeLessThan(70 * MINUTE);
        for (const [index, wait] of waits.entries()) expect(wait).toBeGreaterThan(waits[index - 1] ?? 0);
      }),
    );
  });

  it('property: work waits at least 0.8 s and at most 12 minutes after any number of failures', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer(), (failures, seed) => {
        const delay = workDelay(failures, seededRandom(seed));
        expect(delay).toBeGreaterThanOrEqual(800);
        expect(delay).toBeLessThanOrEqual(12 * MINUTE);
      }),
    );
  });

  it.each([
    [new Error('token sk-12345'), 'Error'],
    [Object.assign(new TypeError('x'), { code: 'ECONNRESET' }), 'TypeError ECONNRESET'],
    [Object.assign(new Error('x'), { code: 'has spaces and sk-12345' }), 'Error'],
    [Object.assign(new Error('x'), { name: 'a very secret name' }), ''],
    [
      Object.assign(new Error('x'), { driverError: { code: '23505', constraint: 'one_charge' } }),
      'Error 23505 one_charge',
    ],
    ['thrown text with a secret', 'string'],
    [undefined, 'undefined'],
  ])('stores of %p only %p', (error, name) => {
    expect(errorName(error)).toBe(name);
  });
});
