import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandOf, type HostCommand, parseCommand, wordsOf } from './command';
import { HOST_SCRIPTS, readAnswer } from './host-scripts';
import { preflightLines, refusalOf } from './preflight';
import { type HostScripts, readHostScripts } from './scripts';

let scripts: HostScripts;
let folder: string;
beforeAll(async () => {
  scripts = await readHostScripts('infra/host');
  folder = mkdtempSync(join(tmpdir(), 'moorage-scripts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a text as a host would, with its state in a temporary folder. */
function run(name: string, text: string, ...words: string[]): { exit: number | null; out: string } {
  const place = join(folder, name, 'scripts');
  mkdirSync(place, { recursive: true });
  const path = join(place, 'x.sh');
  writeFileSync(path, text);
  const { status, stdout } = spawnSync('sh', [path, ...words], { encoding: 'utf8' });
  return { exit: status, out: stdout };
}

describe('the scripts that run on servers', () => {
  it('are all there, and a POSIX shell understands every one', () => {
    expect(Object.keys(scripts.of).sort()).toEqual([...HOST_SCRIPTS].sort());
    for (const text of [...Object.values(scripts.of), scripts.place]) {
      expect(spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' }).stderr).toBe('');
    }
  });

  it('have nothing that shellcheck would change (a machine without it leaves it to the others)', () => {
    for (const [name, text] of Object.entries({ ...scripts.of, place: scripts.place })) {
      const said = spawnSync('shellcheck', ['-s', 'sh', '-'], { input: text, encoding: 'utf8' });
      if (said.error === undefined) expect([name, said.stdout]).toEqual([name, '']);
    }
  });

  const common = (rest: string): string => `${scripts.of['router-log'].split('# ---- the stack')[0] ?? ''}\n${rest}\n`;

  it('refuse a run that was overtaken, and let the same or a later one go on', () => {
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

  it('say one line of JSON whatever else is printed, and whatever stands in a text', () => {
    const odd = `printf 'a"b\\\\c\\n\\001d%s' '$(touch CANARY) é'`;
    const { exit, out } = run(
      'text',
      common(`echo noise\n${odd}\nanswer true DONE "\\"acme_error\\":$(text "$(${odd})" 400)"`),
      '1',
    );
    expect(exit).toBe(0);
    expect(readAnswer('router-log', out)).toEqual({
      ok: true,
      code: 'DONE',
      facts: { acme_error: "a'b/c  d$(touch CANARY)   " },
    });
  });

  it('that break off still answer', () => {
    expect(run('broken', common('false'), '1')).toEqual({ exit: 1, out: '{"ok":false,"code":"SCRIPT_FAILED"}\n' });
  });

  it('take arguments as words, never as code', () => {
    const text = common('answer true DONE "\\"acme_error\\":$(text "$(args ports)" 400)"');
    const { out } = run('args', text, '1', 'ports=80/tcp,$(touch CANARY);x');
    expect(readAnswer('router-log', out)?.facts).toEqual({ acme_error: '80/tcp $(touch CANARY);x' });
    expect(run('args', text, '1', 'a;b=1').out).toContain('BAD_ARGUMENT');
    expect(existsSync('CANARY')).toBe(false);
  });

  it('a check of an own server looks at the machine and leaves no trace', () => {
    const { out } = run('check-0123456789abcdef', scripts.of.preflight, '0', 'purpose=check', 'server=own', 'now=0');
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

  it('a check removes what killed checks with the same key left, and nothing of others', () => {
    leaveBehind('check-0123456700000001', 'check-0123456700000002', ...OTHERS);
    const { out } = run('check-0123456789abcdef', scripts.of.preflight, '0', 'purpose=check', 'server=own', 'now=0');
    expect(readAnswer('preflight', out)).not.toBeNull();
    expect(readdirSync(folder).filter((name) => name.startsWith('check-01234567'))).toEqual([]);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(OTHERS));
  });

  it("the last removal takes the deployment's folder and those of its key's checks, and nothing of others", () => {
    leaveBehind('check-0123456700000001', ...OTHERS);
    const key = `key=${'A'.repeat(60)}`;
    for (const checks of ['', 'checks=', 'checks=check-', 'checks=check-*', 'checks=../../../../..'])
      expect(run('ourdeployment000', scripts.of['remove-access'], '1', key, checks || 'x=y').out).toContain(
        'BAD_ARGUMENT',
      );
    expect(readdirSync(folder)).toContain('ourdeployment000');
    const { out } = run('ourdeployment000', scripts.of['remove-access'], '1', key, 'checks=check-01234567');
    expect(readAnswer('remove-access', out)).toMatchObject({ ok: true });
    expect(readdirSync(folder)).not.toContain('ourdeployment000');
    expect(readdirSync(folder)).not.toContain('check-0123456700000001');
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(OTHERS));
  });
});

describe('a command', () => {
  const plain: HostCommand = {
    folder: 'abcdefghijklmnop',
    name: 'start-router',
    runNumber: 3,
    seconds: 60,
    args: { recreate: 'no' },
  };

  it('is read back as it was written', () => {
    const args = wordsOf({
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
    ['a folder that is none of ours', { folder: '../../etc' }],
    ['a blank in a value', { args: { a: 'b c' } }],
    ['a semicolon', { args: { a: 'b;c' } }],
    ['a dollar', { args: { a: '$(x)' } }],
    ['a quote', { args: { a: "'" } }],
    ['a line break', { args: { a: 'b\nc' } }],
    ['a key of another kind', { args: { 'a b': 'c' } }],
    ['half a run number', { runNumber: 1.5 }],
    ['a run number below zero', { runNumber: -1 }],
  ])('is never made of %s', (_, change) => {
    expect(() => commandOf({ ...plain, ...change })).toThrow(RangeError);
  });

  it.each(['rm -rf /', `${commandOf(plain)}; ls`, commandOf(plain).replace('start-router', 'other'), ''])(
    '%s is none of ours',
    (text) => {
      expect(parseCommand(text)).toBeNull();
    },
  );
});

describe('what a preflight found, in sentences', () => {
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

  it('names each, errors and warnings apart', () => {
    expect(lines.map(({ level }) => level)).toEqual(['ok', 'error', 'error', 'error', 'warning']);
    expect(refusalOf(lines)).toBe(
      'Port 80 tcp is used by apache2. Stop it first (e.g. sudo systemctl disable --now apache2). ' +
        'Docker from snap is not supported. Pangolin needs 15 GB of free disk; 3 GB found.',
    );
    expect(refusalOf(lines.filter(({ level }) => level !== 'error'))).toBeNull();
  });
});
