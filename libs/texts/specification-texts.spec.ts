import { describe, expect, it } from '@jest/globals';
import * as domain from '@moorage/domain';
import { consoleTexts } from './en/console';
import { publicTexts } from './en/public';
import { SPECIFICATION_EXCEPTIONS, SPECIFICATION_TEXTS } from './specification-texts';

/** Replaces every fact with its own placeholder, so that the detail is the template. */
const PLACEHOLDERS = new Proxy({}, { get: (_, name) => `%{${String(name)}}` }) as domain.Facts;

/** Returns the texts of a catalogue or of a table of messages, with plural forms split. */
function sentences(texts: object): string[] {
  return Object.values(texts).flatMap((value: unknown) => {
    if (typeof value === 'string') return value.split('||||').map((form) => form.trim());
    if (typeof value === 'function') return [(value as (facts: domain.Facts) => domain.Message)(PLACEHOLDERS).detail];
    return typeof value === 'object' && value !== null ? sentences(value) : [];
  });
}

const shape = (text: string): string => text.replace(/%?\{\w+\}/g, '{}');

const messages = Object.entries(domain).flatMap(([name, table]) => (name.endsWith('_MESSAGES') ? [table] : []));
const catalogue = new Set(sentences([publicTexts, consoleTexts, domain.BRAND_TEXTS, messages]).map(shape));
const all = SPECIFICATION_TEXTS.flatMap(({ section, place, texts }) =>
  texts.map((text) => [`section ${section}, ${place}`, text] as const),
);

describe('texts of the specification', () => {
  it.each(all.filter(([, text]) => !Object.hasOwn(SPECIFICATION_EXCEPTIONS, text)))(
    '%s: "%s" is an exact text of the product',
    (_, text) => {
      expect(catalogue.has(shape(text))).toBe(true);
    },
  );

  it('do not include exceptions that are texts of the product or missing from the list', () => {
    const listed = all.map(([, text]) => text);
    for (const text of Object.keys(SPECIFICATION_EXCEPTIONS)) {
      expect(listed).toContain(text);
      expect(catalogue.has(shape(text))).toBe(false);
    }
  });

  it('are listed once each', () => {
    const listed = all.map(([, text]) => text);
    expect(listed.filter((text, at) => listed.indexOf(text) !== at)).toEqual([]);
  });
});
