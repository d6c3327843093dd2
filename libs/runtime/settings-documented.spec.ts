import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SETTINGS } from './settings';

const names = Object.keys(SETTINGS).sort();
const described = Object.entries(SETTINGS).map(([name, schema]) => [name, schema.description ?? ''] as const);

describe('every setting', () => {
  it('is described', () => {
    expect(described.filter(([, text]) => text === '')).toEqual([]);
  });

  it('stands in .env.example, and nothing else does', () => {
    const lines = readFileSync('.env.example', 'utf8').matchAll(/^# ?([A-Z0-9_]+)=/gm);
    expect([...lines].map((line) => line[1]).sort()).toEqual(names);
  });

  it("stands in the README's table, and nothing else does", () => {
    const [, table = ''] = readFileSync('README.md', 'utf8').split('<!-- settings -->');
    expect([...table.matchAll(/^\| `([A-Z0-9_]+)`/gm)].map((row) => row[1]).sort()).toEqual(names);
  });
});
