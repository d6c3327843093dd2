import { spawnSync } from 'node:child_process';
import { root } from './setup.mjs';

/** What Node is called with to run Jest on ES modules, which make much garbage: with room for it a tenth is saved. */
export const JEST = [
  '--experimental-vm-modules',
  '--max-semi-space-size=64',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];

/** Runs one group of tests (`jest.config.js` says which there are) and ends with its exit code. */
export function runGroup(name, args, environment = {}) {
  const { status } = spawnSync(process.execPath, [...JEST, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment, MOORAGE_TESTS: name },
  });
  process.exit(status ?? 1);
}
