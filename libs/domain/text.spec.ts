import { describe, expect, it } from '@jest/globals';
import { hasUnprintable, hasUnwritable, printable, writtenParagraphs, writtenText } from './text';

const EMOJI = 'Thanks 👩\u200d💻';
const PERSIAN = 'می\u200cخواهم';
const HINDI = 'क्\u200dष';
const HEBREW = 'שלום\u200e (Moorage)';

describe('user text', () => {
  it.each([EMOJI, PERSIAN, HINDI, HEBREW, 'ع\u061c5', '🏴\u{e0067}\u{e0062}\u{e007f}', '❤️'])(
    '%s stays unchanged',
    (text) => {
      expect(hasUnwritable(text)).toBe(false);
      expect(writtenText(text)).toBe(text);
      expect(writtenParagraphs(text)).toBe(text);
      expect(printable(text)).toBe(text);
    },
  );

  it.each([
    ['a pasted zero-width space', 'ex\u200bample', 'example'],
    ['a byte order mark', '\ufeffexample', 'example'],
    ['soft hyphens and word joiners', 'ex\u00adam\u2060ple', 'example'],
    ['surrounding spaces', ' \u00a0example\u3000', 'example'],
    ['nothing visible', ' \u200d\u200e\u200b', ''],
  ])('loses %s', (_, text, written) => {
    expect(writtenText(text)).toBe(written);
  });

  it.each(['\n', '\t', '\0', '\u2028', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2069', '\u001b'])(
    'is not a single line with %j',
    (character) => {
      expect(hasUnwritable(`a${character}b`)).toBe(true);
      expect(printable(`a${character}b`)).toBe('a b');
    },
  );

  it.each([
    ['line breaks of every system', 'a\r\nb\rc\u2028d\u0085e\vf', 'a\nb\nc\nd\ne\nf'],
    ['a path copied from a properties window', '\u202aC:\\shop\u202c', 'C:\\shop'],
    ['an isolated telephone number', '\u2066+49 30\u2069', '+49 30'],
    ['terminal output', '\u001b[31mno\u001b[0m\u0007', '[31mno[0m'],
    ['tabs', 'a\tb', 'a\tb'],
  ])('has in several lines %s', (_, text, written) => {
    expect(writtenParagraphs(text)).toBe(written);
  });

  it('is visible even if its direction is reversed', () => {
    expect(hasUnwritable(writtenParagraphs('a\u202eb'))).toBe(true);
  });
});

describe('machine text', () => {
  it.each([EMOJI, PERSIAN, HINDI, HEBREW, 'a\u200bb', 'a\ufeffb', 'a\nb'])(
    'has no invisible characters, as in %j',
    (text) => {
      expect(hasUnprintable(text)).toBe(true);
    },
  );
});
