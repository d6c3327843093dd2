import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BENCHES } from '../bench/benches.mjs';
import { prepare as prepareBackups } from './backups.mjs';
import { ensureChromium } from './browser.mjs';
import { JEST } from './jest.mjs';
import { NIGHTLY_SPECS } from './nightly-specs.js';
import { obstacle as noMoto, prepare as prepareMoto } from './moto.mjs';
import { obstacle as noRealServer } from './real-server.mjs';
import {
  bundle,
  ensureBuilt,
  ensureInstalled,
  installNightlyPackages,
  NIGHTLY_PACKAGES,
  refuseOldNode,
  root,
} from './setup.mjs';
import { runStage } from './stages.mjs';
import { prepare as prepareStack } from './stack.mjs';
import { obstacle as noStripeMock, prepare as prepareStripeMock, STRIPE_MOCK } from './stripe.mjs';
import { prepare as prepareTransports } from './transports.mjs';

/**
 * Runs `npm run test:nightly`, with tests that take too long for every change, use random scenarios, kill processes,
 * compare times or need a separate machine. Each part runs alone within 25 minutes (`-- --part simulation-1`). Without
 * `--part` all run, one after the other. `-- --list` lists them. A failed part does not prevent the next from running,
 * and parts that cannot run on this machine are listed at the end.
 */
const PART_MINUTES_MAX = 25;
const SEEDS = 1_000;
const SIMULATION_PARTS = 10;
const PAIR_PARTS = 4;

const jest = (group, args, environment) => ({
  args: [...JEST, ...args],
  environment: { MOORAGE_TESTS: group, ...environment },
});

const specs = (paths, environment) => jest('unit', ['--runInBand', ...paths], environment);

/** Returns a part that kills, stops or starves processes of the built product. */
const crash = (name, does, files = [name]) => ({
  name,
  does,
  ...jest('crash', ['--runInBand', ...files.map((file) => `tests/crash/${file}`)]),
});

const notRoot = () => (process.platform === 'linux' && process.getuid() === 0 ? undefined : 'requires Linux and root');

const simulations = Array.from({ length: SIMULATION_PARTS }, (_, index) => {
  const seeds = SEEDS / SIMULATION_PARTS;
  return {
    name: `simulation-${index + 1}`,
    does: `seeds ${index * seeds + 1} to ${(index + 1) * seeds} of the simulation`,
    ...jest('simulation', ['simulation-\\d'], {
      SIMULATION_SEEDS: `${seeds}`,
      SIMULATION_FROM: `${index * seeds + 1}`,
    }),
  };
});

const pairs = Array.from({ length: PAIR_PARTS }, (_, index) => ({
  name: `pairs-${index + 1}`,
  does: 'every pair of commands, with the first interrupted before each of its statements',
  ...jest('simulation', ['tests/simulation/pairs'], { PAIRS: 'every', PAIRS_PART: `${index + 1}/${PAIR_PARTS}` }),
}));

/** Browser journeys, in two parts of about the same length. Those not named in the first are in the second. */
const FIRST_JOURNEYS = ['changes', 'day-two', 'end-of-money', 'mails', 'payments', 'referrals-and-credits', 'support'];
const firstJourneys = `tests/browser/(${FIRST_JOURNEYS.join('|')})\\.e2e`;
const browser = [[firstJourneys], [`--testPathIgnorePatterns=${firstJourneys}`]].map((args, index) => ({
  name: `browser-${index + 1}`,
  does: `browser journeys${index === 0 ? ` ${FIRST_JOURNEYS.join(', ')}` : ' that are in no other part'}: two widths, two themes, keyboard only, every page and dialog checked with axe-core`,
  obstacle: () => (ensureChromium() ? undefined : 'Chromium is not installed'),
  ...jest('browser', ['--runInBand', ...args]),
}));

/** Runs all specs in other time zones, with more workers and new random examples each time. */
const zones = ['Asia/Kathmandu', 'Pacific/Kiritimati'].map((zone, index) => ({
  name: `zone-${index + 1}`,
  does: `all server specs with TZ=${zone}, four workers and random examples`,
  prepare: () => bundle('scripts/specs.rolldown.js'),
  ...jest('specs', ['--maxWorkers=4'], { TZ: zone, EXAMPLES: 'random' }),
}));

/**
 * Mutations of the rules, in parts of about the same length. Rules not named in an earlier part are in the last part.
 */
const RULES = 'libs/domain/billing';
const MUTATED = [
  ['settle', 'account'],
  ['books', 'postings'],
  ['replay'],
  ['forecast', 'runway', 'reopening'],
  ['credit', 'deploy-minimum', 'hours', 'daily-charge', 'rate-change', 'price-list', 'pricing'],
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
  does: `mutations of the billing rules and the status table, at least 90 % detected: ${paths.filter((path) => !path.startsWith('!')).join(', ')}`,
  prepare: installNightlyPackages,
  args: [
    join(NIGHTLY_PACKAGES, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js'),
    'run',
    'stryker.config.json',
    '--mutate',
    paths.join(','),
  ],
  environment: { LAW_RUNS: '100' },
}));

const benches = BENCHES.filter(({ isNamed }) => !isNamed).map(({ name, does, args }) => ({
  name: `bench-${name}`,
  does,
  prepare: () => bundle('bench/rolldown.config.js'),
  args,
  environment: {},
}));

/** Packages visible to customers, each on the real server. */
const packages = readdirSync(join(root, 'infra', 'packages'))
  .filter((name) => !name.startsWith('test-'))
  .map((name) => ({
    name: `package-${name}`,
    does: `${name} on the real server: accepted by Compose, started, every health check broken once, restarted, removed`,
    obstacle: noRealServer,
    args: ['scripts/real-server.mjs', 'real-server/packages'],
    environment: { PACKAGE: name },
  }));

/** Returns a part for the Docker stack. Its images are built before the part's time begins. */
const stack = (name, does, spec) => ({
  name,
  does,
  obstacle: noRealServer,
  prepare: prepareStack,
  args: ['scripts/stack.mjs', '--prepared', spec],
  environment: {},
});

const PARTS = [
  ...browser,
  {
    name: 'real-server',
    does: 'the journeys on a real SSH server with a real Docker Engine, Traefik and an ACME authority (Debian, root, Go)',
    obstacle: noRealServer,
    args: ['scripts/real-server.mjs', 'own-server', 'real-server/changes', 'real-server/watching'],
    environment: {},
  },
  {
    name: 'real-updates',
    does: 'a package of each family updated between two images on the real server, and returned to its image and data',
    obstacle: noRealServer,
    args: ['scripts/real-server.mjs', 'real-server/updates'],
    environment: {},
  },
  ...packages,
  {
    name: 'fairness',
    does: '200 waiting deployments of one account next to one of another (compares times)',
    ...specs(NIGHTLY_SPECS.fairness),
  },
  {
    name: 'failures',
    does: 'every step of a run fails in every way, providers return wrong data, and servers are left behind at them',
    ...specs(NIGHTLY_SPECS.failures),
  },
  {
    name: 'long-api',
    does: 'specs of the api that take ten seconds or more each',
    ...specs(NIGHTLY_SPECS['long-api']),
  },
  {
    name: 'long-specs',
    does: 'specs of the other servers and the libraries that take ten seconds or more each',
    ...specs(NIGHTLY_SPECS['long-specs']),
  },
  {
    name: 'long-screens',
    does: 'specs of the console that take ten seconds or more each',
    ...specs(NIGHTLY_SPECS['long-screens']),
  },
  {
    name: 'events',
    does: '20 000 events from 8 writers with 2 relays and 1 000 crashes',
    ...specs(NIGHTLY_SPECS.events),
  },
  {
    name: 'mail-layout',
    does: 'the compiled layout of emails compared with its source (MJML)',
    prepare: installNightlyPackages,
    ...specs(NIGHTLY_SPECS['mail-layout']),
  },
  {
    name: 'transports',
    does: 'every pair of transports on real Kafka, Redis and PostgreSQL servers, and their outages (Debian, root)',
    obstacle: noRealServer,
    prepare: prepareTransports,
    args: ['scripts/transports.mjs'],
    environment: {},
  },
  {
    name: 'platform-dns',
    does: 'records of the platform domain on a real name server, BIND: set, repaired after somebody deleted them, and removed (Debian, root)',
    obstacle: noRealServer,
    args: ['scripts/platform-dns.mjs'],
    environment: {},
  },
  {
    name: 'stripe',
    does: "all requests to Stripe checked against Stripe's own description of its API (Go)",
    obstacle: noStripeMock,
    prepare: prepareStripeMock,
    ...jest('stripe', ['--runInBand'], { STRIPE_MOCK }),
  },
  {
    name: 'clouds',
    does: 'live cloud adapters checked against the published API descriptions, whole journeys over HTTP, and kills in the middle of them',
    prepare: installNightlyPackages,
    ...jest('clouds', ['--runInBand', 'tests/clouds'], {
      PRISM: join(NIGHTLY_PACKAGES, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js'),
    }),
  },
  {
    name: 'clouds-moto',
    does: 'the AWS adapter against moto, an independent EC2 implementation (Python)',
    obstacle: noMoto,
    prepare: prepareMoto,
    args: ['scripts/moto.mjs'],
    environment: {},
  },
  stack(
    'stack',
    'the journeys over HTTP and in Chromium through the gateway of the Docker stack, a search for 40 secrets, Prometheus (Debian, root, Go)',
    'browser/stack.e2e',
  ),
  stack('stack-scale', 'the same with three provisioners and three billing processes', 'stack-scale'),
  stack('stack-kills', 'each container of the stack killed during a deployment', 'stack-kills'),
  crash('crash-create', 'the provisioner killed at every failpoint while a deployment is created', ['create']),
  crash('crash-destroy', 'the provisioner killed at every failpoint during checks, and while a deployment is removed', [
    'destroy',
  ]),
  crash('crash-own-server', "the provisioner killed at every failpoint on a user's own server", ['own-server']),
  crash('crash-billing', 'billing killed at every failpoint of the daily run', ['daily-run']),
  crash('starting', '`npm start` with a taken port or data folder, a killed database and kill -9'),
  crash('stopped', 'a provisioner that is suspended in the middle of a step'),
  crash('database-restarts', 'a database that is stopped, killed and restarted while the product runs'),
  { ...crash('full-disk', 'a database with a full disk (Linux, root)'), obstacle: notRoot },
  crash('hostile-clients', 'slow, many and endless connections'),
  crash('costly-answers', 'twelve clients of one account that request documents while others need responses'),
  {
    name: 'planted-bugs',
    does: 'the simulation finds each planted bug',
    ...jest('simulation', ['tests/simulation/simulation-bugs']),
  },
  ...simulations,
  ...pairs,
  {
    name: 'crowd',
    does: '200 rounds of 64 concurrent commands on one account',
    ...jest('simulation', ['tests/simulation/crowd'], { CROWD_ROUNDS: '200' }),
  },
  ...zones,
  {
    name: 'plans',
    does: 'the plans of all statements of the hot paths over a million rows',
    ...specs(NIGHTLY_SPECS.plans, { PLAN_ROWS: '1000000' }),
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
    does: 'a separate Debian broken while the product runs: workers killed, a reboot, a full disk (Debian, root)',
    obstacle: noRealServer,
    args: ['scripts/host-faults.mjs'],
    environment: {},
  },
  {
    name: 'swap-kills',
    does: 'a restore whose last step is interrupted before each of its changes to the disk',
    ...specs(['apps/provisioner/ssh/swap-scripts.spec.ts'], { SWAP_KILLS: 'every' }),
  },
  {
    name: 'backups',
    does: 'backups with real restic, rest-server, PostgreSQL and SQLite on the real server: restored, swapped, undone, damaged, killed, measured (Debian, root, Go)',
    obstacle: noRealServer,
    prepare: prepareBackups,
    args: ['scripts/backups.mjs', '--prepared'],
    environment: {},
  },
  ...benches,
  ...mutations,
];

refuseOldNode();
process.chdir(root);
const [flag, wanted] = process.argv.slice(2);
const chosen = flag === '--part' ? PARTS.filter(({ name }) => name === wanted) : PARTS;
if (flag === '--list') {
  for (const { name, does } of PARTS) console.log(`${name.padEnd(17)} ${does}`);
  process.exit(0);
}
if ((flag !== undefined && flag !== '--part') || chosen.length === 0) {
  console.error('npm run test:nightly [-- --list | --part <name>]');
  process.exit(2);
}
await ensureInstalled();
await ensureBuilt();

const failed = [];
const notRun = [];
for (const part of chosen) {
  console.log(`\n== ${part.name}: ${part.does}`);
  const why = part.obstacle?.();
  if (why !== undefined) {
    console.log(`${part.name}: skipped: ${why}`);
    notRun.push(part.name);
    continue;
  }
  const began = process.hrtime.bigint();
  const unprepared = (await part.prepare?.()) || 0;
  const { status } = unprepared ? { status: unprepared } : await runStage({ ...part, minutes: PART_MINUTES_MAX });
  const seconds = Math.round(Number(process.hrtime.bigint() - began) / 1e9);
  console.log(`${part.name}: ${status === 0 ? 'passed' : 'FAILED'} after ${seconds} s`);
  if (status !== 0) failed.push(part.name);
}
if (notRun.length > 0) console.error(`\nskipped: ${notRun.join(', ')}`);
if (failed.length > 0) console.error(`\nfailed: ${failed.join(', ')}`);
process.exit(failed.length === 0 && notRun.length < chosen.length ? 0 : 1);
