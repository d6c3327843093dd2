import { spawn } from 'node:child_process';
import { JEST } from './jest.mjs';
import { bundle, ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';

/**
 * `npm run test:nightly`: what takes too long for every change. Each part runs alone within 25 minutes
 * (`-- --part simulation-1`), without `--part` all do, one after the other; `-- --list` names them. A part that fails does
 * not keep the next one from running.
 */
const PART_MS_MAX = 25 * 60_000;
const SEEDS = 1_000;
const SIMULATION_PARTS = 10;
const PAIR_PARTS = 4;

const jest = (group, args, environment) => ({
  args: [...JEST, ...args],
  environment: { MOORAGE_TESTS: group, ...environment },
});

const simulations = Array.from({ length: SIMULATION_PARTS }, (_, index) => {
  const seeds = SEEDS / SIMULATION_PARTS;
  return {
    name: `simulation-${index + 1}`,
    does: `seeds ${index * seeds + 1} to ${(index + 1) * seeds} of the simulated world`,
    ...jest('simulation', ['simulation-\\d'], {
      SIMULATION_SEEDS: `${seeds}`,
      SIMULATION_FROM: `${index * seeds + 1}`,
    }),
  };
});

const pairs = Array.from({ length: PAIR_PARTS }, (_, index) => ({
  name: `pairs-${index + 1}`,
  does: 'every pair of commands, the first left before each of its statements',
  ...jest('simulation', ['tests/simulation/pairs'], { PAIRS: 'every', PAIRS_PART: `${index + 1}/${PAIR_PARTS}` }),
}));

/** The whole specs elsewhere on earth, and more of them at once. */
const zones = ['Asia/Kathmandu', 'Pacific/Kiritimati'].map((zone, index) => ({
  name: `zone-${index + 1}`,
  does: `every server's spec with TZ=${zone} and four workers`,
  prepare: () => bundle('scripts/specs.rolldown.js'),
  ...jest('specs', ['--maxWorkers=4'], { TZ: zone }),
}));

/** Mutations of the rules, in parts of about the same length; whatever is named in none of the first is in the last. */
const RULES = 'libs/domain/billing';
const MUTATED = [
  ['settle', 'account'],
  ['books', 'postings'],
  ['replay'],
  ['forecast', 'runway', 'reopening'],
  ['credit', 'deploy-minimum', 'hours', 'daily-charge', 'level-change', 'price-list', 'pricing'],
].map((names) => names.map((name) => `${RULES}/${name}.ts`));
const mutations = [
  ...MUTATED,
  [
    `${RULES}/**/*.ts`,
    'libs/domain/deployment/status.ts',
    '!libs/domain/**/*.spec.ts',
    ...MUTATED.flat().map((path) => `!${path}`),
  ],
].map((paths, index) => ({
  name: `mutations-${index + 1}`,
  does: `mutations of the rules of billing and of the status table, at least 90 % noticed: ${paths.filter((path) => !path.startsWith('!')).join(', ')}`,
  args: [
    'node_modules/@stryker-mutator/core/bin/stryker.js',
    'run',
    'stryker.config.json',
    '--mutate',
    paths.join(','),
  ],
  environment: { LAW_RUNS: '100' },
}));

const PARTS = [
  ...simulations,
  ...pairs,
  {
    name: 'crowd',
    does: '200 rounds of 64 commands at once on one account',
    ...jest('simulation', ['tests/simulation/crowd'], { CROWD_ROUNDS: '200' }),
  },
  ...zones,
  {
    name: 'plans',
    does: 'the plan of every statement of the hot paths over a million rows',
    ...jest('unit', ['--selectProjects', 'unit', '--testPathPatterns', 'plans.spec'], { PLAN_ROWS: '1000000' }),
  },
  {
    name: 'million',
    does: 'the daily run of a million deployments against hand-written SQL',
    prepare: () => bundle('bench/rolldown.config.js'),
    args: ['--enable-source-maps', 'dist/bench/billing.js', '--size', '1000000', '--rounds', '1'],
    environment: {},
  },
  {
    name: 'host-faults',
    does: 'a Debian of its own broken under the product: workers killed, a reboot, a full disk (Debian, root)',
    args: ['scripts/host-faults.mjs'],
    environment: {},
  },
  ...mutations,
];

refuseOldNode();
process.chdir(root);
const [flag, wanted] = process.argv.slice(2);
const chosen = flag === '--part' ? PARTS.filter(({ name }) => name === wanted) : PARTS;
if (flag === '--list') {
  for (const { name, does } of PARTS) console.log(`${name.padEnd(12)} ${does}`);
  process.exit(0);
}
if ((flag !== undefined && flag !== '--part') || chosen.length === 0) {
  console.error('npm run test:nightly [-- --list | --part <name>]');
  process.exit(2);
}
await ensureInstalled();
await ensureBuilt();

const failed = [];
for (const part of chosen) {
  console.log(`\n== ${part.name}: ${part.does}`);
  const began = process.hrtime.bigint();
  await part.prepare?.();
  const status = await run(part);
  const seconds = Math.round(Number(process.hrtime.bigint() - began) / 1e9);
  console.log(`${part.name}: ${status === 0 ? 'passed' : 'FAILED'} after ${seconds} s`);
  if (status !== 0) failed.push(part.name);
}
if (failed.length > 0) console.error(`\nfailed: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);

/** The exit code; a part that does not end in its time is ended, with its children, and has failed. */
function run({ args, environment }) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
    detached: true,
  });
  const end = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // it has ended by itself
    }
  };
  const tooLong = setTimeout(() => {
    console.error(`not done within ${PART_MS_MAX / 60_000} minutes`);
    end('SIGKILL');
  }, PART_MS_MAX);
  const stop = (signal) => {
    end(signal);
    process.exit(1);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return new Promise((resolve) => {
    const over = (status) => {
      clearTimeout(tooLong);
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      resolve(status ?? 1);
    };
    child.on('error', () => over(1));
    child.on('close', over);
  });
}
