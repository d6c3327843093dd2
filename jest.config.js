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
 * Unit and service tests stand beside the code, the golden scenarios in tests/golden (*.spec.ts); journeys in tests/
 * (*.e2e.ts) have their own run, the real server its own again. `unit` runs from source, for one file at a time; `specs`
 * (the servers') and `screens` (the console's) are the same for all of them, as `npm test` builds them
 * (scripts/specs.rolldown.js).
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
  transports: [
    '<rootDir>/libs/messaging/transports/*.e2e.ts',
    '<rootDir>/tests/transports/*.e2e.ts',
    '<rootDir>/apps/all-in-one/stack/*.e2e.ts',
  ],
};

/** Specs that are parts of `npm run test:nightly`, and why. */
const NIGHTLY = [
  'apps/(api|billing|provisioner)/plans.spec', // fills a hundred thousand rows: minutes
  'libs/(database|messaging)/plans.spec', // as above
  'apps/provisioner/runs/fairness.spec', // compares times
  'apps/provisioner/runs/failures.spec', // every step fails in every way: most of a minute
  'apps/provisioner/servers/reconcile-servers.spec', // half a minute of leftovers
  'libs/messaging/twenty-thousand-events.spec', // a minute of crashes at random
  // accounts by the dozen, nights and months one after the other, every dialog of administrators: half a minute to one and a half each
  'apps/api/(credits/farming|http/rate-limiter|users/account-views).spec',
  'apps/billing/(proof/proof|watch/watch|audit/months).spec',
  'apps/provisioner/runs/crash.spec',
  'apps/console/(administration/people|account/account-page).spec',
];

const group = process.env.MOORAGE_TESTS ?? 'unit';
const built = ['specs', 'screens'].includes(group);

const common = {
  testPathIgnorePatterns: ['/node_modules/', ...(built ? NIGHTLY : [])],
  transform: {
    'dist/specs/.*\\.js$': '<rootDir>/scripts/built-spec.js',
    '\\.tsx?$': swc,
    '\\.sql$': '<rootDir>/libs/testing/sql-as-text.js',
  },
  extensionsToTreatAsEsm: ['.ts', '.tsx', '.sql'],
  moduleNameMapper: {
    '\\.css$': '<rootDir>/apps/console/testing/no-style.js',
    '^@moorage/(api|provisioner|billing)/testing$': '<rootDir>/apps/$1/testing/index.ts',
    '^@moorage/(api|provisioner|billing)$': '<rootDir>/apps/$1/index.ts',
    '^@moorage/provisioner/clouds$': '<rootDir>/apps/provisioner/testing/clouds.ts',
    '^@moorage/messaging/servers$': '<rootDir>/libs/messaging/transports/testing/servers.ts',
    '^@moorage/domain/german/(.*)$': '<rootDir>/libs/domain/german/$1.ts',
    '^@moorage/(.*)$': '<rootDir>/libs/$1/index.ts',
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
  globalSetup: '<rootDir>/libs/testing/jest-global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/jest-global-teardown.ts',
  // what decorates a class writes metadata, and a bundle does not load it with Nest
  setupFiles: ['reflect-metadata', '<rootDir>/scripts/same-examples.mjs'],
};

/** The console's own, in a browser's surroundings and without a database. */
const console = {
  ...common,
  displayName: 'console',
  testEnvironment: '<rootDir>/apps/console/testing/browser-environment.js',
  testMatch: built ? MATCHES.screens : ['<rootDir>/apps/console/**/*.spec.{ts,tsx}'],
};

export default {
  projects: group === 'unit' ? [servers, console] : group === 'screens' ? [console] : [servers],
  // screens wait for their timers half of the time
  maxWorkers: group === 'screens' ? 3 : 2,
  // Node gives modules in contexts of their own never back: a worker that has grown is replaced before it only collects garbage
  workerIdleMemoryLimit: '900MB',
  testTimeout: 60_000,
};
