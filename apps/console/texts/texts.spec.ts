import { describe, expect, it } from '@jest/globals';
import { consoleTexts as germanConsole } from './de/console';
import { publicTexts as germanPublic } from './de/public';
import { raGerman } from './de/react-admin';
import { consoleTexts } from './en/console';
import { publicTexts } from './en/public';
import { type Texts, translate } from './translate';
import raEnglish from 'ra-language-english';

const PAIRS: readonly (readonly [string, Texts, Texts])[] = [
  ['public', publicTexts, germanPublic],
  ['console', consoleTexts, germanConsole],
  ['react-admin', raEnglish as unknown as Texts, raGerman as unknown as Texts],
];

function sentences(texts: Texts, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' ? [[`${path}${name}`, value] as [string, string]] : sentences(value, `${path}${name}.`),
  );
}

const placeholders = (text: string): string[] => [...new Set(text.match(/%\{\w+\}/g) ?? [])].sort();

describe('the catalogue of texts', () => {
  it.each(PAIRS)('%s: German has every key, no empty sentence and the same placeholders', (_, english, german) => {
    const words = new Map(sentences(german));
    expect([...words.keys()].sort()).toEqual(
      sentences(english)
        .map(([key]) => key)
        .sort(),
    );
    for (const [key, text] of sentences(english)) {
      const other = words.get(key) ?? '';
      expect([key, other === '' && text !== '']).toEqual([key, false]);
      expect([key, placeholders(other)]).toEqual([key, placeholders(text)]);
      expect([key, other.includes('||||')]).toEqual([key, text.includes('||||')]);
    }
  });

  it('fills in, chooses the plural and shows the key where there is no sentence', () => {
    const texts = { a: { hello: 'Hello %{name}', many: '%{smart_count} day |||| %{smart_count} days' } };
    expect(translate(texts, 'a.hello', { name: '<b>Ada</b>' })).toBe('Hello <b>Ada</b>');
    expect(translate(texts, 'a.many', { smart_count: 1 })).toBe('1 day');
    expect(translate(texts, 'a.many', { smart_count: 3 })).toBe('3 days');
    expect(translate(texts, 'a.gone')).toBe('a.gone');
  });
});
