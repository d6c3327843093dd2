import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/**
 * Checks that everything a document or comment refers to is in the repository. This covers links, paths, and the
 * numbers of decisions, threats, faults, invariants and findings.
 */
const GENERATED = new Set(['node_modules', 'dist', '.git', '.nx', '.moorage', '.cache', 'coverage']);
const paths = listed('.');
const files = paths.filter((path) => !path.endsWith('/'));
const known = new Set(paths.map((path) => path.replace(/\/$/, '')));
const topFolders = new Set(paths.filter((path) => /^[^/]+\/$/.test(path)).map((path) => path.slice(0, -1)));

const documents = files.filter((file) => /^(README|CONTRIBUTING)\.md$|^docs\/.*\.md$|(^|\/)README\.md$/.test(file));
/**
 * Files in which comments, tests and documents cite by number. This file is left out, because it contains examples that
 * are wrong on purpose.
 */
const texts = files.filter(
  (file) =>
    (documents.includes(file) || /^(apps|libs|scripts|tests|bench|infra)\//.test(file)) &&
    ['.ts', '.tsx', '.js', '.mjs', '.sql', '.sh', '.yml', '.yaml', '.css', '.md'].includes(extname(file)) &&
    file !== 'scripts/references.spec.ts',
);

/** Lists all files below a folder, and all folders with a trailing slash. */
function listed(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !GENERATED.has(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? [`${path}/`, ...listed(path)] : [path];
    });
}

const read = (file: string): string => readFileSync(file, 'utf8');

/** Joins a comment that continues on the next line. */
const unwrapped = (text: string): string => text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/|#|--)?\s*/g, ' ');

const anchorsByFile = new Map<string, Set<string>>();
/** Returns the anchors that a link may name after `#`, which are headings as GitHub spells them and explicit ids. */
function anchorsOf(file: string): Set<string> {
  const before = anchorsByFile.get(file);
  if (before !== undefined) return before;
  const text = read(file);
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/<[^>]*>/g, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
  const anchors = new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]);
  anchorsByFile.set(file, anchors);
  return anchors;
}

/**
 * Returns whether the reference leads to a file of the repository and to an anchor in it. `from` is the folder it is
 * relative to.
 */
function leadsSomewhere(reference: string, from: string): boolean {
  const [path = '', anchor] = reference.split('#');
  const file = normalize(join(from, path)).replace(/\/$/, '');
  return known.has(file) && (anchor === undefined || anchorsOf(file).has(anchor));
}

function wrongLinks(document: string, text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) =>
      link.startsWith('#') ? !anchorsOf(document).has(link.slice(1)) : !leadsSomewhere(link, dirname(document)),
    );
}

/**
 * Returns unknown paths, given from the root as `libs/ledger/ledger.ts`, as a name in any folder (`ledger.ts`,
 * `ssh/ssh.spec.ts`), or with a pattern (`libs/x/**`).
 */
function wrongPaths(text: string): string[] {
  const inCode = text.replace(/^```[^]*?^```/gm, '').matchAll(/`([^`\s]+)`/g);
  return [...inCode]
    .map(([, code = '']) => code)
    .filter((code) => /^[\w.@-]+(\/[\w.@*{}-]+)*\/?$/.test(code) && !/^(dist|node_modules)\//.test(code))
    .filter((code) => {
      const path = code.split('*')[0] ?? '';
      const isPath = topFolders.has(path.split('/')[0] ?? '') && path.includes('/');
      const named = path.replace(/\/$/, '');
      if (isPath && path !== code) return !paths.some((some) => some.startsWith(path));
      if (isPath) return !known.has(named);
      if (!/^[^*]+\.(tsx?|mjs|sql|sh|md)$/.test(code)) return false;
      return !files.some((file) => file === named || file.endsWith(`/${named}`));
    });
}

/**
 * Returns unknown documents that comments name, such as `docs/packages.md#passwords`, `docs/adr/0017` or `ADR 0017`.
 */
function wrongDocuments(text: string): string[] {
  const records = [...unwrapped(text).matchAll(/\b(?:docs\/adr\/|ADR )(\d{4})/g)]
    .filter(([, number = '']) => !files.some((file) => file.startsWith(`docs/adr/${number}-`)))
    .map(([reference]) => reference);
  const named = [...text.matchAll(/(?<![\w./{}*-])([\w./-]+\.md(?:#[\w-]+)?)/g)]
    .map(([, reference = '']) => reference)
    .filter((reference) => !leadsSomewhere(reference, '.') && !files.some((file) => file.endsWith(`/${reference}`)));
  return [...records, ...named];
}

const numbersIn = (file: string): Set<string> =>
  new Set(
    [...read(file).matchAll(/^\| ([A-Z]\d[^|]*) \|/gm)].flatMap(
      ([, cell = '']) => cell.match(/\b[A-Z]\d+[a-z]?\b/g) ?? [],
    ),
  );
const DECISIONS = 'docs/decisions/README.md';
const SPECIFICATION = 'docs/specification.md';
const THREATS = 'docs/threats-and-faults.md';
const defined = new Set([...numbersIn(THREATS), ...numbersIn('docs/archive/engine-review.md')]);

function wrongDecisions(text: string): string[] {
  return [...unwrapped(text).matchAll(/\bdecisions? (\d+(?:(?:,| and| to) \d+)*)/gi)]
    .flatMap(([, numbers = '']) => numbers.match(/\d+/g) ?? [])
    .filter((number) => !anchorsOf(DECISIONS).has(`d${number}`))
    .map((number) => `decision ${number}`);
}

function wrongSections(text: string): string[] {
  return [...unwrapped(text).matchAll(/\bspecification,? section (\d+)/gi)]
    .filter(([, number = '']) => !anchorsOf(SPECIFICATION).has(`section-${number}`))
    .map(([reference]) => reference);
}

/**
 * Returns unknown numbers in parentheses, of threats (S), faults (F), invariants (I), findings (H, M, L) and rules of
 * decisions (R).
 */
function wrongNumbers(text: string): string[] {
  return [...unwrapped(text).matchAll(/\(([SFIHMLR]\d{1,2}[a-d]?(?:, [SFIHMLR]\d{1,2}[a-d]?)*)\)/g)]
    .flatMap(([, numbers = '']) => numbers.split(', '))
    .filter((number) =>
      number.startsWith('R') ? !anchorsOf(DECISIONS).has(number.toLowerCase()) : !defined.has(number),
    );
}

const everywhere = (wrong: (text: string) => readonly string[], where: readonly string[]): string[] =>
  where.flatMap((file) => wrong(read(file)).map((reference) => `${file}: ${reference}`));

describe('every reference leads to something in the repository:', () => {
  it('links of documents', () => {
    expect(documents.length).toBeGreaterThan(30);
    const wrong = documents.flatMap((file) => wrongLinks(file, read(file)).map((link) => `${file}: ${link}`));
    expect(wrong).toEqual([]);
  });

  it('paths in documents', () => {
    expect(everywhere(wrongPaths, documents)).toEqual([]);
  });

  it('documents that comments name', () => {
    const code = texts.filter((file) => !file.endsWith('.md'));
    expect(code.length).toBeGreaterThan(800);
    expect(everywhere(wrongDocuments, code)).toEqual([]);
  });

  it('decisions', () => {
    expect(everywhere(wrongDecisions, texts)).toEqual([]);
  });

  it('sections of the specification', () => {
    expect(everywhere(wrongSections, texts)).toEqual([]);
  });

  it('threats, faults, invariants and findings', () => {
    expect(everywhere(wrongNumbers, texts)).toEqual([]);
  });

  it('every decision record has the same headings', () => {
    const wrong = files
      .filter((file) => /^docs\/adr\/\d{4}-.*\.md$/.test(file))
      .filter((file) => {
        const headings = [...read(file).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
        return headings.slice(0, 4).join() !== 'Context,Decision,Alternatives,Consequences';
      });
    expect(wrong).toEqual([]);
  });

  it('names that the glossary gives for the code of today', () => {
    const glossary = [...read('docs/glossary.md').matchAll(/^\|.*\|([^|]*)\|$/gm)].map(([, cell = '']) => cell).join();
    const code = texts.filter((file) => !file.endsWith('.md')).map(read);
    const names = [...glossary.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace(/\(\)$/, ''));
    expect(names.filter((name) => !known.has(name) && !code.some((text) => text.includes(name)))).toEqual([]);
  });

  it('every invariant has its row', () => {
    const file = files.find((path) => basename(path) === 'invariants.sql') ?? '';
    const names = [...read(file).matchAll(/^-- name: (I\w+) /gm)].map(([, name = '']) => name);
    const rows = [...numbersIn(THREATS)].filter((number) => number.startsWith('I'));
    expect(rows.sort()).toEqual(names.sort());
  });
});

describe('a reference that leads nowhere is found:', () => {
  it.each([
    ['a link', (text: string) => wrongLinks('docs/architecture.md', text), '[x](nowhere.md)', '[x](events.md)'],
    ['an anchor', (text: string) => wrongLinks('README.md', text), '[x](#nothing)', '[x](#test-it)'],
    ['a path', wrongPaths, '`libs/ledger/nothing.ts`', '`libs/ledger/ledger.ts`'],
    ['a pattern', wrongPaths, '`libs/nothing/**/*.spec.ts`', '`libs/domain/**/*.spec.ts`'],
    ['a file name', wrongPaths, '`nothing.spec.ts`', '`ledger.spec.ts`'],
    ['a document', wrongDocuments, '// see docs/packages.md#nothing', '// see docs/packages.md#passwords'],
    ['a decision record', wrongDocuments, '(docs/adr/0099)', '(docs/adr/0017, ADR 0008)'],
    ['a decision', wrongDecisions, '/** (decisions 4,\n * 99) */', '/** (decisions 4,\n * 22) */'],
    ['a section', wrongSections, 'specification section 12', 'specification section 4'],
    ['a threat', wrongNumbers, '(S99)', '(S25)'],
    ['one of several', wrongNumbers, '(M8, F99)', '(M8, F15)'],
    ['a rule', wrongNumbers, '(R99)', '(R16)'],
  ])('%s', (_, wrong, bad, good) => {
    expect(wrong(bad)).toHaveLength(1);
    expect(wrong(good)).toEqual([]);
  });
});
