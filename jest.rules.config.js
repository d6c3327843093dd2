import whole from './jest.config.js';

/** Specs of the billing rules and the status table, which mutation tests run without a database. */
const { transform, extensionsToTreatAsEsm, moduleNameMapper, modulePathIgnorePatterns, testEnvironment } =
  whole.projects[0];
export default {
  displayName: 'rules',
  transform,
  extensionsToTreatAsEsm,
  moduleNameMapper,
  modulePathIgnorePatterns: modulePathIgnorePatterns.filter((path) => !path.endsWith('/dist')),
  testEnvironment,
  testMatch: [
    '<rootDir>/libs/domain/billing/**/*.spec.ts',
    '<rootDir>/libs/domain/deployment/{status,progress}.spec.ts',
    '<rootDir>/tests/golden/golden-{rules,replay}.spec.ts',
  ],
  testSequencer: '<rootDir>/scripts/quick-first.mjs',
  setupFiles: ['<rootDir>/scripts/same-examples.mjs'],
};
