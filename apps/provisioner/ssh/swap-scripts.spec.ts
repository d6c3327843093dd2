import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SCRIPT, SCRIPT_END } from './command';
import { type HostScripts, readHostScripts } from './scripts';

/**
 * Runs the scripts `swap-data` and `keep-data` on real files, with an engine that only records its calls, and kills it before each of
 * its changes to the disk. Tests with a real engine are in tests/backups.
 */
/** Kills before every change with SWAP_KILLS=every, otherwise before some of them. */
const STEP = process.env.SWAP_KILLS === 'every' ? 1 : 9;

let scripts: HostScripts;
let root: string;
beforeAll(async () => {
  scripts = await readHostScripts('infra/host');
  root = mkdtempSync(join(tmpdir(), 'moorage-swap-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/**
 * Replaces the engine, Compose and the system's services with shell functions, and databases with files. Each change to
 * the disk may be the last.
 */
const standIns = (folder: string): string => `
folder=${folder}/stack
need_docker() { :; }
need_stack() { :; }
services_fact() { printf '"services":[]'; }
remove_unit() { :; }
install_unit() { :; }
router_steps() { :; }
gate() { :; }
start_again() { running; }
host_ready() { :; }
pull_missing() { :; }
up() { case " $* " in *' --force-recreate '*) running ;; esac; }
running() { echo running > "$folder/state"; }
others_again() { :; }
started_containers() { :; }
open_services() { echo app; }
compose() { case "$1" in config) printf 'app\\ndb\\n' ;; stop) echo stopped > "$folder/state" ;; esac; }
job_there() { :; }
free_mb() { echo 100000; }
homes() { echo "$folder"; echo ${folder}/outside; echo ${folder}/volume; }
volume_home() { echo ${folder}/volume; }
home_of() { case "$1" in /*) echo ${folder}/outside ;; *) echo "$folder" ;; esac; }
place_of() { case "$1" in /*) echo "${folder}/outside\${1%/}" ;; *) echo "$folder/\${1%/}" ;; esac; }
whole_sqlite() { grep -q sqlite "$1"; }
whole_postgres() { grep -q postgres "$2"; }
postgres_mb() { echo 1; }
copy_sqlite() { cat "$1" > "$2"; }
dump_postgres() { cat ${folder}/postgres > "$4"; }
restore_postgres() { [ ! -e ${folder}/refuses ] && cat "$4" > ${folder}/postgres; }
change() {
  changes=$(($(cat ${folder}/changes) + 1))
  echo "$changes" > ${folder}/changes
  [ "$changes" != "$(cat ${folder}/last)" ] || kill -KILL 0
}
mv() { change; command mv "$@"; }
rm() { change; command rm "$@"; }
ln() { change; command ln "$@"; }
cp() { change; command cp "$@"; }
mkdir() { change; command mkdir "$@"; }
sync() { :; }
`;

const PLAN = `dump sqlite facts config/db/facts.sqlite required
dump sqlite lone lone.sqlite required
dump postgres store db user store
volume data -
path config/
path /app/
exclude config/logs/
exclude config/country
keep db
rendered config/rendered
`;

/** Creates a server with today's data, and a copy of yesterday's data restored beside it. */
function world(): string {
  const folder = mkdtempSync(join(root, 'world-'));
  const put = (path: string, content: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const restored = (path: string): string => `stack/.restored/${path}`;
  put('stack/config/mark', 'today');
  put('stack/config/only-today', 'today');
  put('stack/config/rendered', 'rendered today');
  put('stack/config/country', 'countries');
  put('stack/config/db/facts.sqlite', 'sqlite today');
  put('stack/config/db/facts.sqlite-wal', 'today');
  put('stack/lone.sqlite', 'sqlite today');
  put('stack/lone.sqlite-wal', 'today');
  put('outside/app/mark', 'today');
  put('volume/_data/mark', 'today');
  put('postgres', 'postgres today');
  put(restored('config/mark'), 'yesterday');
  put(restored('config/only-yesterday'), 'yesterday');
  put('outside/.restored/app/mark', 'yesterday');
  put('volume/.restored/_data/mark', 'yesterday');
  put(restored('.job'), 'r1-1');
  put(restored('.dumps/plan'), PLAN);
  const dumps = { facts: 'sqlite yesterday', lone: 'sqlite yesterday', store: 'postgres yesterday' };
  const list = Object.entries(dumps).map(([name, content]) => {
    put(restored(`.dumps/${name}`), content);
    const sum = spawnSync('sha256sum', { input: content, encoding: 'utf8' }).stdout.slice(0, 64);
    return `${name === 'store' ? 'postgres' : 'sqlite'} ${name} ${content.length} ${sum}\n`;
  });
  put(restored('.dumps/list'), `${list.join('')}end\n`);
  put('state/copy/plan', PLAN);
  put('stack/state', 'running\n');
  put('changes', '0');
  return folder;
}

/** Returns the data in use by place. */
function data(folder: string): Record<string, string> {
  const places = {
    mark: 'stack/config/mark',
    onlyToday: 'stack/config/only-today',
    onlyYesterday: 'stack/config/only-yesterday',
    rendered: 'stack/config/rendered',
    country: 'stack/config/country',
    facts: 'stack/config/db/facts.sqlite',
    factsLog: 'stack/config/db/facts.sqlite-wal',
    lone: 'stack/lone.sqlite',
    loneLog: 'stack/lone.sqlite-wal',
    outside: 'outside/app/mark',
    volume: 'volume/_data/mark',
    postgres: 'postgres',
    state: 'stack/state',
  };
  return Object.fromEntries(
    Object.entries(places).map(([name, path]) => [
      name,
      existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8').trim() : 'none',
    ]),
  );
}

const TODAY = {
  mark: 'today',
  onlyToday: 'today',
  onlyYesterday: 'none',
  rendered: 'rendered today',
  country: 'countries',
  facts: 'sqlite today',
  factsLog: 'today',
  lone: 'sqlite today',
  loneLog: 'today',
  outside: 'today',
  volume: 'today',
  postgres: 'postgres today',
  state: 'running',
};
const YESTERDAY = {
  ...TODAY,
  mark: 'yesterday',
  onlyToday: 'none',
  onlyYesterday: 'yesterday',
  facts: 'sqlite yesterday',
  factsLog: 'none',
  lone: 'sqlite yesterday',
  loneLog: 'none',
  outside: 'yesterday',
  volume: 'yesterday',
  postgres: 'postgres yesterday',
};

interface Outcome {
  readonly code: string;
  readonly changes: number;
}

/**
 * Swaps the data. The script is killed before the change to the disk with the number `last`, or not at all if it is 0.
 */
const swap = (folder: string, to: 'restored' | 'before', last = 0): Outcome =>
  run(folder, 'swap-data', ['job=r1', `to=${to}`], last);
/** Keeps the data before an update. */
const keep = (folder: string, last = 0): Outcome => run(folder, 'keep-data', ['job=u1'], last);
/** Puts the kept data back. */
const putBack = (folder: string, last = 0): Outcome => run(folder, 'swap-data', ['job=u1', 'to=restored'], last);

function run(folder: string, name: 'swap-data' | 'keep-data', args: readonly string[], last: number): Outcome {
  writeFileSync(join(folder, 'changes'), '0');
  writeFileSync(join(folder, 'last'), String(last));
  const text = scripts.of[name].replace('\nsteps() {', () => `\n${standIns(folder)}\nsteps() {`);
  const words = ['-c', READ_SCRIPT, join(folder, 'state', name), '1', ...args];
  const { stdout } = spawnSync('setsid', ['sh', ...words], { input: text, encoding: 'utf8' });
  expect(text.endsWith(`${SCRIPT_END}\n`)).toBe(true);
  const changes = Number(readFileSync(join(folder, 'changes'), 'utf8'));
  return { code: stdout === '' ? 'KILLED' : (JSON.parse(stdout) as { code: string }).code, changes };
}

describe('restored copy on a server', () => {
  it('replaces all running data, and the previous data can be restored', () => {
    const folder = world();
    expect(swap(folder, 'restored').code).toBe('DONE');
    expect(data(folder)).toEqual(YESTERDAY);
    expect(swap(folder, 'restored').code).toBe('DONE');
    expect(data(folder)).toEqual(YESTERDAY);
    expect(swap(folder, 'before').code).toBe('DONE');
    expect(data(folder)).toEqual(TODAY);
    for (const left of ['.before', '.aside', '.restored'])
      expect([left, existsSync(join(folder, 'stack', left))]).toEqual([left, false]);
    expect(swap(folder, 'before').code).toBe('DONE');
    expect(data(folder)).toEqual(TODAY);
  });

  it('is complete after an interrupted swap was resumed at any point, and so is the previous data', () => {
    const whole = world();
    const { changes } = swap(whole, 'restored');
    expect(changes).toBeGreaterThan(30);
    for (let last = 1; last <= changes; last += STEP) {
      const folder = world();
      expect([last, swap(folder, 'restored', last).code]).toEqual([last, 'KILLED']);
      const again = swap(folder, 'restored');
      expect([last, again.code, data(folder)]).toEqual([last, 'DONE', YESTERDAY]);
      rmSync(folder, { recursive: true });
    }
    const back = swap(whole, 'before').changes;
    for (let last = 1; last <= back; last += STEP) {
      const folder = world();
      swap(folder, 'restored');
      expect(swap(folder, 'before', last).code).toBe('KILLED');
      expect([last, swap(folder, 'before').code, data(folder)]).toEqual([last, 'DONE', TODAY]);
      rmSync(folder, { recursive: true });
    }
  }, 300_000);

  it('is reverted from any point at which its swap was interrupted', () => {
    const { changes } = swap(world(), 'restored');
    for (let last = 1; last <= changes; last += STEP) {
      const folder = world();
      swap(folder, 'restored', last);
      expect([last, swap(folder, 'before').code, data(folder)]).toEqual([last, 'DONE', TODAY]);
      rmSync(folder, { recursive: true });
    }
  }, 300_000);

  it('replaces nothing if a database rejects it, and may be retried', () => {
    const folder = world();
    writeFileSync(join(folder, 'refuses'), '');
    expect(swap(folder, 'restored').code).toBe('SWAP_FAILED');
    expect(data(folder)).toEqual(TODAY);
    rmSync(join(folder, 'refuses'));
    expect(swap(folder, 'restored').code).toBe('DONE');
    expect(data(folder)).toEqual(YESTERDAY);
  });

  it('replaces nothing if it differs from the stored copy', () => {
    for (const [name, content, code] of [
      ['facts', 'sqlite yesterdaz', 'RESTORED_UNREADABLE'],
      ['facts', 'sqlite', 'RESTORED_SHORT'],
      ['store', 'postgres yesterda', 'RESTORED_SHORT'],
      ['list', '', 'RESTORED_SHORT'],
    ] as const) {
      const folder = world();
      writeFileSync(join(folder, 'stack', '.restored', '.dumps', name), content);
      expect([name, content, swap(folder, 'restored').code]).toEqual([name, content, code]);
      expect(data(folder)).toEqual(TODAY);
    }
    const folder = world();
    rmSync(join(folder, 'stack', '.restored', '.job'));
    expect(swap(folder, 'restored').code).toBe('NOTHING_RESTORED');
    expect(data(folder)).toEqual(TODAY);
  });
});

describe('data kept before an update', () => {
  /** Creates a server without a restored copy. */
  function server(): string {
    const folder = world();
    for (const home of ['stack', 'outside', 'volume']) rmSync(join(folder, home, '.restored'), { recursive: true });
    return folder;
  }

  /** Changes the data as the next version does. */
  function migrate(folder: string): void {
    for (const path of ['stack/config/mark', 'stack/config/only-yesterday', 'outside/app/mark', 'volume/_data/mark'])
      writeFileSync(join(folder, path), 'tomorrow');
    for (const path of ['stack/config/db/facts.sqlite', 'stack/lone.sqlite'])
      writeFileSync(join(folder, path), 'sqlite tomorrow');
    writeFileSync(join(folder, 'postgres'), 'postgres tomorrow');
    writeFileSync(join(folder, 'stack/config/rendered'), 'rendered again');
  }
  // A database outside of the paths is kept as a dump, which needs no file of changes.
  const KEPT = { ...TODAY, loneLog: 'none', rendered: 'rendered again' };

  it('stops what writes, and is put back with everything running', () => {
    const folder = server();
    expect(keep(folder).code).toBe('DONE');
    expect(data(folder)).toEqual({ ...TODAY, state: 'stopped' });
    migrate(folder);
    expect(putBack(folder).code).toBe('DONE');
    expect(data(folder)).toEqual(KEPT);
    expect(putBack(folder).code).toBe('DONE');
    expect(data(folder)).toEqual(KEPT);
  });

  it('is whole or missing at whatever point its copy was interrupted, and is then copied anew', () => {
    const { changes } = keep(server());
    expect(changes).toBeGreaterThan(10);
    for (let last = 1; last <= changes; last += STEP) {
      const folder = server();
      expect(keep(folder, last).code).toBe('KILLED');
      expect([last, putBack(folder).code]).toEqual([last, 'NOTHING_RESTORED']);
      expect([last, keep(folder).code]).toEqual([last, 'DONE']);
      migrate(folder);
      expect([last, putBack(folder).code, data(folder)]).toEqual([last, 'DONE', KEPT]);
      rmSync(folder, { recursive: true });
    }
  }, 300_000);

  it('is complete after putting it back was interrupted at any point', () => {
    const whole = server();
    keep(whole);
    migrate(whole);
    const { changes } = putBack(whole);
    for (let last = 1; last <= changes; last += STEP) {
      const folder = server();
      keep(folder);
      migrate(folder);
      expect(putBack(folder, last).code).toBe('KILLED');
      expect([last, putBack(folder).code, data(folder)]).toEqual([last, 'DONE', KEPT]);
      rmSync(folder, { recursive: true });
    }
  }, 300_000);
});
