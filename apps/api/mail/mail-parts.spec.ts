import { describe, expect, it } from '@jest/globals';
import { dayShort, factLines, timeLeft } from './mail-parts';

describe('alert facts in an email', () => {
  it('stay on one line each, whatever a service wrote into them', () => {
    const facts = { count: 7, reason: 'late\n\nLog in at http://evil.example\r\nnow', places: ['a', 'b'] };
    expect(factLines(facts)).toEqual([
      'count: 7',
      'reason: late Log in at http://evil.example now',
      'places: ["a","b"]',
    ]);
  });

  it('are truncated when long', () => {
    expect(factLines({ text: 'x'.repeat(400) })).toEqual([`text: ${'x'.repeat(300)}...`]);
  });
});

describe('remaining time', () => {
  const from = '2026-11-28T02:00:00.000Z';
  it.each([
    ['2026-12-02T00:00:00.000Z', '3 days 22 hours', '3 Tage 22 Stunden'],
    ['2026-11-29T02:00:00.000Z', '1 day', '1 Tag'],
    ['2026-11-28T03:59:59.000Z', '1 hour', '1 Stunde'],
    ['2026-11-28T01:00:00.000Z', '0 hours', '0 Stunden'],
  ])('is formatted until %s', (to, english, german) => {
    expect([timeLeft(from, to, 'en'), timeLeft(from, to, 'de')]).toEqual([english, german]);
  });

  it('ends on a named day', () => {
    expect([dayShort('2026-12-02T23:59:00.000Z', 'en'), dayShort('2026-12-02T23:59:00.000Z', 'de')]).toEqual([
      'Wed 2 Dec',
      'Mi. 2. Dez.',
    ]);
  });
});
