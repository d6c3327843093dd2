import { NIGHTLY_SPECS } from './scripts/nightly-specs.js';

const swc = [
  '@swc/jest',
  {
    module: { type: 'es6' },
    jsc: {
      target: 'es2023',
      experimental: { keepImportAttributes: true },
      parser: { syntax: 'typescript', tsx: true, decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
    },
  },
];

/**
 * Unit and service tests are next to the code, and the golden scenarios in tests/golden (*.spec.ts). The journeys in
 * tests/ (*.e2e.ts) have runs of their own. `unit` runs single files from source. `specs` (servers) and `screens`
 * (console) run all of them as `npm test` builds them (scripts/specs.rolldown.js).
 */
const MATCHES = {
  unit: ['<rootDir>/{libs,scripts,bench,tests}/**/*.spec.ts', '<rootDir>/apps/!(console)/**/*.spec.ts'],
  specs: ['<rootDir>/dist/specs/servers/**/*.spec.js'],
  screens: ['<rootDir>/dist/specs/console/**/*.spec.js'],
  journeys: ['<rootDir>/tests/journeys/**/*.e2e.ts'],
  'main-journey': ['<rootDir>/tests/browser/main-journey.e2e.ts'],
  'real-server': ['<rootDir>/tests/real-server/**/*.e2e.ts', '<rootDir>/tests/browser/own-server.e2e.ts'],
  'host-faults': ['<rootDir>/tests/host-faults/**/*.e2e.ts'],
  browser: ['<rootDir>/tests/browser/!(own-server|main-journey|stack|stack-scale).e2e.ts'],
  simulation: ['<rootDir>/tests/simulation/**/*.e2e.ts'],
  crash: ['<rootDir>/tests/crash/**/*.e2e.ts'],
  stack: ['<rootDir>/tests/stack/*.e2e.ts', '<rootDir>/tests/browser/stack*.e2e.ts'],
  stripe: ['<rootDir>/apps/api/payments/*.e2e.ts'],
  clouds: ['<rootDir>/apps/provisioner/clouds/live/*.e2e.ts', '<rootDir>/tests/clouds/*.e2e.ts'],
  backups: ['<rootDir>/apps/provisioner/backups/**/*.e2e.ts', '<rootDir>/tests/backups/**/*.e2e.ts'],
  'platform-dns': ['<rootDir>/tests/platform-dns/*.e2e.ts'],
  transports: [
    '<rootDir>/libs/messaging/transports/*.e2e.ts',
    '<rootDir>/tests/transports/*.e2e.ts',
    '<rootDir>/apps/all-in-one/stack/*.e2e.ts',
  ],
};

const group = process.env.MOORAGE_TESTS ?? 'unit';
const built = ['specs', 'screens'].includes(group);
const nightly = Object.values(NIGHTLY_SPECS).flatMap((paths) => paths.map((path) => path.replace(/tsx?$/, '')));

const common = {
  testPathIgnorePatterns: ['/node_modules/', ...(built ? nightly : [])],
  transform: {
    'dist/specs/.*\\.js$': '<rootDir>/scripts/built-spec.js',
    '\\.tsx?$': swc,
    '\\.sql$': '<rootDir>/tests/fixtures/sql-as-text.js',
  },
  extensionsToTreatAsEsm: ['.ts', '.tsx', '.sql'],
  moduleNameMapper: {
    '\\.css$': '<rootDir>/apps/console/testing/no-style.js',
    '^@moorage/testing$': '<rootDir>/tests/fixtures/index.ts',
    '^@moorage/testing/(.*)$': '<rootDir>/tests/fixtures/$1',
    '^@moorage/tests/(.*)$': '<rootDir>/tests/$1',
    '^@moorage/(api|provisioner|billing)$': '<rootDir>/apps/$1/index.ts',
    '^@moorage/(api|provisioner|billing)/(.*)$': '<rootDir>/apps/$1/$2',
    '^@moorage/messaging/(.*)$': '<rootDir>/libs/messaging/$1',
    '^@moorage/texts/(.*)$': '<rootDir>/libs/texts/$1.ts',
    '^@moorage/(.*)$': '<rootDir>/libs/$1/index.ts',
    '^testcontainers$': '<rootDir>/tests/nightly/node_modules/testcontainers',
  },
  modulePathIgnorePatterns: [
    built ? '<rootDir>/dist/(?!specs)' : '<rootDir>/dist',
    '<rootDir>/.moorage',
    '<rootDir>/.cache',
    '<rootDir>/.nx',
  ],
};

const servers = {
  ...common,
  displayName: group,
  testEnvironment: 'node',
  testMatch: MATCHES[group],
  globalSetup: '<rootDir>/tests/fixtures/jest-global-setup.ts',
  globalTeardown: '<rootDir>/tests/fixtures/jest-global-teardown.ts',
  // Decorators write metadata, and a bundle does not load reflect-metadata with Nest.
  setupFiles: ['reflect-metadata', '<rootDir>/scripts/same-examples.mjs'],
};

/** Specs of the console, in a browser environment and without a database. */
const console = {
  ...common,
  displayName: 'console',
  testEnvironment: '<rootDir>/apps/console/testing/browser-environment.js',
  testMatch: built ? MATCHES.screens : ['<rootDir>/apps/console/**/*.spec.{ts,tsx}'],
  setupFilesAfterEnv: [
    built ? '<rootDir>/dist/specs/console/apps/console/testing/set-up.js' : '<rootDir>/apps/console/testing/set-up.ts',
  ],
};

export default {
  projects: group === 'unit' ? [servers, console] : group === 'screens' ? [console] : [servers],
  // Specs of screens wait for timers half of the time.
  maxWorkers: group === 'screens' ? 3 : 2,
  // Node never releases modules of separate contexts, so a worker that has grown is replaced before garbage collection slows it down.
  workerIdleMemoryLimit: '900MB',
  testTimeout: 60_000,
};
