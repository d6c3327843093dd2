import { describe, expect, it } from '@jest/globals';
import { ELSEWHERE, KILLED_IN, placesInSource } from './places';

describe('the named places of the product', () => {
  it('are each known to the crash tests: killed there, or why not', () => {
    const known = [...Object.keys(KILLED_IN), ...Object.keys(ELSEWHERE)];
    expect([...placesInSource().keys()].filter((name) => !known.includes(name))).toEqual([]);
    expect(known.filter((name) => !placesInSource().has(name))).toEqual([]);
  });
});
