import { spawnSync } from 'node:child_process';
import { ensureBuilt, root } from './setup.mjs';

/** `npm run test:box [-- <jest arguments>]`: the built product's processes, killed at every named place. */
ensureBuilt();
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
const { status } = spawnSync(process.execPath, [...jest, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, MOORAGE_TESTS: 'box' },
});
process.exit(status ?? 1);
