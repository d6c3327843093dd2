import whole from './jest.config.js';

/** The specs of the pure rules alone, for the mutations of them: without a database. */
const { transform, extensionsToTreatAsEsm, moduleNameMapper, modulePathIgnorePatterns, testEnvironment } =
  whole.projects[0];
export default {
  displayName: 'rules',
  transform,
  extensionsToTreatAsEsm,
  moduleNameMapper,
  modulePathIgnorePatterns: modulePathIgnorePatterns.filter((path) => !path.endsWith('/dist')),
  testEnvironment,
  testMatch: ['<rootDir>/libs/domain/{billing,deployment}/**/*.spec.ts'],
};
