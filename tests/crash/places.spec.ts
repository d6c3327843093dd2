import { describe, expect, it } from '@jest/globals';
import { ELSEWHERE, KILLED_IN, placesInSource } from './places';

describe('failpoints of the product', () => {
  it('are each covered by the crash tests or excluded with a reason', () => {
    const known = [...Object.keys(KILLED_IN), ...Object.keys(ELSEWHERE)];
    expect([...placesInSource().keys()].filter((name) => !known.includes(name))).toEqual([]);
    expect(known.filter((name) => !placesInSource().has(name))).toEqual([]);
  });
});
