import { describe, expect, it } from '@jest/globals';
import { factLines, topUpChoices } from './mail-parts';

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

describe('links to top-ups', () => {
  const links = (...amounts: string[]) =>
    topUpChoices(
      amounts.map((amount_micros) => ({ amount_micros, runs_until: null })),
      { publicUrl: 'http://moorage.test', labelOf: ({ amount_micros }) => amount_micros, otherwise: 'Add funds' },
    );

  it('open the form with the amount in it', () => {
    expect(links('17310000', '50000000')).toEqual([
      { label: '17310000', url: 'http://moorage.test/billing?amount=17.31#add' },
      { label: '50000000', url: 'http://moorage.test/billing?amount=50.00#add' },
    ]);
  });

  it('open the empty form if no single top-up is enough', () => {
    expect(links()).toEqual([{ label: 'Add funds', url: 'http://moorage.test/billing#add' }]);
  });
});
