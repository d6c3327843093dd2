import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../time';
import { isVisitorLinkOpen } from './visitor-link';

describe('visitor link', () => {
  it.each([
    ['is valid right after the message', { isClosed: false, passed: 0 }, true],
    ['is valid one millisecond before 90 days', { isClosed: false, passed: 90 * DAY_MS - 1 }, true],
    ['is invalid after 90 days', { isClosed: false, passed: 90 * DAY_MS }, false],
    ['depends on the time for a closed conversation', { isClosed: true, passed: 0 }, false],
  ])('%s', (_, { isClosed, passed }, isOpen) => {
    expect(isVisitorLinkOpen({ isClosed, lastAt: 1_000 }, 1_000 + passed)).toBe(isOpen);
  });
});
