import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from './browser.mjs';
import { buildCrashTests } from './crash.mjs';
import { JEST } from './jest.mjs';
import { realServerStages } from './real-server.mjs';
import { bundle, ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';

/**
 * `npm test`: installs what is missing, then format, lint with boundaries, types, unit and service tests on a real
 * PostgreSQL, the tests of every screen, and the journeys against the built product. `--browser` adds the journeys in
 * Chromium; `--all` (`npm run test:all`, what CI runs) adds those, 40 seeds of the simulated world, the crash tests (real
 * processes killed at their named places) and, as `--real-server` alone does, the journey on a real SSH server with a real
 * Docker Engine (Debian, root). Everything runs even after a failure; the last line counts.
 */
refuseOldNode();
process.chdir(root);
await ensureInstalled();

/** Of the simulated world here; `npm run test:simulation` plays 200. */
const SIMULATION_SEEDS = '40';
const all = process.argv.includes('--all');
const browser = all || process.argv.includes('--browser');
const realServer = all || process.argv.includes('--real-server');
const results = join(root, 'dist', 'test-results');
const { bin } = JSON.parse(readFileSync(join(root, 'node_modules', 'nx', 'package.json'), 'utf8'));
const nx = (target) => ({
  name: target,
  args: [join('node_modules', 'nx', bin.nx), 'run', `workspace:${target}`, '--outputStyle=static'],
});
const jest = (name, ...more) => ({
  name,
  args: [...JEST, '--json', `--outputFile=${join(results, `${name}.json`)}`, ...more],
  counts: true,
});
const group = (name, more = [], environment = {}) => ({
  ...jest(name, ...more),
  environment: { MOORAGE_TESTS: name, ...environment },
});

const onServer = realServer ? realServerStages(group('real-server', ['--runInBand'])) : { setUp: [], journey: [] };
const simulation = { SIMULATION_SEEDS: process.env.SIMULATION_SEEDS ?? SIMULATION_SEEDS };

/**
 * Rounds of lanes: lanes go side by side, the stages of a lane one after the other. What waits as much as it computes (a
 * real server starting containers, processes that die) goes side by side; what compares times goes alone. Chromium drops
 * what it loads when the real server's networks come and go, so the two are never in one round.
 */
const rounds = [
  [
    [group('specs'), group('screens')],
    onServer.setUp,
    [nx('format'), nx('lint'), nx('boundaries'), nx('typecheck'), group('journeys', ['--runInBand'])],
  ],
  [[group('timed', ['--runInBand'])]],
  [browser ? [group('browser')] : [], all ? [group('simulation', [], simulation)] : []],
  [all ? [group('crash')] : [], onServer.journey],
];

rmSync(results, { recursive: true, force: true });
let passed = 0;
let failed = 0;
const slow = [];
if (browser || realServer) ensureChromium();
await ensureBuilt();
await bundle('scripts/specs.rolldown.js');
if (all) await buildCrashTests();
mkdirSync(results, { recursive: true });
const began = process.hrtime.bigint();
for (const lanes of rounds) await Promise.all(lanes.map((stages, lane) => runLane(stages, { aside: lane > 0 })));

/** Runs a lane's stages. A lane aside shows what a stage said when it has ended. */
async function runLane(stages, { aside }) {
  for (const stage of stages) {
    if (!aside) console.log(`\n== ${stage.name}`);
    const started = process.hrtime.bigint();
    const { status, said } = await run(stage, { aside });
    if (aside) process.stdout.write(`\n== ${stage.name} (ran beside)\n${said}`);
    const counted = stage.counts
      ? count(stage, status)
      : { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 };
    passed += counted.passed;
    failed += counted.failed;
    slow.push(`${stage.name} ${seconds(started)} s`);
  }
}

function run({ command = process.execPath, args, environment = {} }, { aside = false } = {}) {
  const env = { ...process.env, NX_DAEMON: 'false', NX_NO_CLOUD: 'true', ...environment };
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', ...(aside ? ['pipe', 'pipe'] : ['inherit', 'inherit'])],
    env,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (said += text));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ status: 1, said: `${said}${error.message}\n` }));
    child.on('close', (status) => resolve({ status, said }));
  });
}

/** What Jest reports; a suite that could not even load has failed too, and so has a run without a test. */
function count({ name }, status) {
  const report = reportOf(name);
  const unloaded = report?.numRuntimeErrorTestSuites ?? 1;
  const counted = {
    passed: report?.numPassedTests ?? 0,
    failed: (report?.numFailedTests ?? 0) + unloaded,
  };
  if (status !== 0 && counted.failed === 0) counted.failed = 1;
  if (status === 0 && counted.passed === 0) {
    console.error(`${name}: no test ran`);
    counted.failed += 1;
  }
  return counted;
}

function reportOf(name) {
  try {
    return JSON.parse(readFileSync(join(results, `${name}.json`), 'utf8'));
  } catch {
    return undefined;
  }
}

function seconds(since) {
  return Math.round(Number(process.hrtime.bigint() - since) / 1e9);
}

console.log(`\n${slow.join(', ')}; ${seconds(began)} s in all, without installing and building`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
