import { afterEach, describe, expect, it } from '@jest/globals';
import { showLocale } from '../texts/locale';
import { wholeNumber } from './numbers';

afterEach(() => showLocale('en', { persist: false }));

describe('whole number', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [12_000, '12,000'],
  ])('%d is shown as %s', (number, shown) => {
    expect(wholeNumber(number)).toBe(shown);
  });

  it('has points between thousands in German', async () => {
    await showLocale('de', { persist: false });
    expect(wholeNumber(12_000)).toBe('12.000');
  });
});
