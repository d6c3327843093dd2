import { describe, expect, it } from '@jest/globals';
import { acceptedLanguage } from './language';

describe('preferred language of a browser', () => {
  it.each([
    ['de-DE,de;q=0.9,en;q=0.8', 'de'],
    ['en-GB,en;q=0.9,de;q=0.8', 'en'],
    ['fr, de;q=0.5, en;q=0.7', 'en'],
    ['DE', 'de'],
    ['de;q=0, en;q=0.1', 'en'],
    ['fr', 'en'],
    ['den', 'en'],
    [';;,,q=', 'en'],
    ['de;q=x', 'en'],
    ['', 'en'],
    [undefined, 'en'],
  ] as const)('%s: %s', (header, language) => {
    expect(acceptedLanguage(header)).toBe(language);
  });
});
