import { describe, expect, it } from '@jest/globals';
import { taxId } from './tax-id';

describe('a tax number', () => {
  it.each([
    ['DE', 'DE 123 456 789', 'DE123456789'],
    ['DE', '123456789', 'DE123456789'],
    ['DE', 'DE12345678', null],
    ['DE', 'AT123456789', null],
    ['AT', 'ATU12345678', 'ATU12345678'],
    ['AT', 'AT12345678', null],
    ['BE', 'BE 0123.456.789', 'BE0123456789'],
    ['BE', 'BE2123456789', null],
    ['GR', 'EL123456789', 'EL123456789'],
    ['GR', 'GR123456789', null],
    ['ES', 'ESX1234567X', 'ESX1234567X'],
    ['ES', 'ESA12345678', 'ESA12345678'],
    ['ES', 'ES123456789', null],
    ['FR', 'FR XX 999999999', 'FRXX999999999'],
    ['IE', 'IE1234567WI', 'IE1234567WI'],
    ['NL', 'nl123456789b01', 'NL123456789B01'],
    ['NL', 'NL123456789A01', null],
    ['LT', 'LT1234567890', null],
    ['GB', 'GB 123 4567 89', 'GB123456789'],
    ['GB', 'XI123456789', 'XI123456789'],
    ['GB', 'GBGD001', 'GBGD001'],
    ['CH', 'CHE-123.456.789 MWST', 'CHE123456789MWST'],
    ['NO', '923609016MVA', 'NO923609016MVA'],
    ['US', '12-3456789', '123456789'],
    ['US', '12-34567890', null],
    ['CA', '123456789 RT 0001', '123456789RT0001'],
    ['AU', '51 824 753 556', '51824753556'],
    ['AU', '51 824 753 557', null],
    ['BR', ' 12.345.678/0001-95 ', '12.345.678/0001-95'],
    ['BR', 'x', null],
    ['BR', '<script>', null],
    ['BR', '1'.repeat(31), null],
    ['constructor', 'AB-1', 'AB-1'],
  ])('of %s: %s', (country, text, written) => {
    expect(taxId(text, country)).toBe(written);
  });
});
