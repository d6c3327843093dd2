const swc = [
  '@swc/jest',
  {
    module: { type: 'es6' },
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', tsx: true, decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
    },
  },
];

/** Unit and service tests stand beside the code (*.spec.ts); journeys in tests/ (*.e2e.ts) have their own command. */
export default {
  testEnvironment: 'node',
  testMatch: process.env.MOORAGE_TESTS === 'journeys' ? ['<rootDir>/tests/**/*.e2e.ts'] : ['<rootDir>/{apps,libs,scripts}/**/*.spec.ts'],
  transform: { '\\.tsx?$': swc, '\\.sql$': '<rootDir>/libs/testing/sql-as-text.js' },
  extensionsToTreatAsEsm: ['.ts', '.tsx', '.sql'],
  moduleNameMapper: {
    '^@moorage/(api|provisioner|billing)$': '<rootDir>/apps/$1/index.ts',
    '^@moorage/testing/invariants.sql$': '<rootDir>/libs/testing/invariants.sql',
    '^@moorage/(.*)$': '<rootDir>/libs/$1/index.ts',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.moorage', '<rootDir>/.cache', '<rootDir>/.nx'],
  globalSetup: '<rootDir>/libs/testing/jest-global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/jest-global-teardown.ts',
  maxWorkers: 2,
  testTimeout: 60_000,
};
