import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from './browser.mjs';
import { buildBox } from './box.mjs';
import { runRealServer } from './real-server.mjs';
import { ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';

/**
 * `npm test`: installs what is missing, then format, lint with boundaries, types, unit and service tests on a real
 * PostgreSQL, the tests of every screen, and the journeys against the built product. `--browser` adds the journeys in
 * Chromium; `--all` (what CI runs) adds those, 40 seeds of the simulated world, the box (real processes killed at their named places) and, as `--real-server` alone does, the journey on a real SSH
 * server with a real Docker Engine (Debian, root). Everything runs even after a failure; the last line counts.
 */
refuseOldNode();
process.chdir(root);
ensureInstalled();

/** More broken suites than this are no accident of timing. */
const SECOND_TRIES_MAX = 4;
/** Of the simulated world here; `npm run test:world` plays 200. */
const WORLD_SEEDS = '40';
const all = process.argv.includes('--all');
const browser = all || process.argv.includes('--browser');
const results = join(root, 'dist', 'test-results');
const node = (...args) => [process.execPath, args];
const { bin } = JSON.parse(readFileSync(join(root, 'node_modules', 'nx', 'package.json'), 'utf8'));
const nxCommand = join('node_modules', 'nx', bin.nx);
const nx = (target) => node(nxCommand, 'run', `workspace:${target}`, '--outputStyle=static');
const jest = (name, ...more) =>
  node(
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    '--json',
    `--outputFile=${join(results, `${name}.json`)}`,
    ...more,
  );

const stages = [
  ['format', nx('format')],
  ['lint', nx('lint')],
  ['boundaries', nx('boundaries')],
  ['types', nx('typecheck')],
  ['unit', jest('unit'), {}, true],
  ['journeys', jest('journeys', '--runInBand'), { MOORAGE_TESTS: 'journeys' }, true],
  ...(browser ? [['browser', jest('browser', '--runInBand'), { MOORAGE_TESTS: 'browser' }, true]] : []),
  ...(all
    ? [
        ['world', jest('world'), { WORLD_SEEDS: process.env.WORLD_SEEDS ?? WORLD_SEEDS, MOORAGE_TESTS: 'world' }, true],
        ['box', jest('box'), { MOORAGE_TESTS: 'box' }, true],
      ]
    : []),
];

rmSync(results, { recursive: true, force: true });
let passed = 0;
let failed = 0;
const slow = [];
const secondTries = [];
if (browser) ensureChromium();
ensureBuilt();
if (all) buildBox();
mkdirSync(results, { recursive: true });
for (const [name, [command, args], environment = {}, counts = false] of stages) {
  console.log(`\n== ${name}`);
  const began = process.hrtime.bigint();
  const status = run(command, args, environment);
  const counted = counts ? count(name, status) : { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 };
  if (counts && counted.suites.length > 0) retry(name, counted, environment);
  slow.push(`${name} ${Math.round(Number(process.hrtime.bigint() - began) / 1e9)} s`);
  passed += counted.passed;
  failed += counted.failed;
}
if (all || process.argv.includes('--real-server')) {
  console.log('\n== real-server');
  const began = process.hrtime.bigint();
  const counted = runRealServer();
  slow.push(`real-server ${Math.round(Number(process.hrtime.bigint() - began) / 1e9)} s`);
  passed += counted.passed;
  failed += counted.failed;
}

function run(command, args, environment) {
  const env = { ...process.env, NX_DAEMON: 'false', NX_NO_CLOUD: 'true', ...environment };
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', env }).status;
}

/** What Jest reports; a suite that could not even load has failed too, and so has a run without a test. */
function count(name, status) {
  const report = reportOf(name);
  const broken = report?.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name) ?? [];
  const unloaded = report?.numRuntimeErrorTestSuites ?? 1;
  const counted = {
    passed: report?.numPassedTests ?? 0,
    failed: (report?.numFailedTests ?? 0) + unloaded,
    suites: broken,
  };
  if (status !== 0 && counted.failed === 0) counted.failed = 1;
  if (status === 0 && counted.passed === 0) {
    console.error(`${name}: no test ran`);
    counted.failed += 1;
  }
  return counted;
}

/**
 * A failed suite is run once more, alone: figures of time (a ratio, a deadline) can miss on a machine that is busy with
 * something else. What fails again counts as failed; what passes is named at the end, so that nobody overlooks it.
 */
function retry(name, counted, environment) {
  if (counted.suites.length > SECOND_TRIES_MAX) return;
  console.log(`\n== ${name}, once more: ${counted.suites.length} suites`);
  const [command, args] = jest(`${name}-again`, '--runInBand', '--runTestsByPath', ...counted.suites);
  const again = count(`${name}-again`, run(command, args, environment));
  const total = counted.passed + counted.failed;
  if (again.failed === 0) secondTries.push(...counted.suites.map((suite) => suite.slice(root.length + 1)));
  counted.failed = again.failed;
  counted.passed = total - again.failed;
}

function reportOf(name) {
  try {
    return JSON.parse(readFileSync(join(results, `${name}.json`), 'utf8'));
  } catch {
    return undefined;
  }
}

if (secondTries.length > 0) console.log(`\nPassed only at the second try: ${secondTries.join(', ')}`);
console.log(`\n${slow.join(', ')}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
