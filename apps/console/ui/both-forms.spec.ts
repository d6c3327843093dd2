import { describe, expect, it } from '@jest/globals';
import { bothForms } from './both-forms';

describe('domain on a screen', () => {
  it.each([
    ['xn--mnchen-shop-thb.de', 'münchen-shop.de (xn--mnchen-shop-thb.de)'],
    ['xn--e1afmkfd.xn--p1ai', 'пример.рф (xn--e1afmkfd.xn--p1ai)'],
    ['shop.xn--mnchen-3ya.de', 'shop.münchen.de (shop.xn--mnchen-3ya.de)'],
    ['ada@xn--mnchen-3ya.de', 'ada@münchen.de (ada@xn--mnchen-3ya.de)'],
    ['example.com', 'example.com'],
    ['xn--\u00fc.de', 'xn--\u00fc.de'],
    ['xn--99999999.de', 'xn--99999999.de'],
  ])('%s is shown as %s', (domain, shown) => {
    expect(bothForms(domain)).toBe(shown);
  });
});
