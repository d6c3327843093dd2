import { describe, expect, it } from '@jest/globals';
import { showLocale } from '../texts/locale';
import { byteSize } from './bytes';

describe('size in bytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1 KB'],
    [38_400, '38 KB'],
    [999_499, '999 KB'],
    [999_600, '1 MB'],
    [1_240_000_000, '1.2 GB'],
    [9_960_000_000, '10 GB'],
    [20_000_000_000, '20 GB'],
    [100_000_000_000, '100 GB'],
  ])('%d is shown as %s', (bytes, shown) => {
    expect(byteSize(bytes)).toBe(shown);
  });

  it('has a decimal comma in German', async () => {
    await showLocale('de', { persist: false });
    expect(byteSize(1_240_000_000)).toBe('1,2 GB');
  });
});
