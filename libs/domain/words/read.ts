import type { SentenceTables } from './say';

/** A sentence that is known: where it stands in the tables, and what was filled in. */
export interface Said {
  /** `order.value_missing` */
  readonly code: string;
  readonly facts: Readonly<Record<string, string>>;
}

const WITHIN_A_SENTENCE = '(?:(?!\\. ).)+?';

/** Facts that may hold blanks; every other is one word. */
const SHAPES: Readonly<Record<string, string>> = {
  addresses: '\\S+(?:, \\S+)*',
  day: '\\d{4}-\\d\\d-\\d\\d',
  field: 'The body|\\S+',
  found: WITHIN_A_SENTENCE,
  instant: '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{3})?)? UTC',
  issuer: WITHIN_A_SENTENCE,
  label: WITHIN_A_SENTENCE,
  methods: '\\S+(?:, \\S+)*',
  name: '.+?',
  other: WITHIN_A_SENTENCE,
  package: WITHIN_A_SENTENCE,
  program: WITHIN_A_SENTENCE,
  resolvers: '\\S+(?:, \\S+)*',
  rule: WITHIN_A_SENTENCE,
  status: WITHIN_A_SENTENCE,
  values: '\\S+(?:, \\S+)*',
  words: '.+',
};

interface Template {
  readonly code: string;
  /** Letters that are the template's own: the more, the surer. */
  readonly weight: number;
  readonly whole: RegExp;
  readonly start: RegExp;
}

/** Longer texts are nobody's sentences. */
const LENGTH_MAX = 4_000;
const SENTENCES_MAX = 12;

/**
 * Reads what `say` and the tables' own sentences wrote, one or several behind each other; null: somebody else's words.
 * The tables are looked through by their longest sentence first, so that one which contains another wins.
 */
export function createReader(tables: SentenceTables): (text: string) => readonly Said[] | null {
  const templates: readonly Template[] = Object.entries(tables)
    .flatMap(([area, table]) => Object.entries(table).map(([name, words]) => templateOf(`${area}.${name}`, words)))
    .sort((a, b) => b.weight - a.weight);

  function readAll(text: string, depth: number): readonly Said[] | null {
    for (const { code, whole } of templates) {
      const found = whole.exec(text);
      if (found !== null) return [{ code, facts: { ...found.groups } }];
    }
    if (depth >= SENTENCES_MAX) return null;
    for (const { code, start } of templates) {
      const found = start.exec(text);
      const rest = found === null ? null : readAll(text.slice(found[0].length), depth + 1);
      if (found !== null && rest !== null) return [{ code, facts: { ...found.groups } }, ...rest];
    }
    return null;
  }
  return (text) => (text.length > LENGTH_MAX ? null : readAll(text, 1));
}

function templateOf(code: string, words: string): Template {
  const met = new Set<string>();
  const pattern = words
    .split(/(%\{\w+\})/)
    .map((part) => {
      const name = /^%\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      if (met.has(name)) return `\\k<${name}>`;
      met.add(name);
      return `(?<${name}>${SHAPES[name] ?? '\\S+?'})`;
    })
    .join('');
  return {
    code,
    weight: words.replace(/%\{\w+\}/g, '').length,
    whole: new RegExp(`^${pattern}$`, 's'),
    start: new RegExp(`^${pattern}\\.? (?=\\S)`, 's'),
  };
}
