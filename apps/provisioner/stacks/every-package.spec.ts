import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  configurableEnv,
  checkConfig,
  type Draft,
  ENV_VARIABLES,
  type EnvName,
  envValues,
  envVariable,
  newWizard,
} from '@moorage/domain';
import { seededRandom } from '@moorage/server';
import { parse } from 'yaml';
import type { HostFile } from '../ssh/types';
import { PAYLOADS } from '@moorage/tests/services/provisioner/payloads';
import { readPackages } from './packages';
import { renderStack, wantedHosts } from './render';
import { missingSecrets } from './secrets';
import type { Package } from './types';

/** Values that are valid for every package that uses them and appear nowhere else in a stack. */
const PLAIN: Readonly<Record<EnvName, string>> = {
  DOMAIN: 'marked-domain.example',
  EMAIL: 'marked-email@people.example',
  ADMIN_SUBDOMAIN: 'marked-door',
  SETUP_TOKEN: 'markedsetuptoken0123456789abcdef',
  ADMIN_USERNAME: '',
  ADMIN_PASSWORD: 'Marked-Password-7-North',
  CROWDSEC_ENROLLMENT_KEY: 'markedenrolment0123456789',
  STATIC_PAGE_SUBDOMAIN: 'marked-page',
  MAXMIND_LICENSE_KEY: 'marked_maxmind',
  CLIENT_ID: '77-marked.apps.example.com',
  CLIENT_SECRET: 'MARKED-client-secret',
  KOMODO_HOST_IP: '8.8.4.4',
  KOMODO_PASSKEY: 'marked-passkey-0123',
  OPENAI_API_KEY: 'sk-marked-0123',
  TRAEFIK_SUBDOMAIN: 'marked-traefik',
  MIDDLEWARE_MANAGER_SUBDOMAIN: 'marked-rules',
  LOGS_SUBDOMAIN: 'marked-logs',
  NLWEB_SUBDOMAIN: 'marked-ask',
};
const NAMES = { email: 'marked-admin@people.example', display_name: 'Marked Admin' } as const;

const label = 'l'.repeat(63);
const all = '!#%*+./0123456789:=?@ABCXYZ[]^_abcxyz{}~-';
/** Values of the maximum length and with as many different characters as are allowed. */
const LONGEST: Readonly<Partial<Record<EnvName, readonly string[]>>> = {
  DOMAIN: [`${label}.${label}.${'l'.repeat(53)}.example`],
  EMAIL: [`a._%+-${'e'.repeat(58)}@${label}.example`],
  ADMIN_USERNAME: [`a._%+-${'e'.repeat(58)}@${label}.example`, `A ${'_-'.repeat(126)}b`],
  ADMIN_PASSWORD: [`Aa7${'#?!@%^&*()_+=[]{}|:;,.<>/~-'.repeat(3)}`.slice(0, 64)],
  MAXMIND_LICENSE_KEY: [`k${'Aa0._~+/=:@-'.repeat(24)}`],
  CLIENT_ID: [`k${'Aa0._~+/=:@-'.repeat(24)}`],
  CLIENT_SECRET: [`k${'Aa0._~+/=:@-'.repeat(24)}`],
  OPENAI_API_KEY: [`k${'Aa0._~+/=:@-'.repeat(24)}`],
  KOMODO_PASSKEY: [all.repeat(4).slice(0, 200)],
  KOMODO_HOST_IP: ['2606:4700:4700::1111'],
  CROWDSEC_ENROLLMENT_KEY: ['z'.repeat(40)],
};
const typed = (env: EnvName): readonly string[] => [
  ...PAYLOADS,
  ...(LONGEST[env] ?? []),
  label,
  `${label}l`,
  'x'.repeat(401),
  'a\nB=c',
  'a\r\n- b',
  'a\0b',
  'line\u2028end',
  '-',
  '127.0.0.1',
];

type Change = Partial<Record<EnvName, string>>;

let packages: readonly Package[];
let place: string;
beforeAll(async () => {
  packages = (await readPackages('infra/packages')).all().filter(({ manifest }) => !manifest.hidden);
  place = mkdtempSync(join(tmpdir(), 'moorage-every-package-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const plainFor = ({ manifest }: Package, env: EnvName): string =>
  env === 'ADMIN_USERNAME' ? NAMES[manifest.admin_name ?? 'email'] : PLAIN[env];

const problemsOf = ({ manifest }: Package, draft: Draft) => checkConfig(draft, manifest);

function draftOf(pack: Package, change: Change): Draft {
  const values = configurableEnv(pack.manifest).map(({ name }) => {
    const row = envVariable(name);
    return [row?.field ?? name, change[name as EnvName] ?? plainFor(pack, name as EnvName)];
  });
  return { ...newWizard().draft, package: pack.manifest.name, ...Object.fromEntries(values) };
}

function render(pack: Package, change: Change): readonly HostFile[] {
  const { plain, secret } = envValues(draftOf(pack, change), pack.manifest);
  const created = missingSecrets(pack.manifest, plain, new Set(Object.keys(secret)), seededRandom(3));
  return renderStack(
    pack,
    plain,
    { ...secret, ...created },
    {
      ref: 'abcdefghijklmnop',
      acmeDirectoryUrl: 'https://acme.test/directory',
      traefikPlugins: 'on',
      ipv6: true,
    },
  );
}

/**
 * Parses each file as its reader does. YAML and JSON become trees, env files are read like a shell does, and others are
 * text.
 */
function readBack(files: readonly HostFile[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(files.map(({ path, content }) => [path, readFile(path, content)]));
}

/** Most files are the same for most values, so each text is parsed once. */
const read = new Map<string, unknown>();
function readFile(path: string, content: string | null): unknown {
  if (content === null) return null;
  const key = `${path}\n${content}`;
  if (!read.has(key)) read.set(key, parsed(path, content));
  return read.get(key);
}

function parsed(path: string, content: string): unknown {
  if (path.endsWith('.env')) return shellReads(content);
  return /\.(ya?ml|json)$|allowed-emails$/.test(path) ? (parse(content, { logLevel: 'error' }) as unknown) : content;
}

function shellReads(content: string): Readonly<Record<string, string>> {
  writeFileSync(join(place, 'env'), content);
  const names = [...content.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name);
  const print = names.map((name) => `printf '%s\\0' "$${name}"`).join('\n');
  const output = execFileSync('sh', ['-c', `. ./env\n${print}`], { cwd: place, env: {} }).toString('utf8');
  return Object.fromEntries(output.split('\0').map((value, index) => [names[index] ?? 'end', value]));
}

/** Returns the tree with the marked value replaced in every string. Nothing else may differ. */
function replaced(tree: unknown, from: string, to: string): unknown {
  if (typeof tree === 'string') return tree.replaceAll(from, () => to);
  if (Array.isArray(tree)) return tree.map((item) => replaced(item, from, to));
  if (typeof tree !== 'object' || tree === null) return tree;
  return Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, replaced(value, from, to)]));
}

const packageNames = readdirSync('infra/packages').filter((name) => !name.startsWith('test-'));

describe.each(packageNames)('%s', (name) => {
  const find = (): Package => packages.find(({ manifest }) => manifest.name === name) ?? ({} as Package);
  const requested = (): readonly EnvName[] =>
    ENV_VARIABLES.map(({ env }) => env).filter((env) =>
      configurableEnv(find().manifest).some((row) => row.name === env),
    );

  it('accepts a plain value in every field, and each reaches a file', () => {
    const pack = find();
    expect(problemsOf(pack, draftOf(pack, {}))).toEqual([]);
    const text = JSON.stringify(readBack(render(pack, {})));
    expect(requested().filter((env) => !text.includes(plainFor(pack, env)))).toEqual([]);
  });

  it('rejects the input of a field, or every file still contains exactly that input', () => {
    const pack = find();
    const before = readBack(render(pack, {}));
    let carried = 0;
    for (const env of requested()) {
      for (const value of typed(env)) {
        const refused = problemsOf(pack, draftOf(pack, { [env]: value }));
        if (refused.length > 0) {
          expect(refused.map(({ path }) => path)).toContain(envVariable(env)?.field);
          continue;
        }
        carried += 1;
        const plain = plainFor(pack, env);
        const expected =
          env === 'KOMODO_HOST_IP' && value.includes(':')
            ? replaced(before, `${plain},::ffff:${plain}`, value)
            : replaced(before, plain, value);
        expect({ env, value, files: readBack(render(pack, { [env]: value })) }).toEqual({
          env,
          value,
          files: expected,
        });
      }
      for (const value of LONGEST[env] ?? []) {
        if (env === 'ADMIN_USERNAME' && value.includes('@') !== (pack.manifest.admin_name === 'email')) continue;
        expect([env, problemsOf(pack, draftOf(pack, { [env]: value }))]).toEqual([env, []]);
      }
    }
    expect(carried).toBeGreaterThan(20);
  });

  it('is complete with every optional field empty, and rejects each empty required field', () => {
    const pack = find();
    const required = configurableEnv(pack.manifest).filter((row) => row.required);
    const none = Object.fromEntries(requested().map((env) => [env, '']));
    const refused = problemsOf(pack, draftOf(pack, none));
    expect(refused.map(({ path }) => path).sort()).toEqual(required.map((row) => envVariable(row.name)?.field).sort());
    const needed = {
      ...none,
      ...Object.fromEntries(required.map((row) => [row.name, plainFor(pack, row.name as EnvName)])),
    };
    expect(problemsOf(pack, draftOf(pack, needed))).toEqual([]);
    const text = JSON.stringify(readBack(render(pack, needed)));
    expect(text).not.toMatch(/\{\{[A-Z]|undefined|"[^"]*\[object/);
  });

  it('has no host name beyond the maximum length', () => {
    const pack = find();
    const labels = requested().filter((env) => env.endsWith('_SUBDOMAIN'));
    const longest = labels.map((env, index) => [env, `${'l'.repeat(62)}${index}`]);
    const [domain = ''] = LONGEST.DOMAIN ?? [];
    const change: Change = { ...(Object.fromEntries(longest) as Change), DOMAIN: domain };
    expect(problemsOf(pack, draftOf(pack, change))).toEqual([]);
    const { plain } = envValues(draftOf(pack, change), pack.manifest);
    expect(wantedHosts(pack.manifest, plain).filter(({ host }) => host.length > 253)).toEqual([]);
  });
});

it('ran no payload during the tests', () => {
  expect([existsSync('CANARY'), existsSync(join(place, 'CANARY'))]).toEqual([false, false]);
});
