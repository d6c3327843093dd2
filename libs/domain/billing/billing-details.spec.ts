import { describe, expect, it } from '@jest/globals';
import { BILLING_DOCUMENT_MESSAGES as MESSAGES } from '../messages/billing-documents';
import { UNPRINTABLE } from '../text';
import {
  checkAddressLines,
  checkBillingName,
  checkCountry,
  checkPostalCode,
  checkTaxId,
  taxIdWarning,
  townLine,
} from './billing-details';

describe('billing address', () => {
  it.each([
    ['Ada GmbH', null],
    ['  ', MESSAGES.name_missing],
    ['a'.repeat(100), null],
    ['a'.repeat(101), MESSAGES.line_long({ most: 100 })],
    ['Ada\u202e', UNPRINTABLE],
    ['Łódź Ünal Ə ʻŌhiʻa Nguyễn Đạt', null],
    ['Ọ̀ṣun Adébáyọ̀', null],
    ['A\u0308pfel & Söhne – „Obst“ №\u00a05 €', null],
    ['Ὀδυσσεὺς', null],
    ['Кирилл Ґалаґан', null],
    ['हिन्दी क्षेत्र', null],
    ['株式会社サンプル', MESSAGES.letters_unprinted({ letters: '株式会社サ' })],
    ['Kim 김', MESSAGES.letters_unprinted({ letters: '김' })],
    ['שדרות', MESSAGES.letters_unprinted({ letters: 'שדרות' })],
    ['شركة', MESSAGES.letters_unprinted({ letters: 'شركة' })],
    ['บริษัท', MESSAGES.letters_unprinted({ letters: 'บริษั' })],
    ['Ａｄａ', MESSAGES.letters_unprinted({ letters: 'Ａｄａ' })],
    ['Ada 🚀', MESSAGES.letters_unprinted({ letters: '🚀' })],
    ['Ada\u2066', UNPRINTABLE],
    ['शक्\u200dति', null],
    ['Dana \u200eLtd.', null],
    ['\ufeffAda\u200b', null],
    ['\u200d\u200b', MESSAGES.name_missing],
  ])('requires a name: %j', (name, problem) => {
    expect(checkBillingName(name)).toEqual(problem);
  });

  it.each([
    [['Street 1'], null],
    [[], MESSAGES.lines_missing],
    [['1', '2', '3'], null],
    [['1', '2', '3', '4'], MESSAGES.lines_most({ most: 3 })],
    [['1', 'a\u0000'], UNPRINTABLE],
    [['1-1', '東京都'], MESSAGES.letters_unprinted({ letters: '東京都' })],
  ])('requires one to three lines: %j', (lines, problem) => {
    expect(checkAddressLines(lines)).toEqual(problem);
  });

  it.each([
    ['', null],
    ['20457', null],
    ['1'.repeat(21), MESSAGES.line_long({ most: 20 })],
    ['〒100-0001', MESSAGES.letters_unprinted({ letters: '〒' })],
  ])('accepts an optional postal code: %s', (code, problem) => {
    expect(checkPostalCode(code)).toEqual(problem);
  });

  it.each([
    ['DE', null],
    ['de', MESSAGES.country_missing],
    ['EU', MESSAGES.country_missing],
    ['', MESSAGES.country_missing],
  ])('requires a country: %s', (code, problem) => {
    expect(checkCountry(code)).toEqual(problem);
  });

  it.each([
    ['', 'DE', null],
    ['DE123456789', 'DE', null],
    ['T123', 'JP', null],
    ['番号123', 'JP', MESSAGES.letters_unprinted({ letters: '番号' })],
    ['123', 'DE', null],
    ['none', 'DE', MESSAGES.tax_id_wrong],
  ])('accepts an optional tax number: %s', (text, country, problem) => {
    expect(checkTaxId(text, country)).toEqual(problem);
  });

  it.each([
    ['', 'DE', null],
    ['DE123456789', 'DE', null],
    ['123', 'DE', MESSAGES.tax_id_unusual],
    ['none', 'DE', null],
    ['123', '', null],
  ])('warns about an unusual tax number: %s', (text, country, warning) => {
    expect(taxIdWarning(text, country)).toEqual(warning);
  });

  it.each([
    ['DE', '20457', 'Hamburg', '20457 Hamburg'],
    ['GB', 'SW1Y 4JH', 'London', 'London SW1Y 4JH'],
    ['IE', '', 'Dublin', 'Dublin'],
    ['HK', '', 'Hong Kong', 'Hong Kong'],
  ])('orders city and postal code as in %s', (country, postal_code, city, line) => {
    expect(townLine({ postal_code, city, country })).toBe(line);
  });
});
