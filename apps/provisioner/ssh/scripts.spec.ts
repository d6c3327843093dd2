import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandOf, type HostCommand, parseCommand, READ_SCRIPT, SCRIPT_END, messageOf } from './command';
import { parseLogLines } from '@moorage/domain';
import { type ContainerLogs, HOST_SCRIPTS, readAnswer } from './host-scripts';
import { preflightLines, refusalOf } from './preflight';
import { type HostScripts, readHostScripts } from './scripts';

let scripts: HostScripts;
let folder: string;
beforeAll(async () => {
  scripts = await readHostScripts('infra/host');
  folder = mkdtempSync(join(tmpdir(), 'moorage-scripts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Runs a text as a host would, with its state in a temporary folder. `name` is the deployment's name, or `name/script`.
 */
function run(name: string, text: string, ...words: string[]): { exit: number | null; out: string } {
  const [ref = '', script = 'x'] = name.split('/');
  if (!ref.startsWith('check-')) mkdirSync(join(folder, ref), { recursive: true });
  const { status, stdout } = spawnSync('sh', ['-c', READ_SCRIPT, join(folder, ref, script), ...words], {
    input: text.endsWith(`${SCRIPT_END}\n`) ? text : `${text}\n${SCRIPT_END}\n`,
    encoding: 'utf8',
  });
  return { exit: status, out: stdout };
}

describe('server scripts', () => {
  it('all exist and parse in a POSIX shell', () => {
    expect(Object.keys(scripts.of).sort()).toEqual([...HOST_SCRIPTS].sort());
    for (const text of Object.values(scripts.of)) {
      expect(spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' }).stderr).toBe('');
    }
  });

  it('pass shellcheck (skipped on machines without it)', () => {
    for (const [name, text] of Object.entries(scripts.of)) {
      const printed = spawnSync('shellcheck', ['-s', 'sh', '-'], { input: text, encoding: 'utf8' });
      if (printed.error === undefined) expect([name, printed.stdout]).toEqual([name, '']);
    }
  });

  it('of packages follow the same rules', () => {
    const brought = ['infra/packages', 'tests/packages'].flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.sh'))
        .map((file) => join(root, file)),
    );
    expect(brought).toContain('infra/packages/pangolin/first-administrator.sh');
    for (const file of brought) {
      const input = readFileSync(file, 'utf8');
      expect([file, spawnSync('sh', ['-n'], { input, encoding: 'utf8' }).stderr]).toEqual([file, '']);
      const printed = spawnSync('shellcheck', ['-s', 'sh', '-'], { input, encoding: 'utf8' });
      if (printed.error === undefined) expect([file, printed.stdout]).toEqual([file, '']);
    }
  });

  const common = (rest: string): string => `${scripts.of['router-log'].split('# ---- the stack')[0] ?? ''}\n${rest}\n`;

  it('reject a stale run, and accept the same or a later run', () => {
    const text = common('answer true DONE');
    expect(
      ['5', '5', '9007199254740991', '6', '5', '', 'x', '-1'].map((number) => run('fence', text, number).out.trim()),
    ).toEqual([
      '{"ok":true,"code":"DONE"}',
      '{"ok":true,"code":"DONE"}',
      '{"ok":true,"code":"DONE"}',
      '{"ok":false,"code":"OVERTAKEN"}',
      '{"ok":false,"code":"OVERTAKEN"}',
      '{"ok":false,"code":"BAD_ARGUMENT"}',
      '{"ok":false,"code":"BAD_ARGUMENT"}',
      '{"ok":false,"code":"BAD_ARGUMENT"}',
    ]);
  });

  it('print one line of JSON, regardless of other output and of special characters', () => {
    const odd = `printf 'a"b\\\\c\\n\\001d%s' '$(touch CANARY) é'`;
    const { exit, out } = run(
      'text',
      common(`echo noise\n${odd}\nanswer true DONE "\\"acme_errors\\":[$(text "$(${odd})" 400)]"`),
      '1',
    );
    expect(exit).toBe(0);
    expect(readAnswer('router-log', out)).toEqual({
      ok: true,
      code: 'DONE',
      facts: { acme_errors: ["a'b/c  d$(touch CANARY)   "] },
    });
  });

  it('are not run if only half of them arrived', () => {
    const text = common('echo > "$state/CANARY"\nanswer true DONE');
    const { status, stdout } = spawnSync('sh', ['-c', READ_SCRIPT, join(folder, 'half', 'x'), '1'], {
      input: text,
      encoding: 'utf8',
    });
    expect([status, stdout, existsSync(join(folder, 'half'))]).toEqual([70, '', false]);
  });

  it('treat an empty run number, as left by a power failure, as none (L2)', () => {
    const text = common('answer true DONE');
    for (const left of ['', '\n', '\0\0\0', 'x']) {
      mkdirSync(join(folder, 'empty'), { recursive: true });
      writeFileSync(join(folder, 'empty', 'run_number'), left);
      expect(run('empty', text, '5').out).toBe('{"ok":true,"code":"DONE"}\n');
      expect(readFileSync(join(folder, 'empty', 'run_number'), 'utf8')).toBe('5\n');
      expect(run('empty', text, '4').out).toContain('OVERTAKEN');
    }
  });

  it('start nothing after a removal except a preflight', () => {
    const text = common('answer true DONE');
    const at = (script: string) => {
      rmSync(join(folder, 'removed'), { recursive: true, force: true });
      const words = ['-c', READ_SCRIPT, join(folder, 'removed', script), '3'];
      const { stdout } = spawnSync('sh', words, { input: `${text}${SCRIPT_END}\n`, encoding: 'utf8' });
      return [(JSON.parse(stdout) as { code: string }).code, existsSync(join(folder, 'removed'))];
    };
    expect(['start-stack', 'place', 'bootstrap', 'authorise-keys'].map(at)).toEqual(Array(4).fill(['NO_STACK', false]));
    expect(['remove-stack', 'remove-access', 'hand-over'].map(at)).toEqual(Array(3).fill(['DONE', false]));
    expect(at('preflight')).toEqual(['DONE', true]);
  });

  /** Prevents writing to any file. */
  const FULL = `trap '' XFSZ; ulimit -f 0; exec sh -c "$0" "$@"`;
  const runOnFullDisk = (name: string, text: string, ...words: string[]): string =>
    spawnSync('sh', ['-c', FULL, READ_SCRIPT, join(folder, name), ...words], {
      input: `${text}\n${SCRIPT_END}\n`,
      encoding: 'utf8',
    }).stdout.trim();

  it('of a removal work on a full disk but reject a stale run, and others report the full disk (L1)', () => {
    const text = common('answer true DONE');
    run('full/preflight', text, '5');
    expect(runOnFullDisk('full/remove-stack', text, '6')).toBe('{"ok":true,"code":"DONE"}');
    expect(runOnFullDisk('full/remove-access', text, '5')).toBe('{"ok":true,"code":"DONE"}');
    expect(runOnFullDisk('full/remove-stack', text, '4')).toBe('{"ok":false,"code":"OVERTAKEN"}');
    expect(runOnFullDisk('full/start-stack', text, '6')).toBe('{"ok":false,"code":"DISK_FULL"}');
    expect(readdirSync(join(folder, 'full')).sort()).toEqual(['lock', 'run_number']);
    expect(readFileSync(join(folder, 'full', 'run_number'), 'utf8')).toBe('5\n');
  });

  it('report that a resource is held by another script, and leave it alone (M8)', () => {
    const text = common('answer true DONE');
    run('held', text, '5');
    const lock = join(folder, 'held', 'lock');
    const { status, stdout } = spawnSync('flock', [lock, 'sh', '-c', READ_SCRIPT, join(folder, 'held', 'x'), '9'], {
      input: `${text}\n${SCRIPT_END}\n`,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([1, '{"ok":false,"code":"BUSY"}\n']);
    expect(readFileSync(join(folder, 'held', 'run_number'), 'utf8')).toBe('5\n');
  });

  it('of a removal end a dump for a copy, but nothing if stale', async () => {
    const text = common('echo > "$state/dumping"\nsleep 300\nanswer true DONE');
    run('copying/preflight', common('answer true DONE'), '4');
    const copying = spawn('setsid', ['sh', '-c', READ_SCRIPT, join(folder, 'copying', 'copy-start'), '5'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const ended = new Promise<void>((resolve) => copying.once('close', () => resolve()));
    copying.stdin.end(`${text}\n${SCRIPT_END}\n`);
    while (!existsSync(join(folder, 'copying', 'dumping'))) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(run('copying/remove-stack', common('answer true DONE'), '4').out).toContain('BUSY');
    expect(copying.exitCode).toBeNull();
    expect(run('copying/remove-stack', common('answer true DONE'), '6').out).toBe('{"ok":true,"code":"DONE"}\n');
    await ended;
  });

  it('store a success for the requesting step, and no other response', () => {
    const counting = (answer: string): string => common(`printf x >> "$state/runs"\nanswer ${answer}`);
    const runs = (): string => readFileSync(join(folder, 'kept', 'runs'), 'utf8');
    const yes = `true DONE '"docker":"27"'`;
    expect(run('kept', counting('false PULL_FAILED'), '1', 'step=7-3').out).toContain('PULL_FAILED');
    expect(run('kept', counting(yes), '2', 'step=7-3').out).toBe('{"ok":true,"code":"DONE","docker":"27"}\n');
    expect(runs()).toBe('xx');
    expect(run('kept', counting('false PULL_FAILED'), '3', 'step=7-3')).toEqual({
      exit: 0,
      out: '{"ok":true,"code":"DONE","docker":"27"}\n',
    });
    expect(run('kept', counting(yes), '2', 'step=7-3').out).toContain('OVERTAKEN');
    expect(runs()).toBe('xx');
    expect(run('kept/other', counting(yes), '3', 'step=7-3').exit).toBe(0);
    expect(run('kept', counting(yes), '3', 'step=8-3').exit).toBe(0);
    expect(run('kept', counting(yes), '3').exit).toBe(0);
    expect(runs()).toBe('xxxxx');
  });

  describe("scripts for the customer's access", () => {
    const line = (letter: string, comment: string): string => `ssh-ed25519 ${letter.repeat(68)} ${comment}`;
    const [laptop, phone] = [line('AAAAB', 'ada@laptop'), line('AAAAC', 'ada@phone')];
    const blockOf = (ref: string, ...lines: string[]): string =>
      [`# moorage ${ref} customer keys`, ...lines, `# moorage ${ref} end of customer keys`, ''].join('\n');
    /** Returns the real script, changed to use other keys than those of the machine that runs the tests. */
    const ofKeys = (name: 'authorise-keys' | 'remove-stack', steps = ''): string => {
      const text = scripts.of[name];
      const at = text.indexOf('\nsteps() {');
      const keys = 'login_home() { echo "$state"; }\nroot_keys() { login_keys; }\n';
      return `${text.slice(0, at)}\n${keys}${steps === '' ? text.slice(at) : steps}`;
    };
    const fileOf = (ref: string): string => join(folder, ref, '.ssh', 'authorized_keys');
    const there = (ref: string): string => readFileSync(fileOf(ref), 'utf8');
    function server(ref: string, keys: string | null): void {
      rmSync(join(folder, ref), { recursive: true, force: true });
      mkdirSync(join(folder, ref), { recursive: true });
      if (keys === null) return;
      mkdirSync(join(folder, ref, '.ssh'));
      writeFileSync(fileOf(ref), keys, { mode: 0o644 });
    }
    let number = 0;
    function authorise(ref: string, ...lines: string[]): string {
      writeFileSync(join(folder, ref, 'customer-keys'), lines.map((key) => `${key}\n`).join(''));
      return run(`${ref}/authorise-keys`, ofKeys('authorise-keys'), String((number += 1))).out.trim();
    }
    const REMOVED = 'keys_gone\nblock_gone\nanswer true DONE';
    const remove = (ref: string): unknown =>
      run(`${ref}/remove-stack`, ofKeys('remove-stack', REMOVED), String((number += 1)));
    const DONE = '{"ok":true,"code":"DONE"}';

    it.each([
      ['no key is there yet', 'nokeys', null, '', null],
      ['other keys are there', 'others', 'ssh-rsa B\n', 'ssh-rsa B\n', 'ssh-rsa B\n'],
      ['the last line has no line break', 'nobreak', 'ssh-rsa B', 'ssh-rsa B\n', 'ssh-rsa B\n'],
      ['the customer has added the key before', 'before', `${laptop} x\n`, `${laptop} x\n`, `${laptop} x\n`],
    ])('when %s: write the keys into a block of ours and remove it again', (_, ref, before, others, after) => {
      server(ref, before);
      expect(authorise(ref, laptop)).toBe(DONE);
      expect(there(ref)).toBe(`${others}${blockOf(ref, laptop)}`);
      expect(statSync(fileOf(ref)).mode & 0o777).toBe(0o600);
      expect(authorise(ref, laptop, phone)).toBe(DONE);
      expect(there(ref)).toBe(`${others}${blockOf(ref, laptop, phone)}`);
      expect(authorise(ref, phone)).toBe(DONE);
      expect(authorise(ref, phone)).toBe(DONE);
      expect(there(ref)).toBe(`${others}${blockOf(ref, phone)}`);
      expect(existsSync(join(folder, ref, 'customer-keys'))).toBe(false);
      remove(ref);
      if (after === null) expect(existsSync(join(folder, ref, '.ssh'))).toBe(false);
      else expect(there(ref)).toBe(after);
      expect(existsSync(join(folder, ref, 'block'))).toBe(false);
    });

    it('remove the block with the last key, and accept no keys where there are none', () => {
      server('lastkey', 'ssh-rsa B\n');
      expect(authorise('lastkey')).toBe(DONE);
      expect(there('lastkey')).toBe('ssh-rsa B\n');
      authorise('lastkey', laptop);
      expect(authorise('lastkey')).toBe(DONE);
      expect([there('lastkey'), existsSync(join(folder, 'lastkey', 'block'))]).toEqual(['ssh-rsa B\n', false]);
    });

    it('keep lines around the block, and blocks of other deployments', () => {
      server('around', `ssh-rsa B\n${blockOf('neighbour', laptop)}`);
      authorise('around', laptop);
      writeFileSync(fileOf('around'), `${there('around')}ssh-rsa C\n`);
      authorise('around', phone);
      expect(there('around')).toBe(`ssh-rsa B\n${blockOf('neighbour', laptop)}ssh-rsa C\n${blockOf('around', phone)}`);
      remove('around');
      expect(there('around')).toBe(`ssh-rsa B\n${blockOf('neighbour', laptop)}ssh-rsa C\n`);
    });

    it('revoke a key and spare foreign lines if the end of the block was deleted', () => {
      server('torn', null);
      authorise('torn', laptop, phone);
      writeFileSync(fileOf('torn'), `# moorage torn customer keys\n${laptop}\n${phone}\nssh-rsa C\n`);
      expect(authorise('torn', phone)).toBe(DONE);
      expect(there('torn')).toBe(`ssh-rsa C\n${blockOf('torn', phone)}`);
    });

    it("replace the single line of an older script, but neither the stack's own login nor foreign lines", () => {
      const own = `from="10.0.0.0/8" ${line('AAAAS', 'moorage-older-self')}`;
      server('older', `ssh-rsa B\n${own}\n${laptop}\n${laptop} by hand\n`);
      const noted = `${laptop.split(' ')[1]}\n${'AAAAS'.repeat(68)}\n`;
      writeFileSync(join(folder, 'older', 'authorised'), noted);
      expect(authorise('older', phone)).toBe(DONE);
      expect(there('older')).toBe(`ssh-rsa B\n${own}\n${laptop} by hand\n${blockOf('older', phone)}`);
      expect(readFileSync(join(folder, 'older', 'authorised'), 'utf8')).toBe(`${'AAAAS'.repeat(68)}\n`);
      expect(authorise('older', phone)).toBe(DONE);
      remove('older');
      expect(there('older')).toBe(`ssh-rsa B\n${laptop} by hand\n`);
    });

    it('never lose a foreign key to a full disk (L1)', () => {
      server('fullkeys', 'ssh-rsa B\n');
      authorise('fullkeys', laptop);
      const before = there('fullkeys');
      const next = () => String((number += 1));
      writeFileSync(join(folder, 'fullkeys', 'customer-keys'), `${phone}\n`);
      expect(runOnFullDisk('fullkeys/authorise-keys', ofKeys('authorise-keys'), next())).toContain('"ok":false');
      expect(runOnFullDisk('fullkeys/remove-stack', ofKeys('remove-stack', REMOVED), next())).toContain('DONE');
      expect(there('fullkeys')).toBe(before);
      remove('fullkeys');
      expect(there('fullkeys')).toBe('ssh-rsa B\n');
    });
  });

  it('return a result even if interrupted', () => {
    expect(run('broken', common('false'), '1')).toEqual({ exit: 1, out: '{"ok":false,"code":"SCRIPT_FAILED"}\n' });
  });

  it('treat arguments as words, never as code', () => {
    const text = common('answer true DONE "\\"acme_errors\\":[$(text "$(args ports)" 400)]"');
    const { out } = run('args', text, '1', 'ports=80/tcp,$(touch CANARY);x');
    expect(readAnswer('router-log', out)?.facts).toEqual({ acme_errors: ['80/tcp $(touch CANARY);x'] });
    expect(run('args', text, '1', 'a;b=1').out).toContain('BAD_ARGUMENT');
    expect(existsSync('CANARY')).toBe(false);
  });

  it('check an own server without leaving a trace', () => {
    const { out } = run(
      'check-0123456789abcdef/preflight',
      scripts.of.preflight,
      '0',
      'purpose=check',
      'server=own',
      'now=0',
    );
    const answer = readAnswer('preflight', out);
    expect(answer?.facts?.results.map(({ name }) => name)).toEqual(expect.arrayContaining(['root', 'os', 'arch']));
    expect(readdirSync(folder)).not.toContain('check-0123456789abcdef');
  });

  const OTHERS = ['check-fedcba9800000001', 'abcdefghijklmnop'];
  function leaveBehind(...names: string[]): void {
    for (const name of names) {
      mkdirSync(join(folder, name, 'scripts'), { recursive: true });
      writeFileSync(join(folder, name, 'scripts', 'preflight.sh'), '');
    }
  }

  it('remove leftovers of killed checks with the same key, and nothing else', () => {
    leaveBehind('check-0123456700000001', 'check-0123456700000002', ...OTHERS);
    const { out } = run(
      'check-0123456789abcdef/preflight',
      scripts.of.preflight,
      '0',
      'purpose=check',
      'server=own',
      'now=0',
    );
    expect(readAnswer('preflight', out)).not.toBeNull();
    expect(readdirSync(folder).filter((name) => name.startsWith('check-01234567'))).toEqual([]);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(OTHERS));
  });

  it('of a hand-over write how to run the software, and leave its files alone', () => {
    const text = scripts.of['hand-over'];
    const at = text.indexOf('\nsteps() {');
    // No Docker, and another folder than the real one.
    const surroundings = 'has() { return 1; }\nfolder=$state.stack\n';
    const stack = join(folder, 'handedover000000.stack');
    mkdirSync(stack, { recursive: true });
    writeFileSync(join(stack, '.env'), 'SECRET=1\n', { mode: 0o600 });
    mkdirSync(join(folder, 'handedover000000'), { recursive: true });
    writeFileSync(join(folder, 'handedover000000', 'firewall'), 'ufw 443/tcp\n');
    writeFileSync(join(folder, 'handedover000000', 'taken'), 'folder /data/coolify/\n');
    const handOver = () =>
      run('handedover000000/hand-over', `${text.slice(0, at)}\n${surroundings}${text.slice(at)}`, '3').out;
    expect(handOver()).toBe('{"ok":true,"code":"DONE"}\n');
    expect(handOver()).toBe('{"ok":true,"code":"DONE"}\n');
    const note = readFileSync(join(stack, 'HANDOVER.txt'), 'utf8');
    expect(note).toContain('docker compose -p moorage-handedover000000 up -d');
    expect(note).toContain('- ufw 443/tcp\n');
    expect(note).toContain('- /data/coolify/\n');
    expect(note).not.toContain('SECRET');
    expect(readdirSync(stack).sort()).toEqual(['.env', 'HANDOVER.txt']);
  });

  it("remove the deployment's folder and those of its key's checks in the last removal, and nothing else", () => {
    leaveBehind('check-0123456700000001', ...OTHERS);
    const key = `key=${'A'.repeat(60)}`;
    for (const checks of ['', 'checks=', 'checks=check-', 'checks=check-*', 'checks=../../../../..'])
      expect(
        run('ourdeployment000/remove-access', scripts.of['remove-access'], '1', key, checks || 'x=y').out,
      ).toContain('BAD_ARGUMENT');
    expect(readdirSync(folder)).toContain('ourdeployment000');
    const { out } = run(
      'ourdeployment000/remove-access',
      scripts.of['remove-access'],
      '1',
      key,
      'checks=check-01234567',
    );
    expect(readAnswer('remove-access', out)).toMatchObject({ ok: true });
    expect(readdirSync(folder)).not.toContain('ourdeployment000');
    expect(readdirSync(folder)).not.toContain('check-0123456700000001');
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(OTHERS));
  });
});

describe('script command', () => {
  const plain: HostCommand = {
    folder: 'abcdefghijklmnop',
    name: 'start-router',
    runNumber: 3,
    seconds: 60,
    args: { recreate: 'no' },
  };

  it('is parsed back as it was written', () => {
    const args = messageOf({
      ports: ['80/tcp', '443/tcp'],
      images: ['docker.io/fosrl/pangolin:1.24.0'],
      cpu: 2,
      key: 'AAAA+/=',
    });
    const command = { ...plain, args };
    expect(parseCommand(commandOf(command))).toEqual(command);
    expect(parseCommand(`sudo -n ${commandOf(command)}`)).toEqual(command);
  });

  it.each<[string, Partial<HostCommand>]>([
    ['a foreign folder', { folder: '../../etc' }],
    ['a space in a value', { args: { a: 'b c' } }],
    ['a semicolon', { args: { a: 'b;c' } }],
    ['a dollar', { args: { a: '$(x)' } }],
    ['a quote', { args: { a: "'" } }],
    ['a line break', { args: { a: 'b\nc' } }],
    ['a key of another format', { args: { 'a b': 'c' } }],
    ['a partial run number', { runNumber: 1.5 }],
    ['a negative run number', { runNumber: -1 }],
  ])('is never created from %s', (_, change) => {
    expect(() => commandOf({ ...plain, ...change })).toThrow(RangeError);
  });

  it.each(['rm -rf /', `${commandOf(plain)}; ls`, commandOf(plain).replace('start-router', 'other'), ''])(
    '%s is not one of our commands',
    (text) => {
      expect(parseCommand(text)).toBeNull();
    },
  );
});

describe('preflight findings as sentences', () => {
  const lines = preflightLines(
    [
      { name: 'root', level: 'ok' },
      { name: 'port', level: 'E', found: 'apache2', wanted: '80/tcp' },
      { name: 'docker', level: 'E', found: 'snap' },
      { name: 'disk', level: 'E', found: '3', wanted: '15' },
      { name: 'firewall', level: 'W', found: 'ufw' },
    ],
    { package: 'Pangolin' },
  );

  it('name each finding, errors and warnings apart', () => {
    expect(lines.map(({ level }) => level)).toEqual(['ok', 'error', 'error', 'error', 'warning']);
    expect(refusalOf(lines)?.detail).toBe(
      'Port 80 tcp is used by apache2. Stop it first (e.g. sudo systemctl disable --now apache2). ' +
        'Docker from snap is not supported. Pangolin needs 15 GB of free disk space; 3 GB found.',
    );
    expect(refusalOf(lines.filter(({ level }) => level !== 'error'))).toBeNull();
  });

  describe('of container logs', () => {
    const ref = 'containerlogs000';
    /** Runs the script with a `docker` of ours, which has two containers, one in the network of the other. */
    function withDocker(script: 'container-logs' | 'restart-container', number: string, ...words: string[]) {
      const bin = join(folder, `${ref}.bin`);
      const stack = join(folder, `${ref}.stack`);
      for (const path of [bin, join(stack, '.moorage')]) mkdirSync(path, { recursive: true });
      for (const file of ['.moorage/stack', 'docker-compose.yml', '.env']) writeFileSync(join(stack, file), '# here\n');
      writeFileSync(
        join(bin, 'docker'),
        String.raw`#!/bin/sh
echo "$*" >> '${join(folder, `${ref}.calls`)}'
case "$*" in
  version*) echo 28 ;;
  'ps -aq'*) printf 'one\ntwo\n' ;;
  *'config --services') printf 'gerbil\ntraefik\n' ;;
  *'ps -aq gerbil') echo one ;;
  *'NetworkMode'*two)
    started=0
    [ ! -e '${join(folder, `${ref}.restarts-dependents`)}' ] || started=$(grep -c 'restart -t' '${join(folder, `${ref}.calls`)}' || true)
    echo "container:one traefik $started" ;;
  *'NetworkMode'*) echo 'bridge gerbil 0' ;;
  'inspect -f {{.ID}}'*one) echo 'one gerbil running healthy 2 2026-12-01T09:00:00.5Z true' ;;
  'inspect -f {{.ID}}'*two) echo 'two traefik running none 0 2026-12-01T09:00:00Z true' ;;
  'inspect'*two) echo traefik ;;
  *logs*one)
    printf '2026-12-01T10:00:00.000000001Z a "quoted" \\ \033[31mred\033[0m \377\000 line\nnot a line\n'
    printf '2026-12-01T10:00:02.000000000Z %05000d\n2026-12-01T10:00:03.000000000Z\n' 0 ;;
  *logs*two)
    echo '2026-12-01T10:00:01.000000000Z from stderr $(touch CANARY) ; x a' >&2
    [ ! -e '${join(folder, `${ref}.many`)}' ] ||
      awk 'BEGIN { for (n = 0; n < 3000; n++) printf "2026-12-01T10:01:%02d.%09dZ line %d %s\n", n / 100, n, n, "${'x'.repeat(90)}" }' ;;
esac
`,
        { mode: 0o755 },
      );
      const text = scripts.of[script];
      const at = text.indexOf('\nsteps() {');
      const surroundings = `PATH='${bin}':$PATH\nfolder='${stack}'\n`;
      const { out, exit } = run(
        `${ref}/${script}`,
        `${text.slice(0, at)}\n${surroundings}${text.slice(at)}`,
        number,
        ...words,
      );
      const answer = readAnswer(script, out);
      const facts = answer?.facts as ContainerLogs | null | undefined;
      const [leftOut, ...lines] = Buffer.from(facts?.lines ?? '', 'base64')
        .toString()
        .trimEnd()
        .split('\n');
      return { exit, out, answer, facts, leftOut, lines };
    }
    const SINCE = 'since=2026-12-01T09:00:00.000000000Z';

    it('send the lines of all containers by time, with any bytes', () => {
      const { answer, facts, leftOut, lines } = withDocker('container-logs', '0', SINCE, 'lines=100', 'contains=');
      expect(answer?.code).toBe('DONE');
      expect(facts?.containers).toEqual([
        {
          name: 'gerbil',
          state: 'running',
          health: 'healthy',
          restarts: 2,
          started_at: '2026-12-01T09:00:00.5Z',
          memory_bytes: null,
          declared: true,
        },
        expect.objectContaining({ name: 'traefik', health: 'none', restarts: 0 }),
      ]);
      expect([leftOut, facts?.left_out]).toEqual(['0', 0]);
      expect(lines.map((line) => line.slice(0, 90))).toEqual([
        '2026-12-01T10:00:00.000000001Z gerbil a "quoted" \\ \u001b[31mred\u001b[0m \ufffd line',
        '2026-12-01T10:00:01.000000000Z traefik from stderr $(touch CANARY) ; x a',
        `2026-12-01T10:00:02.000000000Z gerbil! ${'0'.repeat(90 - 39)}`,
        '2026-12-01T10:00:03.000000000Z gerbil',
      ]);
      expect(parseLogLines(lines.join('\n')).map(({ isCut }) => isCut)).toEqual([false, false, true, false]);
    });

    it('leave no trace, and need neither the lock nor the folder of the deployment', () => {
      withDocker('container-logs', '0', SINCE, 'lines=1', 'contains=');
      expect(readdirSync(join(folder, ref))).toEqual([]);
    });

    it('send the newest lines if there are too many, within what is stored of an output', () => {
      writeFileSync(join(folder, `${ref}.many`), '');
      const { out, leftOut, lines } = withDocker('container-logs', '0', SINCE, 'lines=2000', 'contains=');
      rmSync(join(folder, `${ref}.many`));
      expect(out.length).toBeLessThan(64 * 1024);
      expect(lines.at(-1)).toContain(' line 2999 ');
      expect(lines.length).toBeGreaterThan(200);
      expect(Number(leftOut) + lines.length).toBe(3_004);
    });

    it('contain a text', () => {
      const contains = (text: string) =>
        withDocker(
          'container-logs',
          '0',
          SINCE,
          'lines=500',
          `contains=${Buffer.from(text).toString('base64url')}`,
        ).lines.filter((line) => line !== '');
      expect(contains('"quoted" \\')).toHaveLength(1);
      expect(contains('-e $(touch')).toEqual([]);
      expect(contains('$(TOUCH canary) ; x')).toHaveLength(1);
      expect(contains('ä?>')).toEqual([]);
    });

    it('count all lines that contain a text', () => {
      writeFileSync(join(folder, `${ref}.many`), '');
      const wanted = Buffer.from('LINE').toString('base64url');
      const { leftOut, lines } = withDocker('container-logs', '0', SINCE, 'lines=10', `contains=${wanted}`);
      rmSync(join(folder, `${ref}.many`));
      expect(lines).toHaveLength(10);
      expect(lines.at(-1)).toContain(' line 2999 ');
      // One line of the other container contains the text as well.
      expect(leftOut).toBe('2991');
    });

    it('do not contain a text that only their times contain', () => {
      writeFileSync(join(folder, `${ref}.many`), '');
      const wanted = Buffer.from('500').toString('base64url');
      const { leftOut, lines } = withDocker('container-logs', '0', SINCE, 'lines=500', `contains=${wanted}`);
      rmSync(join(folder, `${ref}.many`));
      expect(lines.map((line) => / line \d+/.exec(line)?.[0])).toEqual([' line 500', ' line 1500', ' line 2500']);
      expect(leftOut).toBe('0');
    });

    it.each(['lines=x', 'since=$(id)', 'since='])('reject %s', (word) => {
      const { answer } = withDocker('container-logs', '0', SINCE, 'lines=1', word);
      expect(answer?.code).toBe('BAD_ARGUMENT');
    });

    it('restart a declared service, and what uses its network', () => {
      rmSync(join(folder, `${ref}.calls`), { force: true });
      expect(withDocker('restart-container', '5', 'service=gerbil').answer?.code).toBe('DONE');
      const restarts = readFileSync(join(folder, `${ref}.calls`), 'utf8').match(/restart .*/g);
      expect(restarts).toEqual(['restart -t 20 gerbil', 'restart -t 20 traefik']);
      expect(readdirSync(join(folder, ref)).sort()).toEqual(['lock', 'run_number']);
      expect(withDocker('restart-container', '4', 'service=gerbil').answer?.code).toBe('OVERTAKEN');
    });

    it('do not restart again what Compose has restarted together with the service', () => {
      rmSync(join(folder, `${ref}.calls`), { force: true });
      writeFileSync(join(folder, `${ref}.restarts-dependents`), '');
      expect(withDocker('restart-container', '5', 'service=gerbil').answer?.code).toBe('DONE');
      rmSync(join(folder, `${ref}.restarts-dependents`));
      const restarts = readFileSync(join(folder, `${ref}.calls`), 'utf8').match(/restart .*/g);
      expect(restarts).toEqual(['restart -t 20 gerbil']);
    });

    it.each([
      ['other', 'NO_CONTAINER'],
      ['gerb', 'NO_CONTAINER'],
      ['-f', 'BAD_ARGUMENT'],
      ['', 'BAD_ARGUMENT'],
    ])('do not restart %s', (service, code) => {
      rmSync(join(folder, `${ref}.calls`), { force: true });
      expect(withDocker('restart-container', '5', `service=${service}`).answer?.code).toBe(code);
      expect(readFileSync(join(folder, `${ref}.calls`), 'utf8')).not.toContain('restart -t');
    });
  });
});
