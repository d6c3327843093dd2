import { describe, expect, it } from '@jest/globals';
import { factsProblems, packageFacts } from './package-manifest';

const hint = { en: 'A name', de: 'Ein Name' };
const manifest = {
  name: 'harbour',
  catalogue_version: 1,
  releases: [{ version: '1', kind: 'minor', released_on: '2026-06-01', changes: [{ en: 'New', de: 'Neu' }], pins: {} }],
  display_name: 'Harbour',
  package_description: { en: 'A harbour', de: 'Ein Hafen' },
  mark: [{ d: 'M4 4h16v16H4z', stroke: 3 }],
  base: 'harbour',
  admin_name: 'email',
  default_admin_subdomain: 'admin',
  requires: { cpu: 1, memory_gb: 1, disk_gb: 1, arch: ['amd64'] },
  firewall: [],
  details: [
    {
      name: 'quay',
      description: { en: 'A quay', de: 'Ein Kai' },
      required_env: [{ name: 'ADMIN_USERNAME', hint }],
      optional_env: [],
    },
  ],
};
const detail = (change: object) => ({ details: [{ ...manifest.details[0], ...change }] });

describe('package manifest', () => {
  /** Returns the paths of the rejected fields, such as `package_description.de`. */
  const refusedAt = (change: object): string[] =>
    packageFacts.safeParse({ ...manifest, ...change }).error?.issues.map(({ path }) => path.join('.')) ?? [];

  it('is accepted with every field set', () => {
    expect(refusedAt({})).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['a description in one language', { package_description: { en: 'A harbour' } }, 'package_description.de'],
    ['an empty text', { package_description: { en: 'A harbour', de: '' } }, 'package_description.de'],
    ['a single text for all languages', { package_description: 'A harbour' }, 'package_description'],
    ['an unsupported language', { package_description: { ...hint, fr: 'Un port' } }, 'package_description'],
    ["a part's description in one language", detail({ description: { de: 'Ein Kai' } }), 'details.0.description.en'],
    ['an icon without paths', { mark: [] }, 'mark'],
    ['an icon with nine paths', { mark: Array(9).fill(manifest.mark[0]) }, 'mark'],
    ['another kind of administrator', { admin_name: 'number' }, 'admin_name'],
    ['a base that is a path', { base: '../harbour' }, 'base'],
  ])('%s is rejected with its path', (_, change, path) => {
    expect(refusedAt(change)).toContain(path);
  });

  it('rejects a hint in one language', () => {
    expect(refusedAt(detail({ required_env: [{ name: 'ADMIN_USERNAME', hint: { en: 'A name' } }] }))).not.toEqual([]);
  });

  it.each([
    'M4 4"/><script>alert(1)</script>',
    'url(#x)',
    'M4 4;stroke:red',
    '',
    'M',
    `M${'1 '.repeat(200)}`,
    'M4 4\n',
  ])('accepts only commands and numbers in an icon path: %j', (d) => {
    expect(refusedAt({ mark: [{ d, stroke: 3 }] })).not.toEqual([]);
  });

  it.each<[string, object]>([
    ['neither stroke nor fill', { d: 'M4 4h1' }],
    ['both stroke and fill', { d: 'M4 4h1', stroke: 3, fill: true }],
    ['coloured', { d: 'M4 4h1', fill: 'red' }],
    ['a stroke as wide as the square', { d: 'M4 4h1', stroke: 24 }],
    ['an object with an unknown key', { d: 'M4 4h1', stroke: 3, onclick: 'x' }],
  ])('rejects an icon path that is %s', (_, path) => {
    expect(refusedAt({ mark: [path] })).not.toEqual([]);
  });
});

describe('manifest checks that need the other packages', () => {
  const bases: Readonly<Record<string, string>> = {
    harbour: 'harbour',
    island: 'harbour',
    sea: 'sea',
    bay: 'sea',
    wreck: 'ocean',
    ring: 'circle',
    circle: 'ring',
  };
  const problems = (change: object, folder = 'harbour'): string[] =>
    factsProblems(packageFacts.parse({ ...manifest, ...change }), { folder, baseOf: (name) => bases[name] });

  it.each<[string, object, string[]]>([
    ['accepts its own base', {}, []],
    ['accepts the base of another package', { base: 'sea' }, []],
    ['rejects a missing base', { base: 'ocean' }, ['base ocean does not exist']],
    ['accepts a base that has a base itself', { base: 'bay' }, []],
    ['rejects a base built on this package', { base: 'island' }, ['the bases form a cycle']],
    ['rejects a base whose base is missing', { base: 'wreck' }, ['base ocean does not exist']],
    ['rejects circular bases', { base: 'ring' }, ['the bases form a cycle']],
    [
      'rejects an administrator without a kind of name',
      { admin_name: undefined },
      ['ADMIN_USERNAME is requested without an admin_name'],
    ],
    [
      'rejects a kind of name without its field',
      { details: [] },
      ['admin_name is set but ADMIN_USERNAME is not requested'],
    ],
  ])('%s', (_, change, expected) => {
    expect(problems(change)).toEqual(expected);
  });

  it('rejects a name that differs from the folder', () => {
    expect(problems({}, 'quay')).toEqual(['name harbour differs from the folder name']);
  });
});
