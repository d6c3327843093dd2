import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@moorage/server';
import { READ_SCRIPT, SCRIPT_END } from '../ssh/command';
import { readHostScripts } from '../ssh/scripts';
import { readPackages } from './packages';
import { renderStack } from './render';
import { missingSecrets } from './secrets';
import type { Package, StackValues } from './types';

const REF = 'abcdefghijklmnop';
const VALUES: StackValues = { DOMAIN: 'example.com', EMAIL: 'jane@example.com' };
const DONE = '{"ok":true,"code":"DONE"}';

let coolify: Package;
let stack: string;
let removal: string;
let publishing: string;
let preflight: string;
let root: string;
beforeAll(async () => {
  coolify = (await readPackages('infra/packages')).find('coolify') ?? ({} as Package);
  const { of: texts } = await readHostScripts('infra/host');
  stack = texts['start-stack'].slice(0, texts['start-stack'].indexOf('\nsteps() {'));
  publishing = texts['publish-rules'].slice(0, texts['publish-rules'].lastIndexOf('\n}\n') + 3);
  const upTo = (text: string, end: number): string => text.slice(0, end).replace('\nsteps() {', '\n');
  removal = upTo(texts['remove-stack'], texts['remove-stack'].lastIndexOf('rm -f "$state/reserve"'));
  preflight = upTo(texts.preflight, texts.preflight.indexOf('ipv6_address='));
  root = mkdtempSync(join(tmpdir(), 'moorage-host-needs-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let servers = 0;
/**
 * Creates a server to which the package was uploaded. Its /data is a folder of the test, and all files have the same
 * owner.
 */
function server({ commands = {} }: { commands?: Readonly<Record<string, string>> } = {}) {
  const state = join(root, `server${++servers}`);
  const project = join(state, 'project');
  const secrets = missingSecrets(coolify.manifest, VALUES, new Set(), seededRandom(7));
  const there = (text: string): string => text.replaceAll(/\/data(?=\/coolify|\/\?\*)/g, `${state}/data`);
  const files = renderStack(coolify, VALUES, secrets, {
    ref: REF,
    acmeDirectoryUrl: 'https://acme.test/dir',
    traefikPlugins: 'on',
    ipv6: false,
  });
  for (const { path, content } of files) {
    const at = join(project, path.replace(`/opt/moorage/${REF}/`, ''));
    mkdirSync(path.endsWith('/') ? at : dirname(at), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(at, there(content));
  }
  for (const name of ['bin', 'root']) mkdirSync(join(state, name));
  const stubs = {
    docker: 'exit 1',
    sleep: ':',
    // The tests may run as any user.
    chown: ':',
    install: 'for last; do :; done; while [ "$#" -gt 2 ]; do shift; done; cp "$1" "$last"',
    ...commands,
  };
  for (const [name, text] of Object.entries(stubs))
    writeFileSync(join(state, 'bin', name), `#!/bin/sh\n${text.replaceAll('STATE', state)}\n`, { mode: 0o755 });
  const run = (script: string, steps: string, ...words: string[]): { answer: string; output: string } => {
    const { stdout, stderr } = spawnSync('sh', ['-c', READ_SCRIPT, join(state, 'start-stack'), '1', ...words], {
      input: `${there(script)}
folder=$state/project PATH=$state/bin:$PATH
root_keys() { echo "$state/root/.ssh/authorized_keys"; }
${steps}
${SCRIPT_END}
`,
      encoding: 'utf8',
    });
    return { answer: stdout.trim(), output: stderr };
  };
  const read = (path: string): string => readFileSync(join(state, path), 'utf8');
  return { state, project, secrets, run, read, has: (path: string) => existsSync(join(state, path)) };
}
const READY = 'host_ready\nanswer true DONE';

describe('start of a stack', () => {
  /** Returns the calls to Docker Compose. */
  function started(...words: string[]): string[] {
    const docker = `case "$*" in
*psql*) echo 1 ;;
*'config --services') printf 'app\\nrouter\\n' ;;
compose*' up '* | compose*' stop '*) echo "$*" >> STATE/asked ;;
esac`;
    const { run, read, project } = server({ commands: { docker } });
    writeFileSync(join(project, '.moorage/stack'), 'gate router\n');
    const { answer } = run(stack, readFileSync('infra/host/start-stack.sh', 'utf8'), ...words);
    expect(answer).toContain('"code":"DONE"');
    return read('asked').split('\n').filter(Boolean);
  }

  it('leaves services that wait for DNS alone', () => {
    expect(started('recreate=no')).toEqual([expect.stringMatching(/ up -d --no-build --wait --wait-timeout 270 app$/)]);
  });

  it('with another domain stops the router and recreates the rest', () => {
    expect(started('recreate=yes')).toEqual([
      expect.stringMatching(/ stop -t 20 router$/),
      expect.stringMatching(/ up -d --no-build --wait --wait-timeout 270 --force-recreate --remove-orphans app$/),
    ]);
  });
});

describe('host resources of a package', () => {
  it('are created, recorded, and the same when requested again', () => {
    const { run, read, secrets, state } = server();
    expect(run(stack, READY).answer).toBe(DONE);
    expect(read('taken').split('\n').filter(Boolean)).toEqual([
      'container coolify-proxy',
      'container coolify-sentinel',
      'label coolify.managed=true',
      `folder ${state}/data/coolify/`,
    ]);
    const keys = read('root/.ssh/authorized_keys');
    expect(keys).toMatch(/^from="10\.0\.0\.0\/8,172\.16\.0\.0\/12,192\.168\.0\.0\/16" ssh-ed25519 AAAA\S+ moorage-/);
    expect(read('data/coolify/source/.env')).toContain(`APP_KEY='${secrets.APP_KEY ?? ''}'`);
    expect(read('data/coolify/proxy/docker-compose.override.yml')).toContain('!override');
    expect(run(stack, READY).answer).toBe(DONE);
    expect(read('root/.ssh/authorized_keys')).toBe(keys);
    expect(read('taken').split('\n').filter(Boolean)).toHaveLength(4);
  });

  it('do not include what existed before', () => {
    const { run, state, has } = server();
    mkdirSync(join(state, 'data/coolify'), { recursive: true });
    expect(JSON.parse(run(stack, READY).answer)).toEqual({ ok: false, code: 'FOLDER_TAKEN' });
    expect(has('taken') && readFileSync(join(state, 'taken'), 'utf8').includes('folder')).toBe(false);
  });

  it('include the redirects of further domains, which are published without a start', () => {
    const { run, state, project, read } = server();
    const file = 'proxy/dynamic/further-domains.yml';
    const at = (of: string) => run(publishing, 'steps', `script=${of}`).answer;
    expect(JSON.parse(at('publish-redirects.sh'))).toEqual({ ok: false, code: 'RULES_FAILED' });
    mkdirSync(join(state, 'data/coolify/proxy/dynamic'), { recursive: true });
    writeFileSync(join(project, file), 'http: {}');
    expect(at('publish-redirects.sh')).toBe(DONE);
    expect(read(`data/coolify/${file}`)).toBe('http: {}');
    expect(JSON.parse(at('../publish-redirects.sh'))).toEqual({ ok: false, code: 'BAD_ARGUMENT' });
    expect(JSON.parse(at('another.sh'))).toEqual({ ok: false, code: 'NO_STACK' });
  });

  it('name the step that could not be completed', () => {
    const { run, project } = server({ commands: { docker: 'exit 0' } });
    rmSync(join(project, 'coolify.env'));
    expect(JSON.parse(run(stack, READY).answer)).toMatchObject({ ok: false, code: 'PREPARE_FAILED', step: 'lay-out' });
  });

  const REMOVE = 'containers_gone; taken_folders_gone; keys_gone; remains; answer true DONE';
  /** Prints what it is asked to remove. The proxy and an app of the customer exist. */
  const docker = `case "$*" in
  *"ps -aq"*"label=coolify.managed=true"*) [ -e STATE/removed ] || printf 'proxy\\napp\\n' ;;
  *"ps -aq"*"name=^/coolify-proxy"*) [ -e STATE/removed ] || echo proxy ;;
  rm*) shift 3; echo "$@" > STATE/removed ;;
esac`;

  it('are removed with the stack, including started services, folder and key', () => {
    const { run, read, has, state } = server({ commands: { docker } });
    run(stack, READY);
    writeFileSync(
      join(state, 'root/.ssh/authorized_keys'),
      `ssh-ed25519 AAAAmine me\n${read('root/.ssh/authorized_keys')}`,
    );
    const { answer, output } = run(removal, REMOVE, 'data=remove');
    expect(answer).toBe(DONE);
    expect(read('removed').trim().split(' ')).toEqual(['proxy', 'app']);
    expect([has('data/coolify'), read('root/.ssh/authorized_keys')]).toEqual([false, 'ssh-ed25519 AAAAmine me\n']);
    expect(output).not.toContain('container');
  });

  it('are reported if they are still there', () => {
    const { run } = server({ commands: { docker: docker.replace('rm*)', 'never)') } });
    run(stack, READY);
    expect(run(removal, 'containers_gone; remains; answer true DONE', 'data=remove').output).toMatch(
      /container proxy\n.*container app\n.*folder /s,
    );
  });
});

describe("stack that logs in to its own server, on a customer's own server", () => {
  const requested = (sshd: string, words = ['login=yes', 'server=own']): string =>
    server({ commands: { sshd } })
      .run(preflight, 'root_login; printf "%s" "$results" >&3', ...words)
      .answer.replace(/\{"ok":false,"code":"SCRIPT_FAILED"\}$/, '')
      .trim();
  const answersOf = (root: string, keys = 'yes'): string =>
    `printf 'permitrootlogin ${root}\\npubkeyauthentication ${keys}\\n'`;

  it.each(['yes', 'prohibit-password', 'without-password'])('accepts PermitRootLogin %s', (root) => {
    expect(requested(answersOf(root))).toBe(`{"name":"root_login","level":"ok","found":"${root}"}`);
  });

  it.each([
    ['no', 'yes'],
    ['forced-commands-only', 'yes'],
    ['yes', 'no'],
  ])('rejects PermitRootLogin %s with PubkeyAuthentication %s', (root, keys) => {
    expect(requested(answersOf(root, keys))).toBe(`{"name":"root_login","level":"E","found":"${root}"}`);
  });

  it('warns if sshd does not report its settings', () => {
    expect(requested('exit 1')).toBe('{"name":"root_login","level":"W","found":"unknown"}');
  });

  it('does not check a server that we created, nor another package', () => {
    expect(requested(answersOf('no'), ['login=yes', 'server=new'])).toBe('');
    expect(requested(answersOf('no'), ['login=no', 'server=own'])).toBe('');
  });
});

describe('first administrator of Coolify', () => {
  const STEPS = 'failed=; first_steps || answer false "$why" "${failed:+"\\"step\\":\\"$failed\\""}"\nanswer true DONE';
  const withLog = (users: string, log: string): string =>
    `case "$*" in *psql*) echo ${users} ;; logs*) echo '${log}' ;; esac`;

  it('exists after the first start, and the password is removed from the server', () => {
    const { run, project, secrets } = server({ commands: { docker: withLog('1', '') } });
    run(stack, READY);
    expect(run(stack, STEPS).answer).toBe(DONE);
    expect(readFileSync(join(project, 'coolify.env'), 'utf8')).not.toContain(secrets.ADMIN_PASSWORD ?? '?');
  });

  it('fails permanently when rejected', () => {
    const { run } = server({ commands: { docker: withLog('0', 'ERROR Invalid Root User Environment Variables') } });
    expect(JSON.parse(run(stack, STEPS).answer)).toEqual({
      ok: false,
      code: 'FIRST_STEP_REFUSED',
      step: 'first-administrator',
    });
  });

  it('is retried if it does not appear', () => {
    const { run } = server({ commands: { docker: withLog('0', '') } });
    expect(JSON.parse(run(stack, STEPS).answer)).toMatchObject({ ok: false, code: 'FIRST_STEP_FAILED' });
  });
});

describe('address of Coolify', () => {
  const ROUTE = (again: string): string =>
    `services_fact() { printf '"services":[]'; }\nrouter_steps ${again}\nanswer true DONE`;
  /** Writes the rules as Coolify does. The proxy exists from the start, or after Coolify was asked to start it. */
  const docker = (there: boolean): string => `case "$*" in
  *setupDynamicProxyConfiguration*) echo "$*" >> STATE/asked; echo "Host(coolify.example.com)" > STATE/data/coolify/proxy/dynamic/coolify.yaml ;;
  *StartProxy*) touch STATE/proxy ;;
  inspect*) ${there ? 'echo healthy' : '[ ! -e STATE/proxy ] || echo healthy'} ;;
  *force-recreate*) pwd > STATE/recreated ;;
esac`;

  it('is sent once DNS is correct, with the value in the environment instead of the code', () => {
    const { run, read, has } = server({ commands: { docker: docker(true) } });
    run(stack, READY);
    expect(run(stack, ROUTE('no')).answer).toBe(DONE);
    expect(read('asked')).toContain('FQDN=https://coolify.example.com');
    expect(has('proxy')).toBe(false);
  });

  it('starts a proxy that is missing', () => {
    const { run, has } = server({ commands: { docker: docker(false) } });
    run(stack, READY);
    expect(run(stack, ROUTE('no')).answer).toBe(DONE);
    expect(has('proxy')).toBe(true);
  });

  it('recreates the proxy on a restart and keeps the whole certificate store', () => {
    const { run, read, state, has } = server({ commands: { docker: docker(true) } });
    run(stack, READY);
    writeFileSync(join(state, 'data/coolify/proxy/docker-compose.yml'), 'services: {}');
    writeFileSync(join(state, 'data/coolify/proxy/acme.json'), '{ "letsencrypt": {} }\n');
    expect(run(stack, ROUTE('yes')).answer).toBe(DONE);
    expect(read('recreated').trim()).toBe(`${state}/data/coolify/proxy`);
    expect(has('data/coolify/proxy/acme.json')).toBe(true);
    writeFileSync(join(state, 'data/coolify/proxy/acme.json'), '{ "letsenc');
    run(stack, ROUTE('yes'));
    expect([has('data/coolify/proxy/acme.json'), has('data/coolify/proxy/acme.json.broken')]).toEqual([false, true]);
  });

  it('is reported if Coolify does not accept it', () => {
    const { run } = server({ commands: { docker: 'exit 1' } });
    run(stack, READY);
    expect(JSON.parse(run(stack, ROUTE('no')).answer)).toMatchObject({
      ok: false,
      code: 'ROUTER_STEP_FAILED',
      step: 'address',
    });
  });
});
