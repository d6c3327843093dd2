import { describe, expect, it } from '@jest/globals';
import { asciiDomain, asciiEmail } from './domain-name';

describe('domain name', () => {
  it.each([
    ['MÜNCHEN-Shop.de', 'xn--mnchen-shop-thb.de'],
    // Composed and decomposed forms.
    ['mu\u0308nchen.de', 'xn--mnchen-3ya.de'],
    ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['faß.de', 'xn--fa-hia.de'],
    ['münchen。de', 'xn--mnchen-3ya.de'],
    ['ｅｘａｍｐｌｅ.com', 'example.com'],
    ['ex\u200bample.com', 'example.com'],
    [' Example.COM ', 'example.com'],
    ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
    ['example.com', 'example.com'],
  ])('%s is %s in DNS', (written, name) => {
    expect(asciiDomain(written)).toBe(name);
  });

  it.each([
    'https://münchen.de',
    'münchen.de/shop',
    'münchen.de:443',
    'ada@münchen.de',
    'mün chen.de',
    'münchen',
    '１２７.１',
    'münchen.de?',
    '%C3%BC.de',
    '-ü-.de\u0000',
    'a\u202eb.de',
  ])('%j stays unchanged', (text) => {
    expect(asciiDomain(text)).toBe(text.toLowerCase());
  });
});

describe('email address', () => {
  it.each([
    ['Ada@münchen.de', 'Ada@xn--mnchen-3ya.de'],
    [' \ufeffada@почта.рф', 'ada@xn--80a1acny.xn--p1ai'],
    ['Ada@Example.com', 'Ada@Example.com'],
    ['ä@münchen.de', 'ä@xn--mnchen-3ya.de'],
    ['@münchen.de', '@münchen.de'],
    ['ada@münchen', 'ada@münchen'],
    ['ada', 'ada'],
  ])('%s is %s to mail servers', (written, address) => {
    expect(asciiEmail(written)).toBe(address);
  });
});
