import { createReader, type SentenceTables } from '@moorage/domain';
import { type Texts, translate } from './translate';

/** Turns a sentence of the rules or of the server into another language; null: nobody's we know. */
export type Speaker = (sentence: string) => string | null;

/**
 * Reads what was said out of its English sentence, and says it again: each code has its template in `texts`. `facts`: what
 * is filled in is a word of the catalogue itself, by the fact's name.
 */
export function createSpeaker({
  tables,
  texts,
  facts = {},
}: {
  tables: SentenceTables;
  texts: Texts;
  facts?: Readonly<Record<string, (word: string) => string>>;
}): Speaker {
  const read = createReader(tables);
  return (sentence) =>
    read(sentence)
      ?.map(({ code, facts: found }) =>
        translate(
          texts,
          code,
          Object.fromEntries(Object.entries(found).map(([name, word]) => [name, facts[name]?.(word) ?? word])),
        ),
      )
      .join(' ') ?? null;
}
