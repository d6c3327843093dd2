import { fileURLToPath } from 'node:url';
import { runGroup } from './jest.mjs';
import { bundle, ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';

/** The build that the crash tests start their processes from; made where the server's own is fresh. */
export const buildCrashTests = () => bundle('tests/crash/rolldown.config.js');

/** `npm run test:crash [-- <jest arguments>]`: the built product's processes, killed at every named place. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  refuseOldNode();
  process.chdir(root);
  await ensureInstalled();
  await ensureBuilt();
  await buildCrashTests();
  runGroup('crash', process.argv.slice(2));
}
