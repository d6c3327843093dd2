import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createReader } from './read';
import { say } from './say';
import { CONSOLE_SENTENCES } from './console-tables';
import { PUBLIC_SENTENCES } from './public-tables';
import { againIn, PACE_WORDS } from './pace';
import { CERTIFICATE_WORDS, DNS_WORDS } from './name-check';
import { ORDER_WORDS } from './order';

const TABLES = { ...PUBLIC_SENTENCES, ...CONSOLE_SENTENCES };
const ALL = Object.entries(TABLES).flatMap(([area, table]) =>
  Object.entries(table).map(([name, template]) => ({ code: `${area}.${name}`, template: template })),
);

/** What really stands there, of every kind. */
const EXAMPLES: Readonly<Record<string, string>> = {
  addresses: '192.0.2.1, 2a01:4f8::1',
  day: '2026-12-01',
  field: 'config.admin_email',
  found: 'Fedora Linux 40',
  instant: '2026-12-01 20:00 UTC',
  issuer: 'C=US, O=(STAGING) Somebody',
  label: 'Admin Subdomain',
  methods: 'GET, POST',
  name: 'jane-pangolin-123456',
  other: 'OAuth Client ID',
  package: 'Pangolin+ (with CrowdSec)',
  program: 'nginx: master',
  resolvers: '1.1.1.1, 127.0.0.53:5300',
  rule: '80 tcp',
  status: 'DNS Setup Required',
  url: 'https://admin.example.com/api/v1',
  values: 'new, vps',
  words: 'rateLimited: too many certificates. See https://example.com/limits for more.',
};
const namesOf = (template: string): string[] => [...template.matchAll(/%\{(\w+)\}/g)].map(([, name]) => name ?? '');
const factsOf = (template: string): Record<string, string> =>
  Object.fromEntries(namesOf(template).map((name) => [name, EXAMPLES[name] ?? 'a.example.com']));
const spoken = ({ template }: { template: string }): string => say<string>(template, factsOf(template));

const read = createReader(TABLES);

describe('the sentences of the rules and the servers', () => {
  it('stand in one place only', () => {
    const words = ALL.map(({ template }) => template);
    expect(words.filter((text, at) => words.indexOf(text) !== at)).toEqual([]);
  });

  it.each(ALL)('$code is known again, with its facts', ({ code, template }) => {
    expect(read(spoken({ template }))).toEqual([{ code, facts: factsOf(template) }]);
  });

  it('are known again behind each other, whichever come together', () => {
    const finished = ALL.filter(({ template }) => /\.$/.test(template));
    for (const [at, first] of finished.entries()) {
      const second = finished[(at * 31 + 7) % finished.length] ?? first;
      expect(read(`${spoken(first)} ${spoken(second)}`)?.map(({ code }) => code)).toEqual([first.code, second.code]);
    }
  });

  it('a reason made of three records is three sentences', () => {
    const record = { type: 'A', value: '192.0.2.1' };
    const text = ['a', 'b', 'c']
      .map((host) => say(DNS_WORDS.none, { ...record, host: `${host}.example.com` }))
      .join(' ');
    expect(read(text)?.map(({ code, facts }) => [code, facts.host])).toEqual([
      ['dns.none', 'a.example.com'],
      ['dns.none', 'b.example.com'],
      ['dns.none', 'c.example.com'],
    ]);
  });

  it.each(['', 'Somebody wrote this.', 'Choose a region. And then?', 'x'.repeat(10_000), `${'a: '.repeat(600)}b`])(
    'the words of somebody else are nobody’s sentence: %#',
    (text) => {
      expect(read(text)).toBeNull();
    },
  );

  it('an authority may say what it likes', () => {
    const words = 'a $& %{host} <b>\n.';
    const text = say(CERTIFICATE_WORDS.authority_says, { words });
    expect(read(text)).toEqual([{ code: 'certificate.authority_says', facts: { words } }]);
  });

  it('facts are filled in as they are', () => {
    expect(say(ORDER_WORDS.value_missing_with, { label: '%{other}', other: '$1' })).toBe('%{other} is needed with $1.');
  });

  it.each([
    [1, PACE_WORDS.again_second],
    [90, 'Try again in 90 seconds.'],
    [91, 'Try again in 2 minutes.'],
    [5_400, 'Try again in 90 minutes.'],
    [5_401, 'Try again in 2 hours.'],
  ])('%d seconds: %s', (seconds, sentence) => {
    expect(againIn(seconds)).toBe(sentence);
  });
});

describe('whoever says something to a person', () => {
  /**
   * Mails, the documentation and the pages of the test checkout and of simulated servers (in both languages) are texts of
   * their own; what ends a start is read by who started it.
   */
  const ELSEWHERE = [
    'apps/api/mail/texts.ts',
    'apps/api/http/openapi.ts',
    'apps/api/http/http-listener.ts',
    'libs/runtime/open-when-ready.ts',
    'apps/api/payments/test-checkout.ts',
    'apps/api/console/simulated-page.ts',
  ];
  const SENTENCE = /(['"`])(?:[A-Z]|\$\{)(?:(?!\1)[^\n])* (?:(?!\1)[^\n])*(?<!\.\.)[.!]\1/g;

  const sources = ['apps/api', 'apps/billing', 'apps/provisioner', 'libs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );

  it.each(['libs/contracts', 'libs/domain', 'libs/ledger', 'libs/database', 'libs/runtime', 'apps/'])(
    'takes the sentence from the tables: %s',
    (folder) => {
      const files = sources.filter(
        (path) =>
          path.startsWith(folder) &&
          path.endsWith('.ts') &&
          !/\.(spec|suite)\.ts$|\/(testing|words)\/|\/testing\.ts$/.test(path) &&
          !ELSEWHERE.includes(path),
      );
      const found = files.flatMap((path) =>
        readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => !/^\s*(\*|\/\/|\/\*\*)/.test(line) && !/\b(log\.|summary:|new (Range)?Error\()/.test(line))
          .flatMap((line) =>
            (line.replace(/\/\*\*.*?\*\/|\/\/ .*$/g, '').match(SENTENCE) ?? []).map((text) => `${path}: ${text}`),
          ),
      );
      expect(files.length).toBeGreaterThan(3);
      expect(found).toEqual([]);
    },
  );
});
