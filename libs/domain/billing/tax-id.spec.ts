import { describe, expect, it } from '@jest/globals';
import { isUsualTaxId, taxId } from './tax-id';

describe('tax number', () => {
  it.each([
    ['DE', 'DE 123 456 789', 'DE123456789'],
    ['DE', '123456789', 'DE123456789'],
    ['AT', 'ATU12345678', 'ATU12345678'],
    ['BE', 'BE 0123.456.789', 'BE0123456789'],
    ['GR', 'EL123456789', 'EL123456789'],
    ['GR', 'GR123456789', 'EL123456789'],
    ['GR', '123 456 789', 'EL123456789'],
    ['ES', 'ESX1234567X', 'ESX1234567X'],
    ['ES', 'ESA12345678', 'ESA12345678'],
    ['FR', 'FR XX 999999999', 'FRXX999999999'],
    ['IE', 'IE1234567WI', 'IE1234567WI'],
    ['NL', 'nl123456789b01', 'NL123456789B01'],
    ['GB', 'GB 123 4567 89', 'GB123456789'],
    ['GB', 'XI123456789', 'XI123456789'],
    ['GB', 'GBGD001', 'GBGD001'],
    ['CH', 'CHE-123.456.789 MWST', 'CHE123456789MWST'],
    ['CH', 'CHE\u2011123.456.789\u00a0MWST', 'CHE123456789MWST'],
    ['NO', '923609016MVA', 'NO923609016MVA'],
    ['US', '12-3456789', '123456789'],
    ['US', '12\u20133456789', '123456789'],
    ['CA', '123456789 RT 0001', '123456789RT0001'],
    ['AU', '51 824 753 556', '51824753556'],
    ['AU', 'ABN 51 824 753 556', '51824753556'],
    ['DE', '12/345/67890', '12/345/67890'],
    ['HU', '12345678-1-42', '12345678-1-42'],
    ['HU', 'HU12345678', 'HU12345678'],
    ['SE', '556188-8404', '556188-8404'],
    ['SE', '556188\u22128404', '556188-8404'],
    ['SE', 'SE556188840401', 'SE556188840401'],
    ['MX', 'B&A850101AB1', 'B&A850101AB1'],
    ['BR', ' 12.345.678/0001-95 ', '12.345.678/0001-95'],
    ['JP', 'Ｔ１２３４５６７８９０１２３', 'T1234567890123'],
    ['SA', '٣٠٠٠٥٥١٨٤٤٠٠٠٠٣', '٣٠٠٠٥٥١٨٤٤٠٠٠٠٣'],
    ['constructor', 'AB-1', 'AB-1'],
  ])('of %s: %s', (country, text, written) => {
    expect(taxId(text, country)).toBe(written);
    expect(isUsualTaxId(text, country)).toBe(true);
  });

  it.each([
    ['DE', 'DE12345678', 'DE12345678'],
    ['DE', 'at\u00a0123456789', 'at 123456789'],
    ['AT', 'AT12345678', 'AT12345678'],
    ['BE', 'BE2123456789', 'BE2123456789'],
    ['ES', 'ES123456789', 'ES123456789'],
    ['NL', 'NL123456789A01', 'NL123456789A01'],
    ['LT', 'LT1234567890', 'LT1234567890'],
    ['US', '12-34567890', '12-34567890'],
    // Wrong checksum.
    ['AU', '51 824 753 557', '51 824 753 557'],
  ])('of %s in an unusual format stays as entered: %s', (country, text, written) => {
    expect(taxId(text, country)).toBe(written);
    expect(isUsualTaxId(text, country)).toBe(false);
  });

  it.each(['', 'x', '1', 'none', '<script>1', '1'.repeat(41), '1\u202e2', '1\n2'.repeat(20)])('is not %j', (text) => {
    for (const country of ['DE', 'BR']) expect(taxId(text, country)).toBeNull();
  });
});
