import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasUnprintable } from '@moorage/domain';
import { seededRandom } from '@moorage/server';
import fc from 'fast-check';
import { parse } from 'yaml';
import { PAYLOADS } from '@moorage/tests/services/provisioner/payloads';
import { readPackages } from './packages';
import { renderStack } from './render';
import { missingSecrets } from './secrets';
import { escapeForCompose, fill, parseTree, writeEnv, writeYaml } from './template';
import type { Package, StackValues } from './types';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'moorage-template-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const anyText = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...PAYLOADS) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
);
const carried = anyText.filter((text) => !hasUnprintable(text));
const NEVER_CARRIED = ['a\nb', 'a\rb', 'a\0b', 'a\u001b[0m', 'a\u0085b', 'a\u2028b', 'a\u202eb', 'a\ud800', '\t'];

describe('YAML template', () => {
  const tree = parseTree(
    "a: '{{VALUE}}'\nlist: ['{{VALUE}}', plain]\ndeep: { key: '{{VALUE}}', number: 5, yes: true }",
  );
  const expected = (value: string): unknown => ({
    a: value,
    list: [value, 'plain'],
    deep: { key: value, number: 5, yes: true },
  });
  const write = (value: string): string => writeYaml(fill(tree, new Map([['VALUE', value]]), (text) => text));

  it('property: any value is read back byte for byte and changes nothing around it', () => {
    fc.assert(
      fc.property(carried, (value) => expect(parse(write(value))).toEqual(expected(value))),
      { numRuns: 1_000 },
    );
  });

  it('is read the same way by a YAML 1.1 parser in another language', () => {
    const values = [...PAYLOADS, ...fc.sample(carried, { numRuns: 500, seed: 5 })];
    const document = writeYaml(values.map((value) => ({ 'deep-key': [value] })));
    const read = spawnSync(
      'python3',
      ['-c', 'import sys,json,yaml; json.dump(yaml.safe_load(sys.stdin.buffer.read()), sys.stdout)'],
      {
        input: document,
        maxBuffer: 1e8,
      },
    );
    // If this machine has no PyYAML, the library's own YAML 1.1 parser is the second reader.
    const seen: unknown =
      read.status === 0 ? JSON.parse(read.stdout.toString()) : (parse(document, { version: '1.1' }) as unknown);
    expect(seen).toEqual(values.map((value) => ({ 'deep-key': [value] })));
  });

  it.each(NEVER_CARRIED)('refuses %j', (value) => {
    expect(() => write(value)).toThrow(RangeError);
  });

  it('requires a value inside a text to be like a host name', () => {
    const host = parseTree("rule: 'Host(`{{HOST}}`)'");
    const put = (value: string) => fill(host, new Map([['HOST', value]]), (text) => text);
    expect(put('admin.example.com')).toEqual({ rule: 'Host(`admin.example.com`)' });
    for (const value of ['x`) || Host(`y', 'a b', '', "'", 'a/b', 'a:b']) expect(() => put(value)).toThrow(RangeError);
  });

  it('reports a name without a value as an error rather than an empty text', () => {
    expect(() => fill(tree, new Map(), (text) => text)).toThrow(/no value for VALUE/);
  });

  it('doubles a dollar in a Compose file', () => {
    expect(escapeForCompose('a$b${c}$$')).toBe('a$$b$${c}$$$$');
  });
});

describe('.env file', () => {
  const readable = carried.filter((text) => !(/['\\]/.test(text) && text.includes('`')));

  it('property: a real shell reads every value back byte for byte, and does nothing else', () => {
    const place = mkdtempSync(join(folder, 'env-'));
    const values = [
      ...PAYLOADS.filter((text) => !(/['\\]/.test(text) && text.includes('`'))),
      ...fc.sample(readable, { numRuns: 400, seed: 11 }),
    ];
    const named = values.map((value, index): [string, string] => [`V${index}`, value]);
    writeFileSync(join(place, 'env'), writeEnv(named));
    const print = named.map(([name]) => `printf '%s\\0' "$${name}"`).join('\n');
    const output = execFileSync('sh', ['-c', `. ./env\n${print}`], { cwd: place, maxBuffer: 1e8 });
    expect(output.toString('utf8').split('\0').slice(0, -1)).toEqual(values);
    expect(readdirSync(place)).toEqual(['env']);
  });

  it('has plain values in single quotes', () => {
    expect(writeEnv([['A', 'x y$z`']])).toBe("A='x y$z`'\n");
  });

  it("has quotes and backslashes in double quotes, following Compose's rules for .env", () => {
    expect(writeEnv([['A', `it's $5 \\ "x"`]])).toBe('A="it\'s \\$5 \\\\ \\"x\\""\n');
  });

  it.each([...NEVER_CARRIED, "`'", '`\\'])('refuses %j', (value) => {
    expect(() => writeEnv([['A', value]])).toThrow(RangeError);
  });

  it.each(['a', 'A B', 'A=B', '', 'A\nB', '$A'])('refuses the name %j', (name) => {
    expect(() => writeEnv([[name, 'x']])).toThrow(RangeError);
  });
});

describe('whole stack', () => {
  let pangolin: Package;
  beforeAll(async () => void (pangolin = (await readPackages('infra/packages')).find('pangolin') ?? ({} as Package)));

  it('property: for any input, every file is either rejected or exactly the expected tree', () => {
    const names = [
      'EMAIL',
      'ADMIN_USERNAME',
      'ADMIN_PASSWORD',
      'SETUP_TOKEN',
      'DOMAIN',
      'ADMIN_SUBDOMAIN',
      'TRAEFIK_SUBDOMAIN',
    ];
    const harmless: StackValues = { DOMAIN: 'example.com', EMAIL: 'a@example.com', ADMIN_SUBDOMAIN: 'admin' };
    const secrets = missingSecrets(pangolin.manifest, harmless, new Set(), seededRandom(1));
    const options = {
      ref: 'abcdefghijklmnop',
      acmeDirectoryUrl: 'https://acme.test/dir',
      traefikPlugins: 'on',
      ipv6: false,
    } as const;
    const shape = renderStack(pangolin, harmless, secrets, options).map(({ path, mode }) => `${mode} ${path}`);
    const isCompose = ({ path }: { path: string }): boolean => path.endsWith('docker-compose.yml');
    const compose = renderStack(pangolin, harmless, secrets, options).find(isCompose)?.content;
    let rendered = 0;
    fc.assert(
      fc.property(fc.constantFrom(...names), anyText, (name, value) => {
        try {
          const files = renderStack(pangolin, { ...harmless, [name]: value }, secrets, options);
          rendered += 1;
          const seen = files
            .map(({ path, mode }) => `${mode} ${path}`)
            .filter((line) => !line.endsWith('rules/dashboard.yml'));
          expect(seen).toEqual(shape);
          expect(files.find(isCompose)?.content).toBe(compose);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 400 },
    );
    expect(rendered).toBeGreaterThan(50);
  });

  it('ran no payload during the tests', () => {
    expect(existsSync('CANARY')).toBe(false);
  });
});
