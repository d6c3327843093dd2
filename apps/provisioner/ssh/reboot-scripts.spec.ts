import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { READ_SCRIPT, SCRIPT_END } from './command';
import { type HostScriptName, readAnswer } from './host-scripts';
import { type HostScripts, readHostScripts } from './scripts';

/** Runs the parts of scripts that update and reboot a server, with its files in a temporary folder. */
const REF = 'reboot0000000000';
const BOOT = '11111111-2222-4333-8444-555555555555';
let scripts: HostScripts;
let folder: string;
beforeAll(async () => {
  scripts = await readHostScripts('infra/host');
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'moorage-reboot-'));
  for (const name of [REF, 'run', 'apt.conf.d', 'dpkg', 'bin']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'boot_id'), `${BOOT}\n`);
  writeFileSync(join(folder, 'locks'), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (...names: string[]): string => join(folder, ...names);
const calls = (): string[] => {
  try {
    return readFileSync(path('calls'), 'utf8').trimEnd().split('\n');
  } catch {
    return [];
  }
};
/** Puts a command in front of the machine's own. Its calls are recorded. */
const command = (name: string, script: string): void =>
  writeFileSync(path('bin', name), `#!/bin/sh\necho "${name} $*" >> '${path('calls')}'\n${script}\n`, { mode: 0o755 });

/** Runs a script with the files of the temporary folder. `steps` replaces its own steps. */
function run<Name extends HostScriptName>(name: Name, words: readonly string[], steps: string | null = null) {
  const text = scripts.of[name]
    .replaceAll('/proc/sys/kernel/random/boot_id', path('boot_id'))
    .replaceAll('/proc/locks', path('locks'))
    .replaceAll('/var/lib/dpkg', path('dpkg'))
    .replaceAll('/var/run/', `${path('run')}/`)
    .replaceAll('/etc/apt/apt.conf.d', path('apt.conf.d'));
  const at = text.indexOf('\nsteps() {');
  const surroundings = `PATH='${path('bin')}':$PATH\n`;
  const input = `${text.slice(0, at)}\n${surroundings}${steps === null ? text.slice(at) : `${steps}\n${SCRIPT_END}\n`}`;
  const { stdout } = spawnSync('sh', ['-c', READ_SCRIPT, path(REF, name), ...words], { input, encoding: 'utf8' });
  return readAnswer(name, stdout);
}

/** Returns a function of a script. */
function functionOf(name: HostScriptName, called: string): string {
  const [text = ''] = new RegExp(String.raw`^${called}\(\) \{\n[\s\S]*?^\}$`, 'm').exec(scripts.of[name]) ?? [];
  expect(text).not.toBe('');
  return text.replaceAll('/etc/apt/apt.conf.d', path('apt.conf.d')).replaceAll('/var/run/', `${path('run')}/`);
}

describe('security upgrades of new servers', () => {
  it('are installed daily, never reboot the server and never replace Docker', () => {
    command('systemctl', '');
    command('timedatectl', '');
    expect(run('bootstrap', ['0'], `${functionOf('bootstrap', 'updates')}\nupdates\nanswer false CHECKED`)?.code).toBe(
      'CHECKED',
    );
    const settings = ['20auto-upgrades', '52moorage-upgrades'].map((file) =>
      readFileSync(path('apt.conf.d', file), 'utf8'),
    );
    expect(settings).toEqual([
      'APT::Periodic::Update-Package-Lists "1";\nAPT::Periodic::Unattended-Upgrade "1";\n',
      expect.stringContaining('Unattended-Upgrade::Automatic-Reboot "false";\n'),
    ]);
    expect(calls()[0]).toBe('systemctl enable --now apt-daily.timer apt-daily-upgrade.timer');
    const listed = [...(settings[1]?.match(/"\^[^"]+"/g) ?? [])].map((pattern) => new RegExp(pattern.slice(1, -1)));
    const kept = (name: string): boolean => listed.some((pattern) => pattern.test(name));
    expect(
      ['docker-ce', 'docker-ce-cli', 'containerd.io', 'docker-buildx-plugin', 'docker-compose-plugin'].every(kept),
    ).toBe(true);
    expect(['openssl', 'linux-image-cloud-amd64', 'containerd-io'].some(kept)).toBe(false);
  });
});

describe('a pending reboot', () => {
  const read = (): unknown => {
    const input = `${functionOf('host-facts', 'reboot_fact')}\nreboot_fact\n`;
    const { stdout } = spawnSync('sh', { input, encoding: 'utf8' });
    return (JSON.parse(`{${stdout}}`) as { reboot: unknown }).reboot;
  };

  it('is null on a server without one', () => {
    expect(read()).toBeNull();
  });

  it('has its time and the names of packages, and nothing else that the file contains', () => {
    const file = path('run', 'reboot-required');
    writeFileSync(file, '*** System restart required ***\n');
    utimesSync(file, 1_796_000_000, 1_796_000_000);
    expect(read()).toEqual({ since: '2026-11-30T00:53:20Z', packages: [] });
    const many = Array.from({ length: 12 }, (_, n) => `lib${n}`);
    writeFileSync(
      `${file}.pkgs`,
      ['linux-image-6.1.0-32-amd64', 'linux-image-6.1.0-32-amd64', '$(id)', 'a"b', ...many].join('\n'),
    );
    const { packages } = read() as { packages: string[] };
    expect([packages.length, packages.includes('lib0'), packages.some((name) => /[^a-z0-9.+-]/.test(name))]).toEqual([
      10,
      true,
      false,
    ]);
  });
});

describe('reboot-server', () => {
  /** A system that accepts a reboot, and knows of it afterwards. */
  beforeEach(() => {
    command('systemctl', `case "$*" in *is-active*) [ -e '${path('timer')}' ] ;; *) echo running ;; esac`);
    command('systemd-run', `: > '${path('timer')}'`);
  });
  const reboots = (): string[] => calls().filter((call) => call.startsWith('systemd-run'));

  it('only returns the boot at first', () => {
    expect(run('reboot-server', ['5', 'boot=none'])).toEqual({ ok: true, code: 'DONE', facts: { boot_id: BOOT } });
    expect(reboots()).toEqual([]);
  });

  it('schedules the reboot once, after its answer', () => {
    for (let call = 0; call < 3; call++)
      expect(run('reboot-server', ['5', `boot=${BOOT}`])).toMatchObject({ code: 'DONE', facts: { boot_id: BOOT } });
    expect(reboots()).toEqual([
      `systemd-run --quiet --collect --on-active=2 --unit moorage-${REF}-reboot systemctl reboot`,
    ]);
  });

  it('does nothing in the next boot', () => {
    expect(run('reboot-server', ['5', 'boot=00000000-0000-4000-8000-000000000001'])?.code).toBe('DONE');
    expect(reboots()).toEqual([]);
  });

  it('does nothing for a caller that was overtaken', () => {
    run('reboot-server', ['6', 'boot=none']);
    expect(run('reboot-server', ['5', `boot=${BOOT}`])?.code).toBe('OVERTAKEN');
    expect(reboots()).toEqual([]);
  });

  it.each(['lock', 'lock-frontend'])('waits for packages that are being installed (%s)', (name) => {
    writeFileSync(path('dpkg', name), '');
    const { stdout } = spawnSync('stat', ['-c', '%i', path('dpkg', name)], { encoding: 'utf8' });
    writeFileSync(path('locks'), `1: POSIX  ADVISORY  WRITE 812 08:01:${stdout.trim()} 0 EOF\n`);
    expect(run('reboot-server', ['5', `boot=${BOOT}`])?.code).toBe('PACKAGES_BUSY');
    expect(reboots()).toEqual([]);
  });

  it('reports that the system does not accept it', () => {
    command('systemd-run', 'exit 1');
    expect(run('reboot-server', ['5', `boot=${BOOT}`])?.code).toBe('REBOOT_FAILED');
  });
});
