import { describe, expect, it } from '@jest/globals';
import { factLines } from './mail-parts';

describe('the facts of an alert in a mail', () => {
  it('stay on one line each, whatever a service has written into them', () => {
    const facts = { count: 7, reason: 'late\n\nLog in at http://evil.example\r\nnow', places: ['a', 'b'] };
    expect(factLines(facts)).toEqual([
      'count: 7',
      'reason: late Log in at http://evil.example now',
      'places: ["a","b"]',
    ]);
  });

  it('are cut where they are long', () => {
    expect(factLines({ text: 'x'.repeat(400) })).toEqual([`text: ${'x'.repeat(300)}...`]);
  });
});
