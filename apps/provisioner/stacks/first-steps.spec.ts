import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@moorage/server';
import { type PackagesFolder, packagesWithTests } from '@moorage/testing';
import { READ_SCRIPT, SCRIPT_END } from '../ssh/command';
import { readHostScripts } from '../ssh/scripts';
import { readPackages } from './packages';
import { renderStack } from './render';
import { missingSecrets } from './secrets';
import type { StackPackages, StackValues } from './types';

const REF = 'abcdefghijklmnop';
const VALUES: StackValues = { DOMAIN: 'example.com', EMAIL: 'jane@example.com' };

let folder: PackagesFolder;
let packages: StackPackages;
let stackScript: string;
let root: string;
beforeAll(async () => {
  folder = packagesWithTests();
  packages = await readPackages(folder.path);
  const whole = (await readHostScripts('infra/host')).of['start-stack'];
  stackScript = whole.slice(0, whole.indexOf('\nsteps() {'));
  root = mkdtempSync(join(tmpdir(), 'moorage-first-steps-'));
});
afterAll(() => {
  folder.remove();
  rmSync(root, { recursive: true, force: true });
});

interface Server {
  /** Project of the deployment. */
  readonly project: string;
  /** Returns the response and the other output of the real host script's first steps. */
  firstSteps(...words: string[]): { answer: string; output: string };
  /** Returns the response that is stored for repeated requests of the same step. */
  stored(): string;
}

let servers = 0;
/** Creates a server to which a package was uploaded. `docker` is the script that replaces the command. */
function serverWith(name: string, { values = {}, docker = 'exit 1' }: { values?: StackValues; docker?: string } = {}) {
  const pack = packages.find(name);
  if (pack === null) throw new Error(`no package ${name}`);
  const all = { ...VALUES, ...values };
  const state = join(root, `server${++servers}`);
  const project = join(state, 'project');
  const files = renderStack(pack, all, missingSecrets(pack.manifest, all, new Set(), seededRandom(7)), {
    ref: REF,
    acmeDirectoryUrl: 'https://acme.test/dir',
    traefikPlugins: 'on',
    ipv6: false,
  });
  for (const { path, content } of files) {
    const at = join(project, path.replace(`/opt/moorage/${REF}/`, ''));
    mkdirSync(path.endsWith('/') ? at : dirname(at), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(at, content);
  }
  mkdirSync(join(state, 'bin'));
  writeFileSync(join(state, 'bin', 'docker'), `#!/bin/sh\n${docker}\n`, { mode: 0o755 });
  // Makes every sleep end at once.
  writeFileSync(join(state, 'bin', 'sleep'), '#!/bin/sh\n', { mode: 0o755 });
  const text = `${stackScript}
folder=$state/project PATH=$state/bin:$PATH
first_steps || answer false FIRST_STEP_FAILED
answer true DONE
${SCRIPT_END}
`;
  return {
    project,
    stored: () => readFileSync(join(state, 'answer'), 'utf8'),
    firstSteps: (...words) => {
      const { stdout, stderr } = spawnSync('sh', ['-c', READ_SCRIPT, join(state, 'start-stack'), '1', ...words], {
        input: text,
        encoding: 'utf8',
      });
      return { answer: stdout.trim(), output: stderr };
    },
  } satisfies Server;
}
const DONE = '{"ok":true,"code":"DONE"}';
const FAILED = '{"ok":false,"code":"FIRST_STEP_FAILED"}';

describe('first steps of a package', () => {
  const posted = ({ project }: Server): unknown =>
    JSON.parse(readFileSync(join(project, 'config/watch/posted.json'), 'utf8'));
  const write = ({ project }: Server, script: string, text: string): void =>
    writeFileSync(join(project, '.moorage', script), text);

  it("run in the deployment's folder, can be repeated, and may fail if optional", () => {
    const server = serverWith('test-watch', { values: { ADMIN_USERNAME: 'First Officer' } });
    const { answer, output } = server.firstSteps();
    expect(answer).toBe(DONE);
    expect(output).toContain('first step ring-the-bell failed (optional)');
    expect(posted(server)).toEqual({ on_watch: 'First Officer' });
    expect(existsSync(join(server.project, '.moorage/roster.json'))).toBe(false);
    expect(server.firstSteps().answer).toBe(DONE);
    expect(posted(server)).toEqual({ on_watch: 'First Officer' });
  });

  it('store the response under the requesting step', () => {
    const server = serverWith('test-watch');
    server.firstSteps('step=7-4');
    expect(server.stored()).toBe(`start-stack 7-4\n${DONE}\n`);
  });

  it('treat values as data in files, never as code', () => {
    const server = serverWith('test-watch', { values: { ADMIN_USERNAME: '$(touch CANARY)`touch CANARY`' } });
    expect(server.firstSteps().answer).toBe(DONE);
    expect(posted(server)).toEqual({ on_watch: '$(touch CANARY)`touch CANARY`' });
    expect(readdirSync(server.project)).not.toContain('CANARY');
  });

  it('end at the first required step that fails', () => {
    const server = serverWith('test-watch');
    write(server, 'post-the-watch.sh', 'echo no ink; exit 3');
    write(server, 'ring-the-bell.sh', 'touch rung');
    const { answer, output } = server.firstSteps();
    expect(answer).toBe(FAILED);
    expect(output).toContain('no ink\nfirst step post-the-watch failed (required)');
    expect(readdirSync(server.project)).not.toContain('rung');
  });

  it('do not respond on our behalf and read no data of ours', () => {
    const server = serverWith('test-watch');
    write(server, 'post-the-watch.sh', `echo '${FAILED}'; echo '${FAILED}' >&3; cat > heard`);
    write(server, 'ring-the-bell.sh', 'touch rung');
    expect(server.firstSteps().answer).toBe(DONE);
    expect(readFileSync(join(server.project, 'heard'), 'utf8')).toBe('');
    expect(readdirSync(server.project)).toContain('rung');
  });
});

describe('first administrator of Pangolin', () => {
  /**
   * A Pangolin that reports whether it is set up, responds to the new administrator with this status, and stores the
   * request.
   */
  const pangolin = (complete: boolean, status = 200): string => `case "$*" in
  *initial-setup-complete*) echo '{"data":{"complete": ${String(complete)}}}' ;;
  *set-server-admin*) cat > sent; printf ${status} ;;
esac`;
  const files = ({ project }: Server) => ({
    body: existsSync(join(project, '.moorage/first-admin.json')),
    sent: existsSync(join(project, 'sent')),
  });

  it('is created from the file, which is removed', () => {
    const server = serverWith('pangolin', { docker: pangolin(false) });
    const body = readFileSync(join(server.project, '.moorage/first-admin.json'), 'utf8');
    const { answer, output } = server.firstSteps();
    expect(answer).toBe(DONE);
    expect(readFileSync(join(server.project, 'sent'), 'utf8')).toBe(body);
    expect(files(server).body).toBe(false);
    expect(output).toContain('first administrator: 200');
    expect(output).not.toContain((JSON.parse(body) as { password: string }).password);
  });

  it('is not created again if it exists', () => {
    const server = serverWith('pangolin', { docker: pangolin(true) });
    expect(server.firstSteps().answer).toBe(DONE);
    expect(files(server)).toEqual({ body: false, sent: false });
  });

  it.each<[string, string, boolean]>([
    ['is rejected', pangolin(false, 400), true],
    ['cannot be requested', 'exit 1', false],
  ])('that %s fails the step and keeps the file for the next attempt', (_, docker, sent) => {
    const server = serverWith('pangolin', { docker });
    expect(server.firstSteps().answer).toBe(FAILED);
    expect(files(server)).toEqual({ body: true, sent });
  });
});
