import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from './browser.mjs';
import { JEST } from './jest.mjs';
import { bundle, ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';
import { runStage } from './stages.mjs';

/**
 * Runs `npm test`, which is also what CI runs. It installs what is missing, then runs format, lint with boundaries,
 * types, the sizes of the console, the tests of every screen, unit and service tests on a real PostgreSQL, and the journeys against the built
 * product, one of them in Chromium (without Chromium it is reported as not run, and in CI as failed). Everything runs
 * even after a failure, each stage within its time, and the last line shows the counts. Longer tests are parts of `npm
 * run test:nightly`.
 */
refuseOldNode();
process.chdir(root);
await ensureInstalled();

const results = join(root, 'dist', 'test-results');
const { bin } = JSON.parse(readFileSync(join(root, 'node_modules', 'nx', 'package.json'), 'utf8'));
const nx = (target) => ({
  name: target,
  minutes: 15,
  args: [join('node_modules', 'nx', bin.nx), 'run', `workspace:${target}`, '--outputStyle=static'],
  environment: { NX_DAEMON: 'false', NX_NO_CLOUD: 'true' },
});
/** Returns the stage of a group in `jest.config.js`. */
const group = (name, minutes, more = []) => ({
  name,
  minutes,
  args: [...JEST, '--json', `--outputFile=${join(results, `${name}.json`)}`, ...more],
  environment: { MOORAGE_TESTS: name },
  counts: true,
});

/** Compares what a browser loads for the console with its budgets. */
const consoleSizes = { name: 'console-sizes', minutes: 5, args: [join('bench', 'console-sizes.mjs')] };

/** Rounds of lanes. Lanes run in parallel, the stages of a lane one after the other. */
const rounds = [
  [
    [nx('lint-all'), nx('boundaries'), consoleSizes],
    [nx('format'), nx('typecheck-all'), group('screens', 15), group('journeys', 15, ['--runInBand'])],
  ],
  [[group('specs', 25)]],
];

rmSync(results, { recursive: true, force: true });
let passed = 0;
let failed = 0;
const slow = [];
const began = process.hrtime.bigint();
if (ensureChromium()) rounds.push([[group('main-journey', 10)]]);
else {
  console.error('main-journey: skipped');
  if (process.env.CI) failed++;
}
await ensureBuilt();
await bundle('scripts/specs.rolldown.js');
mkdirSync(results, { recursive: true });
slow.push(`building ${seconds(began)} s`);
for (const lanes of rounds) await Promise.all(lanes.map((stages, lane) => runLane(stages, { aside: lane > 0 })));

/** Runs the stages of a lane. A lane that runs aside prints the output of a stage when it has ended. */
async function runLane(stages, { aside }) {
  for (const stage of stages) {
    if (!aside) console.log(`\n== ${stage.name}`);
    const started = process.hrtime.bigint();
    const { status, output } = await runStage(stage, { aside });
    if (aside) process.stdout.write(`\n== ${stage.name} (ran beside)\n${output}`);
    const counted = stage.counts
      ? count(stage, status)
      : { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 };
    passed += counted.passed;
    failed += counted.failed;
    slow.push(`${stage.name} ${seconds(started)} s`);
  }
}

/**
 * Counts the results that Jest reports. A suite that could not be loaded counts as failed, and so does a run without
 * tests.
 */
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

console.log(`\n${slow.join(', ')}; ${seconds(began)} s in all, without installing`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
